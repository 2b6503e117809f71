//! `percuss play` as a person meets it: the screen in a terminal of 80 by 24, sessions that replay to the same file,
//! messages where something is missing. No sound device is needed: it plays on none.

mod program;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use program::percuss;
use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// A terminal with percuss in it.
struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    _master: Box<dyn MasterPty + Send>,
}

impl Terminal {
    fn open(size: [u16; 2], args: &[&str]) -> Self {
        let [cols, rows] = size;
        let pty = native_pty_system().openpty(PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_percuss"));
        command.args(args);
        command.env("TERM", "xterm-256color");
        let child = pty.slave.spawn_command(command).unwrap();
        let count = |n: u16| std::num::NonZero::new(n).unwrap();
        let screen = Arc::new(Mutex::new(vt100::Parser::new(count(rows), count(cols), 0)));
        let (mut reader, shown) = (pty.master.try_clone_reader().unwrap(), screen.clone());
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 {
                    break;
                }
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        Self { screen, keyboard: pty.master.take_writer().unwrap(), child, _master: pty.master }
    }

    fn text(&self) -> String {
        self.screen.lock().unwrap().screen().contents()
    }

    /// Waits until the screen shows something.
    fn wait_for(&self, wanted: &str) -> String {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(60) {
            let text = self.text();
            if text.contains(wanted) {
                return text;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("the screen never shows \"{wanted}\":\n{}", self.text());
    }

    fn press(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
    }

    /// How many different colours the picture has.
    fn colours(&self) -> usize {
        let parser = self.screen.lock().unwrap();
        let cells = (2..15).flat_map(|row| (1..60).map(move |column| (row, column)));
        let colour = |(row, column)| parser.screen().cell(row, column).map(|cell| format!("{:?}", cell.fgcolor()));
        cells.filter_map(colour).collect::<std::collections::BTreeSet<_>>().len()
    }

    fn leave(mut self) {
        self.press("q");
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(30) {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{}", self.text());
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("it does not end:\n{}", self.text());
    }
}

#[test]
fn the_screen_of_80_by_24_shows_and_plays_everything() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.session");
    let session_text = session.display().to_string();
    let args =
        ["play", "water-gong", "--device", "none", "--account", "on", "--osc-port", "0", "--session", &session_text];
    let mut terminal = Terminal::open([80, 24], &args);
    let text = terminal.wait_for("held");
    println!("{text}");
    for part in
        ["percuss", "Water gong", "44100 Hz", "displacement", "dBFS", "load", "xruns", "given", "lost", "strike"]
    {
        assert!(text.contains(part), "no {part} on\n{text}");
    }
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() <= 24 && lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(lines.last().unwrap().contains("q quit"), "{text}");
    terminal.press("8");
    terminal.wait_for("gong.strike 0.89");
    let begun = Instant::now();
    while terminal.colours() < 20 && begun.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(terminal.colours() >= 20, "the plate does not move: {}", terminal.colours());
    terminal.press("d");
    terminal.wait_for("hand on");
    terminal.press("b");
    terminal.wait_for("bow on");
    // A click in the middle of the picture, as xterm reports it.
    terminal.press("\x1b[<0;31;9M\x1b[<0;31;9m");
    terminal.wait_for("struck at 0.5");
    // Down to another target, and its value up.
    terminal.press("\x1b[B\x1b[C");
    terminal.press("n");
    terminal.wait_for("is on stage");
    terminal.leave();
    let noted = std::fs::read_to_string(&session).unwrap();
    for part in ["gong.strike\n", "gong.hand.pressure\n", "bow.force\n", " scene 1\n", "end "] {
        assert!(noted.contains(part), "no {part} in\n{noted}");
    }
}

#[test]
fn a_window_that_is_too_small_is_told_so() {
    let terminal = Terminal::open([60, 20], &["play", "bounce", "--device", "none", "--osc-port", "0"]);
    terminal.wait_for("needs 80 by 24");
    terminal.leave();
}

#[test]
fn a_session_replays_to_an_identical_file() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play hammer-string --device none --account on --plain --seconds 1 --osc-port 0 --record live.wav --session live.session";
    let played = percuss(folder.path(), line);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let said = String::from_utf8_lossy(&played.stdout).into_owned();
    for part in ["playing", "osc     127.0.0.1:", "played", "load", "energy", "balance off", "wrote"] {
        assert!(said.contains(part), "no {part} in\n{said}");
    }
    let rendered = percuss(folder.path(), "render --session live.session -o again.wav");
    assert!(rendered.status.success(), "{}", String::from_utf8_lossy(&rendered.stderr));
    let sound = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(sound("live.wav").len() > 100_000);
    assert!(sound("live.wav") == sound("again.wav"), "the files differ");
}

#[test]
fn what_cannot_be_played_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("wrong.session"), "RIFF").unwrap();
    for (line, code, message) in [
        ("render --session wrong.session", 1, "wrong.session: line 1: this is no session"),
        ("render --session none.session", 1, "cannot be read"),
        ("render bounce --session wrong.session", 2, "cannot be used with"),
        ("play no-such-preset --device none", 1, "there is no preset"),
        ("play --frames 0", 2, "0 is not in 1..=8192"),
        ("play --self-test --record a.wav", 2, "cannot be used with"),
    ] {
        let output = percuss(folder.path(), line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        assert!(said.contains(message), "{line}: {said}");
    }
}

#[cfg(not(feature = "live"))]
#[test]
fn without_the_feature_the_way_to_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let output = percuss(folder.path(), "play bounce");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && said.contains("--features live") && said.contains("--device none"), "{said}");
}

#[test]
fn the_self_test_compares_with_silence() {
    let folder = tempfile::tempdir().unwrap();
    let output = percuss(folder.path(), "play bounce --device none --self-test --seconds 0.3 --frames 64");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in ["silence", "bounce", "99.9 %", "worst", "xruns"] {
        assert!(said.contains(part), "no {part} in\n{said}");
    }
}
