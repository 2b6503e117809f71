//! Sessions: a replay is bit-identical to the live output; errors in damaged files name the line.

mod common;

use common::{CHANNELS, RATE, Rng, SharedBuffer, bits, instrument, player, preset_engine, send_random_command};
use percuss_live::session::{SceneSource, Session, SessionWriter, replay};
use percuss_live::{AudioEngine, Recording, SinkFile, Sinks};
use percuss_scene::presets;
use proptest::prelude::*;
use std::io::{self, BufWriter, Write};

fn text_of(preset: &str) -> SceneSource {
    SceneSource { path: preset.to_owned(), text: presets::find(preset).unwrap().text.to_owned() }
}

fn names(preset: &str) -> Vec<String> {
    instrument(preset).targets.iter().map(|target| target.name.clone()).collect()
}

/// Sends random commands in buffers of random sizes and swaps the scene; returns output, session and recording.
fn play_live(folder: &std::path::Path) -> (Vec<f32>, String, Vec<f32>) {
    let (session_file, wav) = (SharedBuffer::default(), folder.join("live.wav"));
    let mut session = SessionWriter::new(Box::new(session_file.clone()), RATE, CHANNELS).unwrap();
    session.add_scene(&text_of("water-gong"), 0.1, names("water-gong")).unwrap();
    let recording = Some(Recording::create(&wav, RATE, CHANNELS).unwrap());
    let first = instrument("water-gong");
    let first_player = player(&first);
    let mut parts =
        AudioEngine::build(first, first_player, RATE, CHANNELS, Sinks { recording, session: Some(session) });
    let mut rng = Rng(11);
    let mut output = Vec::new();
    for block in 0..60 {
        (0..rng.below(5)).for_each(|_| send_random_command(&parts.handle, &mut rng, 0));
        if block == 30 {
            let next = instrument("tromba-marina");
            let player = player(&next);
            parts.collector.add_scene(&text_of("tromba-marina"), 0.1, names("tromba-marina")).unwrap();
            assert!(parts.handle.swap_scene_at(0, next, player));
        }
        let mut buffer = vec![0.0; (1 + rng.below(300)) * CHANNELS];
        parts.engine.process(&mut buffer);
        parts.collector.collect().unwrap();
        output.extend(buffer);
    }
    parts.collector.finish(parts.meter.samples()).unwrap();
    let recorded = hound::WavReader::open(wav).unwrap().into_samples::<f32>().map(Result::unwrap).collect();
    let text = String::from_utf8(session_file.0.lock().unwrap().clone()).unwrap();
    (output, text, recorded)
}

#[test]
fn a_replayed_session_is_bit_identical() {
    let folder = tempfile::tempdir().unwrap();
    let (output, text, recorded) = play_live(folder.path());
    assert!(output.iter().any(|sample| sample.abs() > 1e-3));
    assert_eq!(bits(&recorded), bits(&output), "the recording equals the output");
    let session = Session::parse(&text).unwrap();
    assert_eq!(session.scenes.len(), 2);
    assert!(session.events.len() > 50);
    let mut replayed = Vec::new();
    replay(&session, |frames, _| {
        replayed.extend_from_slice(frames);
        Ok(())
    })
    .unwrap();
    assert_eq!(bits(&replayed), bits(&output));
}

#[test]
fn a_session_is_on_disk_every_half_second_also_without_events() {
    let file = SharedBuffer::default();
    let mut session = SessionWriter::new(Box::new(BufWriter::new(file.clone())), RATE, CHANNELS).unwrap();
    session.add_scene(&text_of("hammer-string"), 0.1, names("hammer-string")).unwrap();
    let mut parts = preset_engine("hammer-string", Sinks { recording: None, session: Some(session) });
    let mut buffer = vec![0.0; 256 * CHANNELS];
    for _ in 0..600 {
        parts.engine.process(&mut buffer);
        parts.collector.collect().unwrap();
        let read = Session::parse(&*file.0.lock().unwrap()).unwrap();
        assert!(!read.is_complete && read.samples <= parts.meter.samples());
        assert!(parts.meter.samples() - read.samples <= (0.5 * RATE) as u64, "{}", read.samples);
    }
}

#[test]
fn a_session_cut_off_anywhere_replays_its_complete_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (_, text, _) = play_live(folder.path());
    let whole = Session::parse(&text).unwrap();
    assert!(whole.is_complete);
    let first_scene = text.find(" set ").unwrap();
    for length in (first_scene..text.len()).step_by(7) {
        // Cut within a line, a character or a scene.
        let cut = Session::parse(&text.as_bytes()[..length]).unwrap_or_else(|error| panic!("{length}: {error}"));
        assert!(!cut.is_complete && whole.events.starts_with(&cut.events) && whole.scenes.starts_with(&cut.scenes));
        assert!(cut.events.iter().all(|event| event.time < cut.samples) && cut.samples <= whole.samples);
    }
}

