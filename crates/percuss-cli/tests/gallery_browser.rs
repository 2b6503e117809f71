//! The page of `percuss gallery` in Chromium: no errors, all pictures loaded, all sounds playable, at desktop and phone width.
//!
//! The test serves the folder, adds a script to the page, and waits for what the script reports.
//! `cargo test --workspace --test gallery_browser -- --ignored --nocapture` runs it where Chromium is installed.

mod program;

use percuss_scene::presets;
use program::percuss;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

/// How long the browser may take.
const LONGEST: Duration = Duration::from_secs(120);
/// Names under which Chromium is installed.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// The page as on a phone: windows themselves have a least width.
const PHONE: &str = "<!DOCTYPE html><iframe src=\"index.html\" style=\"width: 390px; height: 844px; border: 0\" allow=\"autoplay\"></iframe>";

/// Loads what is loaded lazily, plays a moment of every sound, and reports what it finds.
const PROBE: &str = r#"<script>
const errors = [];
addEventListener("error", event => errors.push(event.message || "not loaded: " + (event.target.src || event.target.href)), true);
addEventListener("unhandledrejection", event => errors.push(String(event.reason)));
const logged = console.error;
console.error = (...words) => { errors.push(words.join(" ")); logged(...words); };
const loaded = image => new Promise(done => {
  image.loading = "eager";
  if (image.complete) done(); else { image.onload = done; image.onerror = done; }
});
const played = audio => new Promise(done => {
  audio.muted = true;
  audio.ontimeupdate = () => { if (audio.currentTime > 0) { audio.pause(); done(); } };
  audio.play().catch(error => { errors.push(audio.src + ": " + error); done(); });
});
addEventListener("load", async () => {
  const images = [...document.images], sounds = [...document.querySelectorAll("audio")];
  await Promise.all(images.map(loaded));
  for (const sound of sounds) await played(sound);
  const root = document.documentElement;
  const result = {
    errors,
    pictures: images.map(image => [image.getAttribute("src"), image.naturalWidth]),
    sounds: sounds.map(sound => [sound.getAttribute("src"), sound.duration, sound.currentTime]),
    width: innerWidth,
    overflow: root.scrollWidth - root.clientWidth,
  };
  await fetch("/result", { method: "POST", body: JSON.stringify(result) });
});
</script>"#;

/// A browser that is ended with the test.
struct Browser(Child);

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Opens an address; without connections of its own to elsewhere.
fn open(address: &str, profile: &Path) -> Browser {
    let switches = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--autoplay-policy=no-user-gesture-required",
        "--window-size=1440,900",
    ];
    for browser in BROWSERS {
        let mut command = Command::new(browser);
        command.args(switches).arg(format!("--user-data-dir={}", profile.display())).arg(address);
        if let Ok(child) = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn() {
            return Browser(child);
        }
    }
    panic!("none of {BROWSERS:?} is installed");
}

/// Serves the files of a folder, the page with the probe in it; what is posted goes to `results`.
fn serve(folder: PathBuf, results: Sender<Value>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (folder, results) = (folder.clone(), results.clone());
            // A browser ends connections when it likes.
            thread::spawn(move || answer(stream, &folder, &results));
        }
    });
    address
}

fn answer(stream: TcpStream, folder: &Path, results: &Sender<Value>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut request = String::new();
    reader.read_line(&mut request).ok()?;
    let mut length = 0;
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        if let Some(value) = header.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if header.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let path = request.split(' ').nth(1)?.trim_start_matches('/');
    let (status, kind, content) = if request.starts_with("POST") {
        results.send(serde_json::from_slice(&body).ok()?).ok()?;
        ("204 No Content", "text/plain", Vec::new())
    } else if path == "phone.html" {
        ("200 OK", "text/html; charset=utf-8", PHONE.into())
    } else if path == "favicon.ico" {
        ("204 No Content", "text/plain", Vec::new())
    } else {
        match fs::read(folder.join(path)) {
            Ok(page) if path.ends_with(".html") => {
                let page = String::from_utf8(page).ok()?.replacen("</head>", &format!("{PROBE}</head>"), 1);
                ("200 OK", "text/html; charset=utf-8", page.into_bytes())
            }
            Ok(content) if path.ends_with(".wav") => ("200 OK", "audio/wav", content),
            Ok(content) => ("200 OK", "image/png", content),
            Err(_) => ("404 Not Found", "text/plain", Vec::new()),
        }
    };
    let mut stream = stream;
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        content.len()
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(&content).ok()
}

#[test]
#[ignore = "needs Chromium; .ci/run installs it"]
fn page_opens_without_errors_and_all_sounds_play() {
    let test = TempDir::new().unwrap();
    let output = percuss(test.path(), "gallery -o page");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let folder = test.path().join("page");
    for (name, page, width) in [("desktop", "index.html", 1440), ("phone", "phone.html", 390)] {
        let (sender, results) = channel();
        let address = serve(folder.clone(), sender);
        let _browser = open(&format!("{address}/{page}"), &test.path().join(name));
        let found = results.recv_timeout(LONGEST).unwrap_or_else(|_| panic!("{name}: the page reports nothing"));
        println!("{name}: {} px wide, errors {}", found["width"], found["errors"]);
        assert_eq!(found["errors"].as_array().unwrap().len(), 0, "{name}: {}", found["errors"]);
        assert_eq!((&found["width"], &found["overflow"]), (&width.into(), &0.into()), "{name}: wider than the window");
        let (pictures, sounds) = (found["pictures"].as_array().unwrap(), found["sounds"].as_array().unwrap());
        assert_eq!((pictures.len(), sounds.len()), (presets::all().len(), presets::all().len()));
        for picture in pictures {
            assert_eq!(picture[1], 1600, "{name}: {picture}");
        }
        for (sound, preset) in sounds.iter().zip(presets::all()) {
            let reader = hound::WavReader::open(folder.join(sound[0].as_str().unwrap())).unwrap();
            let seconds = f64::from(reader.duration()) / f64::from(reader.spec().sample_rate);
            let [duration, played] = [1, 2].map(|index| sound[index].as_f64().unwrap_or(0.0));
            assert_eq!(sound[0], format!("{}.wav", preset.name));
            assert!((duration - seconds).abs() < 0.01, "{name}: {sound}, {seconds} s");
            assert!(played > 0.0, "{name}: {sound} does not play");
        }
    }
}
