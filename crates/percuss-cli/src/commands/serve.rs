//! `percuss serve`: serves the page of `web/` to browsers on this machine.

use crate::args::ServeArgs;
use crate::error::{CliError, Result};
use crate::static_server;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Command, Stdio};

/// What builds the page.
const BUILD_HINT: &str =
    "build it with `web/build-wasm && (cd web && npm ci && npm run build)`, or name its folder with --page";

/// Serves the page until the process ends.
pub fn run(args: &ServeArgs) -> Result<()> {
    if !args.page.join("index.html").is_file() {
        return Err(CliError::with_hint(format!("{}: there is no page", args.page.display()), BUILD_HINT));
    }
    // Loopback only: the page is for this machine.
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(|error| {
        let message = format!("port {} cannot be opened: {error}", args.port);
        CliError::with_hint(message, "take another with --port, or any that is free with --port 0")
    })?;
    let address = format!("http://{}/", listener.local_addr()?);
    writeln!(io::stdout(), "serving {} at {address}\nnext: open it in a browser; Ctrl-C ends", args.page.display())?;
    io::stdout().flush()?;
    if args.open {
        open_browser(&address)?;
    }
    static_server::serve(&listener, &args.page).map_err(|error| CliError::io("cannot be read", &args.page, &error))
}

/// Opens an address with the system's browser.
fn open_browser(address: &str) -> Result<()> {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let mut command = Command::new(program);
    command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let started = command.spawn().map(drop);
    started.map_err(|error| CliError::io("cannot be run", Path::new(program), &error))
}
