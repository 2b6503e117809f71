//! What stands below the flags in `--help`: what a command is for, by examples.
//!
//! Lines stay below 80 characters: the least a terminal has.

/// Of `percuss`.
pub const EXAMPLES: &str = "\
Examples:
  percuss render                    a bowed tromba marina, into percuss-out/
  percuss list                      what comes with percuss
  percuss new my.toml               a scene of your own, to start from
  percuss check my.toml             its grids, contact times and cost
  percuss render my.toml -o my.wav  and its sound
  percuss modes water-gong          its frequencies and mode shapes
  percuss play tromba-marina        in real time, in your hands
  percuss study impact              a published study, repeated
  percuss bench                     how fast this machine is at it

Exit codes: 0 done, 1 the scene is wrong or the run failed, 2 wrong usage.";

/// Of `percuss render`.
pub const RENDER_EXAMPLES: &str = "\
Examples:
  percuss render
      the default preset, a bowed tromba marina, into percuss-out/, with
      pictures
  percuss render my.toml -o my.wav --plots pictures --probes my.csv
      a scene file into a sound file, with pictures and the probes' table
  percuss render my.toml --seconds 10 --bits 32
      longer, as 32-bit float
  percuss render my.toml --oversample 4
      physics at four times the rate, for short hard contacts
  percuss render my.toml --scheme newton --report my.json
      with the iterative reference solver; all figures as JSON
  percuss render my.toml --midi tune.mid
      with the scene's [score] playing a MIDI file
  percuss render water-gong --movie gong.gif
      with a film of the first 50 ms, 10 s long
  percuss render my.toml --movie film --slow 20 --from 1.5
      with numbered pictures from 1.5 s on, 20 times slower than real

Without -o the sound goes to percuss-out/NAME.wav and, unless --plots says
otherwise, pictures go to percuss-out/NAME/. Files that exist are overwritten;
on a terminal percuss asks first.

Every joule is booked. Where the books are off by more than 1e-9 of the energy
in a step, or contacts of the scheme tracked keep more than 1e-9 of it after
they open, the files are written, the part at fault is named, and the exit code
is 1; --lenient makes that a warning. A contact shorter than two samples gets a
warning with the --oversample that would resolve it.";

/// Of `percuss play`.
pub const PLAY_EXAMPLES: &str = "\
Examples:
  percuss play tromba-marina
      on the system's sound device, with a screen to play from
  percuss play water-gong --record gong.wav --session gong.session
      recorded as it sounds, and noted, so that
      `percuss render --session gong.session -o again.wav` gives the same file
  percuss play my.toml --device jack --osc-port 9001
      through JACK, with OSC at 127.0.0.1:9001
  percuss play water-gong --self-test
      how much of the machine it takes: 60 s, with silence beside it
  percuss play my.toml --device none
      without sound, to try controllers

MIDI arrives at the port percuss:midi, or at one named with --midi; what it
does is said by the scene's [[mapping]] tables. Sound devices and MIDI need a
percuss that was built with `--features live`.";

/// Of `percuss check`.
pub const CHECK_EXAMPLES: &str = "\
Examples:
  percuss check my.toml                grids, contact times in samples, cost
  percuss check my.toml --rate 192000  the same at another sample rate

The scene is run for up to one second to time its contacts. A contact shorter
than two samples gets a warning with the --oversample that would make it four
or more; or raise the rate, or soften the contact.";

/// Of `percuss modes`.
pub const MODES_EXAMPLES: &str = "\
Examples:
  percuss modes water-gong              all that moves, with pictures
  percuss modes water-gong --time 2.6   with the water as it is then
  percuss modes my.toml --element bar --count 20 -o shapes
      twenty modes of one element, pictures in shapes/
  percuss modes my.toml --json          only the figures, and no files

Modes are those of each element by itself, without losses: what lies on a
plate (its touches) is part of it, contacts, springs and dampers between
elements are not. `frequency` is that of the element on its grid in continuous time,
`sounds at` what steps of one sample make of it, a little higher. Motions that
nothing holds back, such as those of a free plate as a whole, are at 0 Hz.";

/// Of `percuss new`.
pub const NEW_EXAMPLES: &str = "\
Examples:
  percuss new my.toml                a copy of the default, a tromba marina
  percuss new my.toml --from PRESET  a copy of another; see `percuss list`
  percuss new my.toml --force        even if my.toml exists";

/// Of `percuss study`.
pub const STUDY_EXAMPLES: &str = "\
Examples:
  percuss study impact            tables here, figures in percuss-out/
  percuss study plate             another; takes half a minute
  percuss study collisions        a third, as long
  percuss study tromba            a fourth, about a minute
  percuss study impact -o DIR     figures and data in DIR
  percuss study impact --json     only the measured figures, as JSON";

