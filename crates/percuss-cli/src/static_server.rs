//! Serves the files of one folder to browsers on the same machine: GET and HEAD, one request per connection.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Largest head of a request \[bytes\].
const MAX_HEAD: u64 = 16 << 10;
/// Time that a browser may take to send a request or to receive the answer.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Endings of file names and their types.
const TYPES: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("wasm", "application/wasm"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("webp", "image/webp"),
];

/// Answers requests until the process ends.
///
/// # Errors
/// The folder cannot be found.
pub fn serve(listener: &TcpListener, folder: &Path) -> io::Result<()> {
    let folder = folder.canonicalize()?;
    for stream in listener.incoming() {
        let folder = folder.clone();
        // A connection that fails concerns one browser only, and so does a thread that cannot be started.
        let _ = stream.and_then(|stream| std::thread::Builder::new().spawn(move || answer(&stream, &folder)));
    }
    Ok(())
}

/// Reads a request and answers it.
fn answer(mut stream: &TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let mut head = BufReader::new(stream.take(MAX_HEAD)).lines();
    let request = head.next().transpose()?.unwrap_or_default();
    // Browsers take an answer for an error that comes before all of the request was read.
    for line in head {
        if line?.is_empty() {
            break;
        }
    }
    let mut words = request.split(' ');
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let has_body = match method {
        "GET" => true,
        "HEAD" => false,
        _ => return stream.write_all(&response("405 Method Not Allowed", "text/plain", b"only GET and HEAD", true)),
    };
    match find(folder, target).and_then(|path| Some((fs::read(&path).ok()?, path))) {
        Some((bytes, path)) => stream.write_all(&response("200 OK", type_of(&path), &bytes, has_body)),
        None => stream.write_all(&response("404 Not Found", "text/plain", b"there is no such file", has_body)),
    }
}

/// The file of the folder that a request names; `None` if it is not there or outside. Escapes are not decoded: no file of the page
/// needs them.
fn find(folder: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    let is_plain = |part: &str| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', ':', '\0']);
    if !path.split('/').all(is_plain) {
        return None;
    }
    // What a link within the folder leads to can be outside.
    let found = folder.join(path).canonicalize().ok()?;
    (found.starts_with(folder) && found.is_file()).then_some(found)
}

fn type_of(path: &Path) -> &'static str {
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    TYPES.iter().find(|(known, _)| *known == ending).map_or("application/octet-stream", |(_, kind)| kind)
}

fn response(status: &str, kind: &str, body: &[u8], has_body: bool) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\n\r\n"
    );
    let mut response = head.into_bytes();
    if has_body {
        response.extend_from_slice(body);
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_within_the_folder_are_found() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("page");
        fs::create_dir_all(folder.join("assets")).unwrap();
        for file in ["secret", "page/index.html", "page/assets/a.js", "page/.hidden"] {
            fs::write(outside.path().join(file), file).unwrap();
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(outside.path().join("secret"), folder.join("link")).unwrap();
        let folder = folder.canonicalize().unwrap();
        assert_eq!(find(&folder, "/"), Some(folder.join("index.html")));
        assert_eq!(find(&folder, "/assets/a.js?v=1"), Some(folder.join("assets/a.js")));
        for target in [
            "",
            "index.html",
            "/../secret",
            "/assets/../../secret",
            "/%2e%2e/secret",
            "/..%2fsecret",
            "/..\\secret",
            "//etc/passwd",
            "/.hidden",
            "/assets",
            "/link",
            "/assets/",
            "/./index.html",
            "/none",
            "/index.html\0",
            "http://host/index.html",
            "/C:/x",
        ] {
            assert_eq!(find(&folder, target), None, "{target}");
        }
    }
}
