//! `percuss play` end to end: the screen in a terminal of 80 by 24, sessions that replay bit-identically, error messages.
//! No sound device is needed: `--device none`.

mod program;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use program::percuss;
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A terminal with percuss in it.
struct Terminal {
    screen: Arc<Mutex<vt100::Parser>>,
    keyboard: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    master: Box<dyn MasterPty + Send>,
    /// Reads what percuss draws; ends when `is_closing` is set.
    reader: JoinHandle<()>,
    is_closing: Arc<AtomicBool>,
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
        let is_closing = Arc::new(AtomicBool::new(false));
        let closing = is_closing.clone();
        let reader = std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count) = reader.read(&mut bytes) {
                if count == 0 || closing.load(Relaxed) {
                    break;
                }
                shown.lock().unwrap().process(&bytes[..count]);
            }
        });
        let keyboard = pty.master.take_writer().unwrap();
        Self { screen, keyboard, child, master: pty.master, reader, is_closing }
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
        assert!(wait_for_end(&mut *self.child), "{}", self.text());
    }

    /// Closes the window while percuss runs in it; returns the program.
    fn close(self) -> Box<dyn Child + Send + Sync> {
        self.is_closing.store(true, Relaxed);
        // The terminal is closed when nobody holds it.
        self.reader.join().unwrap();
        drop((self.keyboard, self.master));
        self.child
    }
}

/// Waits until a program ends; returns whether it succeeded.
fn wait_for_end(child: &mut dyn Child) -> bool {
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("percuss does not end");
}

/// Arguments that play a gong with a session.
fn recorded_gong(session: &Path) -> [&str; 9] {
    let session = session.to_str().unwrap();
    ["play", "water-gong", "--device", "none", "--ledger=on", "--osc-port", "0", "--session", session]
}

#[test]
fn screen_of_80_by_24_shows_all_parts_and_responds_to_input() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.session");
    let mut terminal = Terminal::open([80, 24], &recorded_gong(&session));
    let text = terminal.wait_for("stored");
    println!("{text}");
    for part in [
        "percuss",
        "Water gong",
        "44100 Hz",
        "displacement",
        "dBFS",
        "load",
        "xruns",
        "at start",
        "players",
        "touches",
        "lost",
        "strike",
    ] {
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

#[cfg(unix)]
#[test]
fn a_signal_ends_the_session_and_restores_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.session");
    let mut terminal = Terminal::open([80, 24], &recorded_gong(&session));
    terminal.wait_for("stored");
    let mouse = |terminal: &Terminal| terminal.screen.lock().unwrap().screen().mouse_protocol_mode();
    assert_ne!(mouse(&terminal), vt100::MouseProtocolMode::None);
    let id = terminal.child.process_id().unwrap().to_string();
    assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
    terminal.wait_for("played");
    assert!(wait_for_end(&mut *terminal.child), "{}", terminal.text());
    assert_eq!(mouse(&terminal), vt100::MouseProtocolMode::None);
    assert!(!terminal.screen.lock().unwrap().screen().alternate_screen());
    assert!(std::fs::read_to_string(&session).unwrap().lines().last().unwrap().starts_with("end "));
}

#[test]
fn a_closed_terminal_ends_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.session");
    let terminal = Terminal::open([80, 24], &recorded_gong(&session));
    terminal.wait_for("stored");
    wait_for_end(&mut *terminal.close());
    assert!(std::fs::read_to_string(&session).unwrap().lines().last().unwrap().starts_with("end "));
}

#[test]
fn a_larger_terminal_is_used_as_a_whole() {
    let mut terminal = Terminal::open([160, 50], &["play", "water-gong", "--device", "none", "--osc-port", "0"]);
    let text = terminal.wait_for("q quit");
    println!("{text}");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.len() == 50 && lines[49].contains("q quit"), "{text}");
    // The side panel ends at the last column.
    assert!(lines[1].chars().count() == 160 && lines[1].ends_with('┐'), "{text}");
    terminal.press("?");
    let help = terminal.wait_for("right button");
    for part in ["space, 1 – 9", "left button", "load the scene file again", "q, Esc"] {
        assert!(help.contains(part), "no {part} in\n{help}");
    }
    // A click in the lower right corner of the picture.
    terminal.press("\x1b[<0;139;35M\x1b[<0;139;35m");
    terminal.wait_for("gong struck at 0.99, 0.0");
    terminal.quit();
}

#[test]
fn hand_that_leaves_the_picture_lets_go() {
    let folder = tempfile::tempdir().unwrap();
    let session = folder.path().join("s.session");
    let mut terminal = Terminal::open([80, 24], &recorded_gong(&session));
    terminal.wait_for("stored");
    // The right button goes down in the picture, is drawn out of it, and comes up there.
    terminal.press("\x1b[<2;31;9M\x1b[<34;32;9M\x1b[<34;70;9M");
    terminal.press("1");
    terminal.wait_for("gong.strike 0.11");
    terminal.press("\x1b[<2;70;9m");
    terminal.quit();
    let events = std::fs::read_to_string(&session).unwrap();
    let pressures: Vec<&str> = events.lines().filter(|line| line.ends_with("gong.hand.pressure")).collect();
    let values: Vec<&str> = pressures.iter().map(|line| line.split(' ').nth(2).unwrap()).collect();
    assert_eq!(values, ["1.0", "1.0", "0.0"], "{events}");
}

#[test]
fn a_click_strikes_what_the_picture_shows() {
    let mut terminal = Terminal::open([80, 24], &["play", "snare-drum", "--device", "none", "--osc-port", "0"]);
    terminal.wait_for("q quit");
    terminal.press("\x1b[<0;31;9M\x1b[<0;31;9m");
    terminal.wait_for("head struck at 0.5");
    terminal.quit();
}

#[test]
fn every_press_of_n_counts_and_l_loads_what_plays() {
    let names: Vec<String> = percuss_scene::presets::all()
        .iter()
        .map(|preset| percuss_scene::parse(preset.text, preset.name).unwrap().name)
        .collect();
    let first = percuss_scene::presets::all()[0].name;
    let mut terminal = Terminal::open([80, 24], &["play", first, "--device", "none", "--osc-port", "0"]);
    terminal.wait_for(&names[0]);
    terminal.press("nnn");
    terminal.wait_for(&format!("playing {}", names[3]));
    terminal.press("l");
    terminal.wait_for(&format!("loading {}", percuss_scene::presets::all()[3].name));
    terminal.wait_for(&format!("playing {}", names[3]));
    terminal.press("p");
    terminal.wait_for(&format!("playing {}", names[2]));
    terminal.quit();
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
    for part in [
        "playing",
        "osc     127.0.0.1:",
        "played",
        "load",
        "energy",
        " at start + ",
        " touches = ",
        " lost",
        "balance off",
        "wrote",
    ] {
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
        ("play bounce --device none --record x --session x", 2, "x: is both the recording and the session"),
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
