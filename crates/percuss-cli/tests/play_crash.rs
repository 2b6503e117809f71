//! `percuss play` that is killed, or runs into a full disk: what was played stays, and the sound goes on.
//!
//! More rounds: `PERCUSS_KILLS=100 cargo test --release -p percuss-cli --test play_crash`.

#![cfg(unix)]

mod program;

use program::percuss;
use std::io::{BufRead, BufReader, Read};
use std::net::UdpSocket;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Frames per second of the preset that is played.
const RATE: usize = 44_100;
const PLAY: &str = "play hammer-string --device none --plain --osc-port 0 --record live.wav --session live.session";

/// A performance without a screen, and the port at which it listens for OSC.
struct Performance {
    folder: TempDir,
    child: Child,
    osc_port: u16,
}

impl Performance {
    /// Starts `percuss` by a shell command, in which `$PLAY` plays.
    fn start(command: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let play = format!("{} {PLAY}", env!("CARGO_BIN_EXE_percuss"));
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).env("PLAY", play).current_dir(folder.path());
        let mut child =
            shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("a shell");
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
        let osc = lines.find(|line| line.starts_with("osc")).expect("the address for OSC");
        let osc_port = osc.rsplit(':').next().unwrap().parse().unwrap();
        // Whoever writes to a pipe that nobody reads gets an error.
        std::thread::spawn(move || lines.count());
        Self { folder, child, osc_port }
    }

    /// Sends gestures until a condition holds.
    fn play_until(&self, mut condition: impl FnMut(&Path) -> bool) {
        let socket = UdpSocket::bind("127.0.0.1:0").unwrap();
        let start = Instant::now();
        let mut volume = 0.0_f32;
        while !condition(self.folder.path()) {
            assert!(start.elapsed() < Duration::from_secs(120), "timeout");
            volume = (volume + 0.1) % 1.0;
            let message = [b"/volume\0,f\0\0", &volume.to_be_bytes()[..]].concat();
            socket.send_to(&message, ("127.0.0.1", self.osc_port)).unwrap();
            std::thread::sleep(Duration::from_millis(3));
        }
    }

    /// Replays the session; returns what was recorded, what was replayed, and the messages of the replay.
    fn replay(&self) -> (Vec<f32>, Vec<f32>, String) {
        let folder = self.folder.path();
        let output = percuss(folder, "render --session live.session -o again.wav");
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{messages}");
        let samples = |name| {
            let wav = hound::WavReader::open(folder.join(name)).unwrap();
            assert_eq!((wav.spec().channels, wav.spec().sample_rate), (2, RATE as u32));
            wav.into_samples::<f32>().map(Result::unwrap).collect::<Vec<_>>()
        };
        (samples("live.wav"), samples("again.wav"), messages)
    }
}

/// Frames in the part of a recording that is in the file.
fn frames_on_disk(folder: &Path) -> usize {
    std::fs::metadata(folder.join("live.wav")).map_or(0, |file| file.len() as usize / 8)
}

#[test]
fn a_killed_performance_replays_up_to_its_last_second() {
    let rounds = std::env::var("PERCUSS_KILLS").map_or(3, |count| count.parse().unwrap());
    let mut seed = 22_u64;
    for round in 0..rounds {
        // The upper bits of a linear congruential generator.
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (frames, delay) = ((seed >> 33) as usize % (3 * RATE), (seed >> 55) % 300);
        let mut performance = Performance::start("exec $PLAY");
        let mut played = 0;
        performance.play_until(|folder| {
            played = frames_on_disk(folder);
            played >= frames
        });
        std::thread::sleep(Duration::from_millis(delay));
        performance.child.kill().unwrap();
        performance.child.wait().unwrap();
        let (recorded, replayed, messages) = performance.replay();
        assert!(messages.contains("has no end"), "{messages}");
        let least = played.saturating_sub(RATE);
        assert!(replayed.len() / 2 >= least, "round {round}: {} of {played} frames", replayed.len() / 2);
        assert!(recorded.len() / 2 >= least, "round {round}: {} of {played} frames", recorded.len() / 2);
        assert!(recorded.iter().zip(&replayed).all(|(one, other)| one.to_bits() == other.to_bits()), "round {round}");
    }
}

#[test]
fn a_full_disk_ends_the_recording_but_not_the_performance() {
    // A limit on the size of files, with its signal ignored, is an error of the write, as a full disk is.
    let mut performance = Performance::start("trap '' XFSZ; ulimit -f 1000; exec $PLAY");
    let last_mark = |folder: &Path| {
        let session = std::fs::read_to_string(folder.join("live.session")).unwrap_or_default();
        let mark = session.lines().rev().find_map(|line| line.strip_suffix(" played")?.parse::<usize>().ok());
        mark.unwrap_or(0)
    };
    performance.play_until(|folder| last_mark(folder) > frames_on_disk(folder) + 2 * RATE);
    end(&performance.child, "TERM");
    let mut messages = String::new();
    performance.child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert_eq!(performance.child.wait().unwrap().code(), Some(1), "{messages}");
    for part in ["note: the recording ends here", "the performance goes on", "error: a file is incomplete"] {
        assert!(messages.contains(part), "no {part} in\n{messages}");
    }
    let (recorded, replayed, _) = performance.replay();
    assert!(recorded.len() > RATE && replayed.len() > recorded.len() + 4 * RATE, "the sound goes on");
    assert!(recorded.iter().zip(&replayed).all(|(one, other)| one.to_bits() == other.to_bits()));
}

#[test]
fn signals_complete_the_files() {
    for signal in ["TERM", "HUP", "INT"] {
        let mut performance = Performance::start("exec $PLAY");
        performance.play_until(|folder| frames_on_disk(folder) > RATE / 2);
        end(&performance.child, signal);
        assert!(performance.child.wait().unwrap().success(), "{signal}");
        let (recorded, replayed, messages) = performance.replay();
        assert_eq!(messages, "", "{signal}: the session has an end");
        assert!(recorded.len() == replayed.len() && recorded.len() > RATE, "{signal}");
    }
}

/// Sends a signal to a process.
fn end(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}
