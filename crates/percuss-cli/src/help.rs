//! Text below the flags in `--help`: examples and explanations.
//!
//! Lines stay below 80 characters, the width of a small terminal.

/// Of `percuss`.
pub const EXAMPLES: &str = "\
Examples:
  percuss render                    a bowed tromba marina, into percuss-out/
  percuss list                      the presets
  percuss gallery                   all of them as sounds on a page
  percuss serve                     an instrument in the browser
  percuss materials                 steel, bronze, spruce, …: what a scene can name
  percuss new my.toml               a new scene file, copied from a preset
  percuss check my.toml             its grids, contact times and cost
  percuss render my.toml -o my.wav  its sound
  percuss modes water-gong          eigenfrequencies and mode shapes
  percuss tune my.toml --body bar --ratios 1,4,10
                                    its undercut, for these partials
  percuss play tromba-marina        in real time, with keyboard, MIDI and OSC
  percuss sweep recipe.toml -o set  a data set of labelled clips
  percuss study impact              a published study, repeated
  percuss bench                     the speed of this machine

Exit codes: 0 done, 1 the scene is wrong or the run failed, 2 wrong usage.";

/// Of `percuss sweep`.
pub const SWEEP_EXAMPLES: &str = "\
Examples:
  percuss sweep plates.toml -o plates
      all clips of a recipe, as shards in plates/data
  percuss sweep plates.toml -o plates --shards 0-9
      ten of the shards, for instance on one of several machines; the command
      without --shards makes what is missing, and the card

Run again, the command goes on where it ended or was killed. The set comes out
the same, byte by byte. Recipes are described in docs/datasets.md.";

/// Of `percuss render`.
pub const RENDER_EXAMPLES: &str = "\
Examples:
  percuss render
      the default preset, a bowed tromba marina, into percuss-out/, with
      plots
  percuss render my.toml -o my.wav --plots plots --probes my.csv
      a scene file to a sound file, with plots and the probe table
  percuss render my.toml --seconds 10 --bits 32
      longer, as 32-bit float
  percuss render my.toml --oversample 4
      physics at four times the rate, for short contacts
  percuss render my.toml -o my.flac --lufs -14 --force
      as FLAC, louder, over an existing file
  percuss render my.toml --scheme newton --report my.json
      with the iterative reference scheme; all results as JSON
  percuss render my.toml --midi tune.mid
      with a MIDI file in place of the notes of the scene's [score]
  percuss render water-gong --movie gong.gif
      with a movie of the first 50 ms, 10 s long
  percuss render my.toml --movie frames --slow 20 --from 1.5
      with numbered frames from 1.5 s on, 20 times slower than real time

Without -o the sound goes to percuss-out/NAME.wav and, unless --plots says
otherwise, plots go to percuss-out/NAME/: these files are overwritten. Files
that you name are not, unless you add --force.

The sound is normalised to -18 LUFS, or to a true peak of -1 dBTP if that comes
first. Frequencies below 20 Hz are removed, and a sound that is still loud at
its end is faded out within 50 ms. For measurements:
--no-normalise --no-dc-block --fade 0 --bits 32.

The energy ledger is checked after the run. If the residual of a step exceeds
1e-9 of the energy, or contacts under tracked store more than 1e-9 of it while
they are open, the files are written, the element or contact is named, and the
exit code is 1; --lenient makes that a warning. A contact shorter than two
samples gets a warning with the --oversample that would resolve it, and so does
a sound with more than 5 % of its energy above 0.8 of the Nyquist frequency.";

/// Of `percuss tune`.
pub const TUNE_EXAMPLES: &str = "\
Examples:
  percuss tune my.toml --body bar --ratios 1,4,10 -o tuned.toml
      the undercut of a vibraphone bar
  percuss tune my.toml --body bar --ratios 1,4,10 --pitch A3 -o tuned.toml
      and its length
  percuss tune my.toml --body skin --ratios 1,2,3,3,4,4
      the patches of a tabla: partials that coincide are given twice

Depth and width of the undercuts, or radius and surface density of the
patches, change from those of the scene; without any, one is added for every
two ratios. A pair of modes of a round body that differ in direction alone is
one partial. The scene is written with its comments. Where the ratios cannot
be met within --within cents, the nearest are named, nothing is written, and
the exit code is 1.";