/// A disk with little room.
struct SmallDisk(usize);

impl Write for SmallDisk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_session_on_a_full_disk_is_reported_once_and_the_recording_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let wav = folder.path().join("live.wav");
    let mut session = SessionWriter::new(Box::new(SmallDisk(1 << 14)), RATE, CHANNELS).unwrap();
    session.add_scene(&text_of("hammer-string"), 0.1, names("hammer-string")).unwrap();
    let recording = Some(Recording::create(&wav, RATE, CHANNELS).unwrap());
    let mut parts = preset_engine("hammer-string", Sinks { recording, session: Some(session) });
    let mut rng = Rng(5);
    let mut buffer = vec![0.0; 64 * CHANNELS];
    let mut errors = Vec::new();
    for _ in 0..500 {
        (0..4).for_each(|_| send_random_command(&parts.handle, &mut rng, 0));
        parts.engine.process(&mut buffer);
        errors.extend(parts.collector.collect().err());
    }
    assert_eq!(errors.iter().map(|failed| failed.file).collect::<Vec<_>>(), [SinkFile::Session]);
    assert_eq!((parts.handle.dropped_commands(), parts.meter.read().dropped_frames), (0, 0));
    parts.collector.finish(parts.meter.samples()).unwrap();
    assert_eq!(hound::WavReader::open(wav).unwrap().duration(), 500 * 64);
}

/// Which of the last commands a buffer still takes is up to the audio thread; the session has all of them.
#[test]
fn commands_sent_after_the_last_buffer_are_in_the_session() {
    let file = SharedBuffer::default();
    let mut session = SessionWriter::new(Box::new(file.clone()), RATE, CHANNELS).unwrap();
    session.add_scene(&text_of("water-gong"), 0.1, names("water-gong")).unwrap();
    let mut parts = preset_engine("water-gong", Sinks { recording: None, session: Some(session) });
    parts.engine.process(&mut [0.0; 64 * CHANNELS]);
    assert!(parts.handle.set_by_name("gong.strike", 0.5));
    for preset in ["tromba-marina", "hammer-string"] {
        let next = instrument(preset);
        let player = player(&next);
        parts.collector.add_scene(&text_of(preset), 0.1, names(preset)).unwrap();
        assert!(parts.handle.swap_scene_at(0, next, player));
    }
    // Due after the end: never executed.
    assert!(parts.handle.set_at(65, 0, 0.5));
    parts.engine.finish();
    parts.collector.finish(parts.meter.samples()).unwrap();
    let text = String::from_utf8(file.0.lock().unwrap().clone()).unwrap();
    let events: Vec<&str> = text.lines().filter(|line| line.starts_with("64 ")).collect();
    assert_eq!(events, ["64 set 0.5 gong.strike", "64 scene 1", "64 scene 2"]);
    assert!(text.ends_with("64 scene 2\nend 64\n"));
    Session::parse(&text).unwrap();
}

#[test]
fn errors_in_damaged_sessions_name_the_line() {
    let valid =
        "percuss session 3\nrate 48000\nchannels 2\nscene 1 0.5 a.toml\n# nothing\n5 set 0.25 bow.force\nend 9\n";
    assert!(Session::parse(valid).is_ok());
    for (from, to, line) in [
        ("percuss session 3", "RIFF", 1),
        ("rate 48000", "rate fast", 2),
        ("channels 2", "channels 0", 3),
        ("scene 1", "scene 99", 7),
        ("0.5 a", "NaN a", 4),
        ("5 set", "-5 set", 6),
        ("set", "sat", 6),
        ("0.25", "inf", 6),
        ("5 set 0.25", "5 image 3 0,1 x", 6),
        ("5 set 0.25", "5 scene 3", 6),
        ("end 9", "end 2", 7),
        ("end 9", "end 9\nend 9", 8),
    ] {
        let text = valid.replacen(from, to, 1);
        let error = Session::parse(&text).expect_err(to);
        assert_eq!(error.line, line, "{to}: {error}");
    }
}

#[test]
fn a_session_with_an_unknown_target_is_an_error() {
    let text = format!(
        "percuss session 3\nrate 48000\nchannels 1\nscene {} 1.0 x\n{}\n7 set 1.0 gong.strike\nend 100\n",
        text_of("hammer-string").text.lines().count(),
        text_of("hammer-string").text.trim_end()
    );
    let error = replay(&Session::parse(&text).unwrap(), |_, _| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "at sample 7: the scene has no gong.strike");
}

proptest! {
    #[test]
    fn parsing_any_text_never_panics(text in "(percuss session 3\n)?(rate 48000\n)?(channels 2\n)?[ -~\n]{0,200}") {
        let _ = Session::parse(&text);
    }
}
