//! MIDI files played by a score: tempo map, monophony, controllers, keys that cannot be played.

use midly::num::{u4, u7, u15, u24, u28};
use midly::{Format, Header, MetaMessage, MidiMessage, Smf, Timing, TrackEvent, TrackEventKind};
use percuss::{Control, Law};
use percuss_scene::midi::{self, MidiFile};
use percuss_scene::{Scene, parse_with_midi};

/// The open string sounds at 32 Hz, its partials 2 and 3 near C2 and G2.
const SCENE: &str = r#"
[[string]]
id = "string"
length = 1.9
radius = 0.5e-3
tension = 91

[[bow]]
id = "bow"
of = "string"
at = 0.217

[[finger]]
id = "finger"
of = "string"

[[pickup]]
of = "string"
at = 0.97

[score]
bow = "bow"
finger = "finger"

[[note]]
start = 0
duration = 9
"#;

const C2: u8 = 36;
const G2: u8 = 43;

fn note_on(delta: u32, key: u8, velocity: u8) -> (u32, TrackEventKind<'static>) {
    let message = MidiMessage::NoteOn { key: u7::new(key), vel: u7::new(velocity) };
    (delta, TrackEventKind::Midi { channel: u4::new(0), message })
}

fn note_off(delta: u32, key: u8) -> (u32, TrackEventKind<'static>) {
    let message = MidiMessage::NoteOff { key: u7::new(key), vel: u7::new(0) };
    (delta, TrackEventKind::Midi { channel: u4::new(0), message })
}

fn controller(delta: u32, number: u8, value: u8) -> (u32, TrackEventKind<'static>) {
    let message = MidiMessage::Controller { controller: u7::new(number), value: u7::new(value) };
    (delta, TrackEventKind::Midi { channel: u4::new(0), message })
}

fn tempo(delta: u32, microseconds: u32) -> (u32, TrackEventKind<'static>) {
    (delta, TrackEventKind::Meta(MetaMessage::Tempo(u24::new(microseconds))))
}

