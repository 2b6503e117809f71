//! `percuss serve`: files of the page and no others, and what it says where there is no page.

mod program;

use program::percuss;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A server that ends with the test.
struct Server {
    process: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start(page: &std::path::Path) -> Server {
    let mut command = Command::new(env!("CARGO_BIN_EXE_percuss"));
    command.args(["serve", "--port", "0", "--page"]).arg(page);
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().rsplit("http://").next().unwrap().trim_end_matches('/').to_owned();
    Server { process, address }
}

/// Sends bytes and returns what is answered before the connection ends.
fn ask(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A server that has read enough closes the connection, which is an error here.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn the_files_of_the_page_are_served_and_no_others() {
    let folder = TempDir::new().unwrap();
    let page = folder.path().join("dist");
    std::fs::create_dir(&page).unwrap();
    std::fs::write(page.join("index.html"), "<p>page</p>").unwrap();
    std::fs::write(page.join("percuss.wasm"), "wasm").unwrap();
    std::fs::write(folder.path().join("secret"), "secret").unwrap();
    let server = start(&page);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let get = |path: &str| ask(&server, &format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n"));
    let index = get("/");
    assert!(index.starts_with("HTTP/1.1 200 OK\r\n") && index.ends_with("\r\n\r\n<p>page</p>"), "{index}");
    assert!(get("/percuss.wasm").contains("Content-Type: application/wasm\r\n"));
    let head = ask(&server, "HEAD / HTTP/1.1\r\n\r\n");
    assert!(head.contains("Content-Length: 11\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    for path in ["/../secret", "/..%2fsecret", "/%2e%2e/secret", "/../../../../../etc/passwd", "/none"] {
        let answer = get(path);
        assert!(answer.starts_with("HTTP/1.1 404 ") && !answer.contains("secret"), "{path}: {answer}");
    }
    assert!(ask(&server, "POST / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 405 "));
    // Nonsense closes the connection at most, and the server goes on.
    for nonsense in
        ["\r\n\r\n".to_owned(), "GET\r\n\r\n".to_owned(), format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000))]
    {
        ask(&server, &nonsense);
    }
    assert_eq!(get("/"), index);
}

#[test]
fn a_missing_page_says_how_to_build_it() {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), "serve");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        message.starts_with("error: web/dist: there is no page\n  hint: ") && message.contains("web/build-wasm"),
        "{message}"
    );
}