/// Of `percuss study impact`.
pub const IMPACT_EXAMPLES: &str = "\
One mass strikes one wall, with a force k x^a (1 + mu v): an impact whose
compression, energy and rebound are known in closed form. Papetti, Avanzini
and Rocchesso (2010) measured how far four integrators stray from them; this
repeats every table and figure, beside percuss's own schemes.

Examples:
  percuss study impact
      the tables; figures as PNG, SVG and CSV in percuss-out/impact-study/
  percuss study impact -o DIR
      the same with the files in DIR
  percuss study impact --json > impact.json
      only the measured figures, and no files
  percuss study impact --json -o DIR
      both
  percuss study impact --stiffness 1e8 --velocity 3 --rate 48000
      the same measures on an impact of your own, in place of the study's:
      every method's error in exit velocity, depth and time of contact
  percuss study impact --mass 0.2 --loss 0 --json
      another, which loses nothing, as JSON

Of an impact of your own the closed forms are printed first: how fast, how deep
and how long. err(v_out) is what you hear; dev(x) and dev(H) are how far the
motion strays from the curves on the way. With -o DIR the figures also go to
DIR/case.csv.

Tables I to III are the same on every machine. The nanoseconds of Table IV are
this machine's.";

/// Of `percuss study plate`.
pub const PLATE_EXAMPLES: &str = "\
Van Walstijn, Bhanuprakash and Stapleton (2021) lay hands, clamps and water on
a vibrating plate as extra mass, stiffness and damping that change in time.
This repeats their Figures 3 to 6, compares the modes of plates with all kinds
of edges with closed forms and the literature, and closes the energy account
of every preset with a plate. It takes about half a minute.

Examples:
  percuss study plate
      the tables; figures as PNG, SVG and CSV in percuss-out/plate-study/
  percuss study plate -o DIR
      the same with the files in DIR
  percuss study plate --json > plate.json
      only the measured figures, and no files";

/// Of `percuss study collisions`.
pub const COLLISIONS_EXAMPLES: &str = "\
Willemsen's notes (2019) solve collisions without iteration, in one system
after another: masses, strings and barriers, up to the tromba marina with its
rattling bridge. This runs each of them under all three schemes, beside a
reference at 16 times the rate, and compares motion, force, energy and how far
the contacts stray from their potential. It takes about half a minute.

Examples:
  percuss study collisions
      the tables; figures as PNG, SVG and CSV in percuss-out/collisions-study/
  percuss study collisions -o DIR
      the same with the files in DIR
  percuss study collisions --json > collisions.json
      only the measured figures, and no files";

/// Of `percuss study tromba`.
pub const TROMBA_EXAMPLES: &str = "\
Where does the bow make the string stick once and slip once in a period? This
bows the preset tromba-marina at many forces and distances from the bridge,
from rest and from Helmholtz motion, and draws the answer with the limits of
Schelleng (1973). It compares ways to step the bow's friction at 44.1 kHz with
16 times as many steps, and says how much of the rattle's impulse pulls under
plain and under tracked, with the published constants. It takes about a minute
on two cores.

Examples:
  percuss study tromba
      the tables; figures as PNG, SVG and CSV in percuss-out/tromba-study/
  percuss study tromba -o DIR
      the same with the files in DIR
  percuss study tromba --quick
      coarser maps, half the time
  percuss study tromba --json > tromba.json
      only the measured figures, and no files

The JSON:
  sample_rate_hz, first_partial_hz, bow_velocity_m_s
  schelleng_upper_n           2Zv: the upper limit of the force times beta
  schelleng.{rest,motion}     by how a stroke begins
    .cells[].{beta,force_n,regime,pitch_hz,periodicity,slips_per_period,fading}
        regime: helmholtz, slipping or raucous
    .limits[].{beta,lower_n,upper_n}    null where beyond the map
    .upper, .lower            {slope,constant_n} of force over beta, log-log;
        null from rest, where luck decides
    .helmholtz_cells, .largest_region   numbers of cells
  bow[].{force_n,friction,pitch_hz,pitch_error_cents,wave_error,roughness,
        slips_per_period}     friction: reference, lagged, plain, tracked,
                              newton
  adhesion[].{joint,scheme,adhesive_share,hits,max_residual_relative}";

/// Of `percuss bench`.
pub const BENCH_EXAMPLES: &str = "\
Times are those of one thread at work, the best of several medians; what is
compared takes turns. Plates stand beside a yardstick, a plain plate update
measured in the same run, and beside what the memory of this machine allows.

Examples:
  percuss bench                    tables, after a minute or two
  percuss bench --quick            rougher, after some seconds
  percuss bench --json > now.json  only the figures
  percuss bench --markdown         tables for a document

Close other programs first: on a busy machine caches are shared and clocks slow
down, for us and for the yardstick, though not always by as much.";