/// Of `percuss play`.
pub const PLAY_EXAMPLES: &str = "\
Examples:
  percuss play tromba-marina
      on the default sound device, with a screen
  percuss play water-gong --record gong.wav --session gong.session
      with a recording of the sound and one of all events, so that
      `percuss render --session gong.session -o again.wav` gives the same file
  percuss play my.toml --device jack --osc-port 9001
      through JACK, with OSC at 127.0.0.1:9001
  percuss play water-gong --self-test
      the CPU load of the scene: 60 s, compared with silence
  percuss play my.toml --device none
      without sound, to try controllers

MIDI is received at the port percuss:midi, or at one named with --midi; the
[[mapping]] tables of the scene map it to targets. Sound devices and MIDI need
a build with `--features live`.";

/// Of `percuss check`.
pub const CHECK_EXAMPLES: &str = "\
Examples:
  percuss check my.toml                grids, contact times in samples, cost
  percuss check my.toml --rate 192000  the same at another sample rate

The scene is run for up to one second to time its contacts, or less if it is
large; one that would take long to build is not built. A contact shorter
than two samples gets a warning with the --oversample that would make it four
or more; or raise the rate, or soften the contact.";

/// Of `percuss serve`.
pub const SERVE_EXAMPLES: &str = "\
Examples:
  percuss serve --open      the page in web/dist, in the browser
  percuss serve --port 0    at any port that is free

Only programs on this machine can reach it. The page is described in
docs/web.md, with the commands that build it.";

/// Of `percuss gallery`.
pub const GALLERY_EXAMPLES: &str = "\
Examples:
  percuss gallery                       all presets, in percuss-out/gallery/
  percuss gallery kalimba sitar -o two  two of them, in two/

Open index.html in a browser. Sounds are WAV files of 16 bits and pictures are
PNG files beside it, about 60 MB for all presets.";

/// Of `percuss modes`.
pub const MODES_EXAMPLES: &str = "\
Examples:
  percuss modes water-gong              all elements that move, with plots
  percuss modes water-gong --time 1.2   with the water level at 1.2 s
  percuss modes my.toml --element bar --count 20 -o shapes
      twenty modes of one element, plots in shapes/
  percuss modes my.toml --json          only the modes as JSON, no files

Modes are those of each element alone, without losses. The touches of a plate
are included; contacts, springs and dampers between elements are not.
`frequency` is that of the element on its grid in continuous time, `sounds at`
that in steps of one sample, slightly higher. `ratio` is the frequency over
that of the first partial; rigid motions, such as those of a free plate at
0 Hz, and pendulum motions of the whole element are none. `T60` is the time in
which the mode decays by 60 dB.";

/// Of `percuss new`.
pub const NEW_EXAMPLES: &str = "\
Examples:
  percuss new my.toml                a copy of the default preset
  percuss new my.toml --from PRESET  a copy of another; see `percuss list`
  percuss new my.toml --force        overwrite my.toml if it exists";

/// Of `percuss study`.
pub const STUDY_EXAMPLES: &str = "\
Examples:
  percuss study impact            prints tables, figures in percuss-out/
  percuss study plate             takes half a minute
  percuss study collisions        takes half a minute
  percuss study tromba            takes about a minute
  percuss study nonlinear         takes half a minute; tables only
  percuss study impact -o DIR     figures and data in DIR
  percuss study impact --json     only the results, as JSON
  percuss study impact --markdown only the tables of docs/, as Markdown";

/// Of `percuss study impact`.
pub const IMPACT_EXAMPLES: &str = "\
A mass strikes a wall with the force k x^a (1 + mu v). Its compression, energy
and rebound are known in closed form. Papetti, Avanzini and Rocchesso (2010)
measured the errors of four integrators; this command repeats every table and
figure, with percuss's own schemes added.

Examples:
  percuss study impact
      the tables; figures as PNG, SVG and CSV in percuss-out/impact-study/
  percuss study impact -o DIR
      the same with the files in DIR
  percuss study impact --json > impact.json
      only the results, no files
  percuss study impact --json -o DIR
      both
  percuss study impact --stiffness 1e8 --velocity 3 --rate 48000
      the same measurements for a custom impact: the error of every method
      in exit velocity, largest compression and contact time
  percuss study impact --mass 0.2 --loss 0 --json
      a lossless impact, as JSON

For a custom impact the closed forms are printed first: exit velocity, largest
compression and contact time. err(v_out) is the audible error; dev(x) and dev(H)
are the largest deviations from the closed forms during contact. With -o DIR the
results also go to DIR/case.csv.

Tables I to III are the same on every machine. The nanoseconds of Table IV
depend on the machine.";