/// The bytes of a file with 480 ticks per beat.
fn file(format: Format, tracks: &[&[(u32, TrackEventKind<'static>)]]) -> Vec<u8> {
    let mut song = Smf::new(Header::new(format, Timing::Metrical(u15::new(480))));
    for track in tracks {
        let end = [(0, TrackEventKind::Meta(MetaMessage::EndOfTrack))];
        let events = track.iter().chain(&end).map(|&(delta, kind)| TrackEvent { delta: u28::new(delta), kind });
        song.tracks.push(events.collect());
    }
    let mut bytes = Vec::new();
    song.write_std(&mut bytes).unwrap();
    bytes
}

fn midi_file(tracks: &[&[(u32, TrackEventKind<'static>)]]) -> MidiFile {
    midi::parse(&file(Format::Parallel, tracks), "tune.mid").unwrap_or_else(|error| panic!("{error}"))
}

fn play(midi_file: &MidiFile) -> Scene {
    parse_with_midi(SCENE, "scene.toml", Some(midi_file)).unwrap_or_else(|errors| panic!("{}", errors[0]))
}

fn force(scene: &Scene) -> Control {
    let mut bows = scene.model.interactions().iter().filter_map(|interaction| match &interaction.law {
        Law::Bow(bow) => Some(bow.force.clone()),
        _ => None,
    });
    bows.next_back().expect("a bow")
}

#[test]
fn the_tempo_map_converts_ticks_to_seconds() {
    // One beat at 120 beats per minute, then 60 beats per minute; the tempo is on its own track.
    let played = midi_file(&[
        &[tempo(480, 1_000_000)],
        &[note_on(0, C2, 100), note_off(480, C2), note_on(480, G2, 64), note_off(960, G2)],
    ]);
    let times: Vec<_> = played.notes.iter().map(|note| (note.start, note.end)).collect();
    assert_eq!(times, [(0.0, 0.5), (1.5, 3.5)]);
    assert_eq!(played.end, 3.5);
    assert_eq!(play(&played).duration, 4.5, "1 s more than the file");
}

#[test]
fn a_new_note_ends_the_one_before() {
    let played = midi_file(&[
        &[note_on(0, C2, 100), note_off(1440, C2)],
        &[note_on(480, G2, 100), note_on(480, C2, 0), note_off(480, G2)],
        &[note_on(2400, C2, 90), note_on(0, G2, 90), note_off(480, G2), note_off(0, C2)],
    ]);
    let notes: Vec<_> = played.notes.iter().map(|note| (note.key, note.start, note.end)).collect();
    assert_eq!(notes, [(C2, 0.0, 0.5), (G2, 0.5, 1.5), (G2, 2.5, 3.0)]);
    assert_eq!(played.skipped_notes, 1);
    let warning = play(&played).warnings[0].to_string();
    assert!(warning.starts_with("warning: tune.mid: 1 note of chords"), "{warning}");
}

#[test]
fn tracks_of_a_sequential_file_follow_one_another() {
    let track: &[_] = &[note_on(0, C2, 100), note_off(480, C2)];
    let played = midi::parse(&file(Format::Sequential, &[track, track]), "tune.mid").unwrap();
    let starts: Vec<_> = played.notes.iter().map(|note| note.start).collect();
    assert_eq!(starts, [0.0, 0.5]);
}

#[test]
fn velocity_sets_dynamics_and_controllers_scale_the_force() {
    let plain = play(&midi_file(&[&[note_on(0, C2, 127), note_off(960, C2)]]));
    assert!((force(&plain).at(0.5) - 0.3).abs() < 1e-12);
    let tune: &[_] = &[
        controller(0, 11, 127),
        controller(0, 1, 0),
        controller(0, 64, 127),
        note_on(0, C2, 127),
        controller(480, 11, 0),
        controller(240, 11, 127),
        controller(0, 1, 127),
        note_off(240, C2),
    ];
    let expressive = force(&play(&midi_file(&[tune])));
    for (t, expected) in [(0.3, 0.3), (0.6, 0.0), (0.85, 0.6)] {
        assert!((expressive.at(t) - expected).abs() < 1e-9, "at {t} s: {}", expressive.at(t));
    }
    assert!(expressive.is_well_formed() && expressive.values().iter().all(|&force| force >= 0.0));
}

#[test]
fn a_key_between_harmonics_is_played_on_the_nearest_with_one_warning() {
    // E♭2 lies between the second and third partial.
    let scene = play(&midi_file(&[&[note_on(0, 39, 100), note_off(480, 39), note_on(0, 39, 100), note_off(480, 39)]]));
    let warnings: Vec<String> = scene.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("warning: tune.mid: D#2: pitch is 77.8 Hz"), "{}", warnings[0]);
    assert!(warnings[0].contains("harmonic 2 is played") && warnings[0].contains("hint: transpose"), "{}", warnings[0]);
    let expected =
        play(&midi_file(&[&[note_on(0, C2, 100), note_off(480, C2), note_on(0, C2, 100), note_off(480, C2)]]));
    assert_eq!(scene.model, expected.model);
}

#[test]
fn invalid_midi_files_give_errors_with_hints() {
    let refused = |bytes: &[u8]| midi::parse(bytes, "tune.mid").unwrap_err().to_string();
    for (bytes, finding) in [
        (b"RIFF....WAVE".to_vec(), "not a MIDI file"),
        (Vec::new(), "not a MIDI file"),
        (file(Format::SingleTrack, &[&[controller(0, 11, 3)]]), "the MIDI file has no notes"),
    ] {
        let message = refused(&bytes);
        assert!(message.starts_with("error: tune.mid: ") && message.contains(finding), "{message}");
        assert!(message.contains("\n  hint: "), "{message}");
    }
    let tune = midi_file(&[&[note_on(0, C2, 100), note_off(480, C2)]]);
    let text = SCENE.split("[score]").next().unwrap();
    let message = parse_with_midi(text, "scene.toml", Some(&tune)).unwrap_err()[0].to_string();
    assert!(message.contains("the scene has no [score], which tune.mid needs\n  hint: add [score]"), "{message}");
    let missing = midi::load(std::path::Path::new("no/such.mid")).unwrap_err().to_string();
    assert!(missing.starts_with("error: no/such.mid: ") && missing.contains("check the path"), "{missing}");
}

#[test]
fn damaged_files_never_panic() {
    let once =
        file(Format::Parallel, &[&[tempo(0, 400_000), note_on(0, C2, 99), controller(9, 11, 5), note_off(480, C2)]]);
    // Also with a second header after the tracks.
    for good in [once.clone(), once.repeat(2)] {
        for place in 0..good.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff] {
                let mut bytes = good.clone();
                bytes[place] = value;
                if let Ok(played) = midi::parse(&bytes, "tune.mid") {
                    let _ = parse_with_midi(SCENE, "scene.toml", Some(&played));
                }
            }
            let _ = midi::parse(&good[..place], "tune.mid");
        }
    }
}

/// Fundamental frequency of a signal \[Hz\]: from the first lag whose autocorrelation is within 10 % of the maximum.
fn pitch(signal: &[f64], rate: f64) -> f64 {
    let lags = 40..400;
    let correlation = |lag: usize| {
        let (now, later) = (&signal[..signal.len() - lag], &signal[lag..]);
        let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        product(now, later) / (product(now, now) * product(later, later)).sqrt()
    };
    let found: Vec<f64> = lags.clone().map(correlation).collect();
    let best = found.iter().copied().fold(0.0, f64::max);
    let is_peak = |i: usize| found[i] > found[i - 1] && found[i] >= found[i + 1] && found[i] > 0.9 * best;
    let first = (1..found.len() - 1).find(|&i| is_peak(i)).expect("the signal is periodic");
    let [a, b, c] = [found[first - 1], found[first], found[first + 1]];
    rate / ((lags.start + first) as f64 + 0.5 * (a - c) / (a - 2.0 * b + c))
}

/// Frequencies at which the string of the preset sounds, for keys of 1 s each.
fn pitches(keys: &[u8]) -> Vec<f64> {
    let rate = 44_100.0;
    let track: Vec<_> = keys.iter().flat_map(|&key| [note_on(0, key, 80), note_off(960, key)]).collect();
    let pickup = "\n[[pickup]]\nof = \"string\"\nat = 0.03\nquantity = \"velocity\"\n";
    let text = percuss_scene::presets::find("tromba-melody").expect("a preset").text.to_owned() + pickup;
    let scene = parse_with_midi(&text, "scene.toml", Some(&midi_file(&[&track]))).unwrap();
    let mut signal = vec![0.0; keys.len() * rate as usize];
    let pickup = scene.outputs.last().expect("the last pickup").pickup;
    scene.compile(rate).unwrap().process(&[pickup], &mut [&mut signal]);
    // The second half of a note, before its release.
    let part = |index: usize| &signal[((index as f64 + 0.55) * rate) as usize..((index as f64 + 0.85) * rate) as usize];
    (0..keys.len()).map(|index| pitch(part(index), rate)).collect()
}

#[test]
fn a_note_sounds_at_its_pitch_after_any_other_note() {
    const HARMONICS: [(u8, f64); 6] = [(60, 4.0), (72, 8.0), (67, 6.0), (55, 3.0), (48, 2.0), (36, 1.0)];
    let expected = |key: u8| {
        let (_, n) = HARMONICS[HARMONICS.iter().position(|known| known.0 == key).expect("a harmonic")];
        65.4 * n
    };
    for keys in [&[72, 60, 72, 60][..], &[60, 72, 60], &[67, 55, 72, 48, 67, 48, 72, 60]] {
        let found = pitches(keys);
        println!("{keys:?}: {found:.1?} Hz");
        for (&key, found) in keys.iter().zip(&found) {
            let off = 1200.0 * (found / expected(key)).log2();
            assert!(off.abs() < 30.0, "{keys:?}: key {key} at {found} Hz, {off:.0} cents off");
        }
    }
}
