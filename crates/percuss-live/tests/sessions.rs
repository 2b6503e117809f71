//! Sessions: what was played live is rendered again to the last bit; damaged files are refused with a line.

mod common;

use common::{CHANNELS, Chance, Paper, RATE, bits, instrument, meddle, player};
use percuss_live::session::{Log, SceneText, Session, replay};
use percuss_live::{Outlets, Recording, rig};
use percuss_scene::presets;
use proptest::prelude::*;

fn text_of(preset: &str) -> SceneText {
    SceneText { path: preset.to_owned(), text: presets::find(preset).unwrap().text.to_owned() }
}

fn names(preset: &str) -> Vec<String> {
    instrument(preset).targets.iter().map(|target| target.name.clone()).collect()
}

/// Plays at random in buffers of random sizes, through a change of scenes; returns what was heard, noted and recorded.
fn play_live(folder: &std::path::Path) -> (Vec<f32>, String, Vec<f32>) {
    let (paper, wav) = (Paper::default(), folder.join("live.wav"));
    let mut log = Log::begin(Box::new(paper.clone()), RATE, CHANNELS).unwrap();
    log.announce(&text_of("water-gong"), 0.1, names("water-gong")).unwrap();
    let recording = Some(Recording::create(&wav, RATE, CHANNELS).unwrap());
    let first = instrument("water-gong");
    let on_stage = player(&first);
    let mut rig = rig(first, on_stage, RATE, CHANNELS, Outlets { recording, session: Some(log) });
    let mut chance = Chance(11);
    let mut heard = Vec::new();
    for block in 0..60 {
        (0..chance.below(5)).for_each(|_| meddle(&rig.controls, &mut chance, 0));
        if block == 30 {
            let next = instrument("tromba-marina");
            let player = player(&next);
            rig.housekeeper.announce(&text_of("tromba-marina"), 0.1, names("tromba-marina")).unwrap();
            assert!(rig.controls.swap_at(0, next, player));
        }
        let mut buffer = vec![0.0; (1 + chance.below(300)) * CHANNELS];
        rig.engine.process(&mut buffer);
        rig.housekeeper.clear().unwrap();
        heard.extend(buffer);
    }
    rig.housekeeper.finish(rig.meter.samples()).unwrap();
    let recorded = hound::WavReader::open(wav).unwrap().into_samples::<f32>().map(Result::unwrap).collect();
    let noted = String::from_utf8(paper.0.lock().unwrap().clone()).unwrap();
    (heard, noted, recorded)
}

#[test]
fn a_session_replays_to_the_last_bit() {
    let folder = tempfile::tempdir().unwrap();
    let (heard, noted, recorded) = play_live(folder.path());
    assert!(heard.iter().any(|sample| sample.abs() > 1e-3));
    assert_eq!(bits(&recorded), bits(&heard), "the recording is what was heard");
    let session = Session::parse(&noted).unwrap();
    assert_eq!(session.scenes.len(), 2);
    assert!(session.events.len() > 50);
    let mut again = Vec::new();
    replay(&session, |frames, _| {
        again.extend_from_slice(frames);
        Ok(())
    })
    .unwrap();
    assert_eq!(bits(&again), bits(&heard));
    // Cut off in the middle, as by a crash, it replays as far as it goes.
    let cut = &noted[..noted.rfind("end ").unwrap()];
    assert!(Session::parse(cut).unwrap().samples <= session.samples);
}

#[test]
fn damaged_sessions_are_refused_with_a_line() {
    let whole =
        "percuss session 1\nrate 48000\nchannels 2\nscene 1 0.5 a.toml\n# nothing\n5 set 0.25 bow.force\nend 9\n";
    assert!(Session::parse(whole).is_ok());
    for (from, to, line) in [
        ("percuss session 1", "RIFF", 1),
        ("rate 48000", "rate fast", 2),
        ("channels 2", "channels 0", 3),
        ("scene 1", "scene 99", 7),
        ("0.5 a", "NaN a", 4),
        ("5 set", "-5 set", 6),
        ("set", "sat", 6),
        ("0.25", "inf", 6),
        ("5 set 0.25", "5 press 3 0,1 x", 6),
        ("5 set 0.25", "5 scene 3", 6),
        ("end 9", "end 2", 7),
        ("end 9", "end 9\nend 9", 8),
    ] {
        let text = whole.replacen(from, to, 1);
        let error = Session::parse(&text).expect_err(to);
        assert_eq!(error.line, line, "{to}: {error}");
    }
}

#[test]
fn a_session_for_another_scene_says_what_is_missing() {
    let text = format!(
        "percuss session 1\nrate 48000\nchannels 1\nscene {} 1.0 x\n{}\n7 set 1.0 gong.strike\nend 100\n",
        text_of("hammer-string").text.lines().count(),
        text_of("hammer-string").text.trim_end()
    );
    let error = replay(&Session::parse(&text).unwrap(), |_, _| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "at sample 7: the scene has no gong.strike");
}

proptest! {
    #[test]
    fn no_text_breaks_the_reader(text in "(percuss session 1\n)?(rate 48000\n)?(channels 2\n)?[ -~\n]{0,200}") {
        let _ = Session::parse(&text);
    }
}
