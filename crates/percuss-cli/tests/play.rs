//! `percuss play` end to end: the screen in a terminal of 80 by 24, sessions that replay bit-identically, error messages.
//! No sound device is needed: `--device none`.

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

    /// Waits until the screen shows a text.
    fn wait_for(&self, wanted: &str) -> String {
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
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

    /// Number of different colours in the displacement plot.
    fn colours(&self) -> usize {
        let parser = self.screen.lock().unwrap();
        let cells = (2..15).flat_map(|row| (1..60).map(move |column| (row, column)));
        let colour = |(row, column)| parser.screen().cell(row, column).map(|cell| format!("{:?}", cell.fgcolor()));
        cells.filter_map(colour).collect::<std::collections::BTreeSet<_>>().len()
    }

    fn quit(mut self) {
        self.press("q");
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(30) {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{}", self.text());
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("percuss does not end:\n{}", self.text());
    }
}

#[test]
fn screen_of_80_by_24_shows_all_parts_and_responds_to_input() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.session");
    let session_text = session.display().to_string();
    let args =
        ["play", "water-gong", "--device", "none", "--ledger", "on", "--osc-port", "0", "--session", &session_text];
    let mut terminal = Terminal::open([80, 24], &args);
    let text = terminal.wait_for("stored");
    println!("{text}");
    for part in
        ["percuss", "Water gong", "44100 Hz", "displacement", "dBFS", "load", "xruns", "supplied", "dissip.", "strike"]
    {
        assert!(text.contains(part), "no {part} on\n{text}");
    }
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() <= 24 && lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(lines.last().unwrap().contains("q quit"), "{text}");
    terminal.press("8");
    terminal.wait_for("gong.strike 0.89");
    let start = Instant::now();
    while terminal.colours() < 20 && start.elapsed() < Duration::from_secs(20) {
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(terminal.colours() >= 20, "the plate does not move: {}", terminal.colours());
    terminal.press("d");
    terminal.wait_for("hand on");
    terminal.press("b");
    terminal.wait_for("bow on");
    // A click in the middle of the plot, as xterm reports it.
    terminal.press("\x1b[<0;31;9M\x1b[<0;31;9m");
    terminal.wait_for("struck at 0.5");
    // Selects the next target and raises its value.
    terminal.press("\x1b[B\x1b[C");
    terminal.press("n");
    terminal.wait_for("playing");
    terminal.quit();
    let events = std::fs::read_to_string(&session).unwrap();
    for part in ["gong.strike\n", "gong.hand.pressure\n", "bow.force\n", " scene 1\n", "end "] {
        assert!(events.contains(part), "no {part} in\n{events}");
    }
}

#[test]
fn small_terminal_shows_the_required_size() {
    let terminal = Terminal::open([60, 20], &["play", "bounce", "--device", "none", "--osc-port", "0"]);
    terminal.wait_for("needs 80 by 24");
    terminal.quit();
}

#[test]
fn session_replays_to_an_identical_file() {
    let folder = tempfile::tempdir().unwrap();
    let line = "play hammer-string --device none --ledger on --plain --seconds 1 --osc-port 0 --record live.wav --session live.session";
    let played = percuss(folder.path(), line);
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    let text = String::from_utf8_lossy(&played.stdout).into_owned();
    for part in ["playing", "osc     127.0.0.1:", "played", "load", "energy", "balance off", "wrote"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
    let rendered = percuss(folder.path(), "render --session live.session -o again.wav");
    assert!(rendered.status.success(), "{}", String::from_utf8_lossy(&rendered.stderr));
    let sound = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(sound("live.wav").len() > 100_000);
    assert!(sound("live.wav") == sound("again.wav"), "the files differ");
}

#[test]
fn wrong_input_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("wrong.session"), "RIFF").unwrap();
    for (line, code, message) in [
        ("render --session wrong.session", 1, "wrong.session: line 1: not a session"),
        ("render --session none.session", 1, "cannot be read"),
        ("render bounce --session wrong.session", 2, "cannot be used with"),
        ("play no-such-preset --device none", 1, "there is no preset"),
        ("play --frames 0", 2, "0 is not in 1..=8192"),
        ("play --self-test --record a.wav", 2, "cannot be used with"),
    ] {
        let output = percuss(folder.path(), line);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{line}: {text}");
        assert!(text.contains(message), "{line}: {text}");
    }
}

#[cfg(not(feature = "live"))]
#[test]
fn without_the_feature_live_a_hint_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = percuss(folder.path(), "play bounce");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && text.contains("--features live") && text.contains("--device none"), "{text}");
}

#[test]
fn self_test_compares_scene_silence_and_synthetic_load() {
    let folder = tempfile::tempdir().unwrap();
    let output = percuss(folder.path(), "play bounce --device none --self-test --seconds 0.3 --frames 64");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for part in ["silence", "bounce", "synthetic load", "99.9 %", "worst", "xruns"] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}