/// Of `percuss study plate`.
pub const PLATE_EXAMPLES: &str = "\
Van Walstijn, Bhanuprakash and Stapleton (2021) model hands, clamps and water
on a vibrating plate as added mass, stiffness and damping that vary in time.
This command repeats their Figures 3 to 6, compares the modes of plates with
closed forms and the literature for all edges, and checks the energy ledger of
every preset with a plate. It takes about half a minute.

Examples:
  percuss study plate
      the tables; figures as PNG, SVG and CSV in percuss-out/plate-study/
  percuss study plate -o DIR
      the same with the files in DIR
  percuss study plate --json > plate.json
      only the results, no files";

/// Of `percuss study collisions`.
pub const COLLISIONS_EXAMPLES: &str = "\
Willemsen's notes (2019) solve collisions without iteration, in systems from
masses, strings and barriers up to the tromba marina with its rattling bridge.
This command runs each of them under all three schemes and compares motion,
force, energy and the drift of psi with a reference at 16 times the rate. It
takes about half a minute.

Examples:
  percuss study collisions
      the tables; figures as PNG, SVG and CSV in percuss-out/collisions-study/
  percuss study collisions -o DIR
      the same with the files in DIR
  percuss study collisions --json > collisions.json
      only the results, no files";

/// Of `percuss study tromba`.
pub const TROMBA_EXAMPLES: &str = "\
At which bow forces and positions does the string stick once and slip once per
period? This command bows the preset tromba-marina at many forces and distances
from the bridge, from rest and from Helmholtz motion, and draws the regimes with
the limits of Schelleng (1973). It compares friction schemes at 44.1 kHz with a
reference at 16 times the rate, and prints the adhesive share of the bridge's
impulse under plain and under tracked, with the published constants. It takes
about a minute on two cores.

Examples:
  percuss study tromba
      the tables; figures as PNG, SVG and CSV in percuss-out/tromba-study/
  percuss study tromba -o DIR
      the same with the files in DIR
  percuss study tromba --quick
      coarser maps, half the time
  percuss study tromba --json > tromba.json
      only the results, no files

The JSON:
  sample_rate_hz, first_partial_hz, bow_velocity_m_s
  schelleng_upper_n           2Zv: the upper limit of the force times beta
  schelleng.{rest,helmholtz}  by the initial state of the string
    .cells[].{beta,force_n,regime,pitch_hz,periodicity,slips_per_period,
        amplitude_loss}
        regime: helmholtz, slipping or raucous
    .limits[].{beta,lower_n,upper_n}    null where outside the map
    .upper, .lower            {slope,constant_n} of force over beta, log-log;
        null from rest, where the regions have no clear limits
    .helmholtz_cells, .largest_region   numbers of cells
  bow[].{force_n,friction,pitch_hz,pitch_error_cents,period_error,
        period_variation,slips_per_period}
                              friction: reference, lagged, plain, tracked,
                              newton
  adhesion[].{joint,scheme,adhesive_share,hits,max_residual_relative}";

/// Of `percuss study nonlinear`.
pub const NONLINEAR_EXAMPLES: &str = "\
How much sharper do plates sound that bend by more than a part of their thickness?
This command releases a supported plate from the shape of its lowest mode, at
several amplitudes and on several grids, strikes plates under plain (as published)
and tracked (drift held), strikes the preset tam-tam softly and hard, and measures
the time per sample.

Examples:
  percuss study nonlinear
      the tables
  percuss study nonlinear --json > nonlinear.json
      only the results, as JSON

The JSON:
  backbone[].{intervals,rate_hz,amplitudes_thicknesses,frequency_ratios}
  drift[].{force_n,scheme,amplitude_thicknesses,drift,max_residual_relative}
  strokes[].{speed_m_s,times_s,centroids_hz}
  cost[].{plate,nodes,ns_per_sample,ns_per_sample_linear}";

/// Of `percuss bench`.
pub const BENCH_EXAMPLES: &str = "\
Times are CPU times of one thread, the smallest of several medians; what is
compared is measured alternately. Plates are compared with a baseline, a plain
plate update measured in the same run, and with the memory bandwidth.

Examples:
  percuss bench                    tables, after a minute or two
  percuss bench --quick            less accurate, after some seconds
  percuss bench --json > now.json  only the results, as JSON
  percuss bench --markdown         tables as Markdown

Close other programs first: on a busy machine caches are shared and the clock
rate drops, and not always by the same amount for percuss and the baseline.";
