//! Counts the instructions of a sample and compares them with the record: times differ from run to run, these do not.
//!
//!     cargo run --release -p percuss-scene --example instructions               fails where a count has grown
//!     cargo run --release -p percuss-scene --example instructions -- --update   records what is counted now
//!
//! A preset is run twice under callgrind, for fewer and for more samples; the difference is free of everything that happens
//! once. Valgrind 3.19 has AVX2 but no AVX-512, so the count is the same on all x86-64 machines with AVX2; another compiler or
//! another kind of machine may need a record of its own. The second part compares what a scene costs while it is loud and in
//! contact with what it costs in silence: the busiest phase may take half as many instructions more, not twice as many.

use percuss_scene::{Scene, parse, presets};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Presets whose counts are on record.
const WATCHED: [&str; 3] = ["string-mass-barrier", "tromba-marina", "water-gong"];
/// Growth that is reported \[%\].
const TOLERANCE: f64 = 5.0;
/// Most that the busiest phase may cost, in instructions of the quietest.
const UNEVENNESS: f64 = 1.5;
/// Samples of the shorter and the longer run.
const RUNS: [u64; 2] = [500, 2500];
const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.toml");
const HINT: &str = "if the growth is meant, record it: \
    cargo run --release -p percuss-scene --example instructions -- --update";

/// A stretch of a scene in one state.
struct Phase {
    name: &'static str,
    preset: &'static str,
    /// What the preset is changed to: lines that start so become these.
    changes: &'static [(&'static str, &'static str)],
    /// From and to which sample.
    samples: [u64; 2],
    /// Whether anything touches in them.
    contact: bool,
}

/// The same scenes loud and in contact, in flight, and silent.
const PHASES: [Phase; 8] = [
    Phase {
        name: "plucked, rattling",
        preset: "string-mass-barrier",
        changes: &[],
        samples: [500, 1500],
        contact: true,
    },
    Phase { name: "pressed", preset: "string-mass-barrier", changes: &PRESSED, samples: [500, 1500], contact: true },
    Phase { name: "in flight", preset: "string-mass-barrier", changes: &APART, samples: [500, 1500], contact: false },
    Phase {
        name: "died away",
        preset: "string-mass-barrier",
        changes: &DAMPED,
        samples: [30_000, 31_000],
        contact: false,
    },
    Phase { name: "bowed, rattling", preset: "tromba-marina", changes: &[], samples: [3000, 4000], contact: true },
    Phase { name: "never bowed", preset: "tromba-marina", changes: &UNBOWED, samples: [3000, 4000], contact: false },
    Phase { name: "ringing", preset: "water-gong", changes: &[], samples: [500, 1000], contact: false },
    Phase {
        name: "never struck",
        preset: "water-gong",
        changes: &[("peak = ", "peak = 0")],
        samples: [500, 1000],
        contact: false,
    },
];
const PRESSED: [(&str, &str); 1] = [("position = ", "position = 0.5e-3")];
const APART: [(&str, &str); 2] = [("position = ", "position = -2"), ("frequency = ", "frequency = 0\nposition = -1")];
/// So lossy that it is silent within half a second.
const DAMPED: [(&str, &str); 2] = [("sigma0 = ", "sigma0 = 600"), ("damping = ", "damping = 1200")];
const UNBOWED: [(&str, &str); 2] = [("force = ", "force = 0"), ("gap = ", "gap = 1e-3")];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["run", "preset", name, steps] => run(&preset(name, &[]), steps),
        ["run", "phase", index, steps] => {
            phase(index).and_then(|phase| run(&preset(phase.preset, phase.changes), steps))
        }
        [] => check(false),
        ["--update"] => check(true),
        _ => Err("usage: instructions [--update]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// A preset, some of its lines changed.
fn preset(name: &str, changes: &[(&str, &str)]) -> Scene {
    let change = |line: &str| {
        let change = changes.iter().find(|(start, _)| line.starts_with(start));
        change.map_or_else(|| line.to_owned(), |(_, to)| (*to).to_owned())
    };
    let text = presets::find(name).expect("a preset").text;
    let text = text.lines().map(change).collect::<Vec<_>>().join("\n");
    parse(&text, name).unwrap_or_else(|problems| panic!("{}", problems[0]))
}

fn phase(index: &str) -> Result<&'static Phase, String> {
    index.parse().ok().and_then(|index: usize| PHASES.get(index)).ok_or_else(|| format!("there is no phase {index}"))
}

/// What is counted: a scene and so many steps.
fn run(scene: &Scene, steps: &str) -> Result<(), String> {
    let steps: u64 = steps.parse().map_err(|_| format!("{steps} is no number of steps"))?;
    let mut simulation = scene.compile(scene.sample_rate).map_err(|problem| problem.to_string())?;
    (0..steps).for_each(|_| simulation.step());
    Ok(())
}

/// Instructions of a run of this very program.
fn count(kind: &str, what: &str, steps: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = valgrind.args(["run", kind, what, &steps.to_string()]).output();
    let output = output.map_err(|error| format!("cannot run valgrind: {error}\n  hint: apt-get install valgrind"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected : "));
    let found = collected.and_then(|(_, number)| number.trim().parse().ok()).filter(|_| output.status.success());
    found.ok_or_else(|| format!("callgrind counted nothing:\n{said}"))
}

/// Instructions per sample between two samples.
fn per_sample(kind: &str, what: &str, [from, to]: [u64; 2]) -> Result<f64, String> {
    Ok((count(kind, what, to)? - count(kind, what, from)?) as f64 / (to - from) as f64)
}

fn check(update: bool) -> Result<(), String> {
    let counts = WATCHED.map(|name| per_sample("preset", name, RUNS).map(|count| (name, count)));
    let counts = counts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let grown = if update { record(&counts).map(|()| Vec::new())? } else { compare(&counts)? };
    let uneven = phases()?;
    if grown.is_empty() && uneven.is_empty() { Ok(()) } else { Err([grown, uneven].concat().join("\n")) }
}

fn record(counts: &[(&str, f64)]) -> Result<(), String> {
    let mut text = String::from(
        "# Instructions per sample, counted by callgrind on x86-64 with AVX2; written by\n\
         # cargo run --release -p percuss-scene --example instructions -- --update\n",
    );
    for (name, count) in counts {
        println!("{name}: {count:.0} instructions per sample, recorded");
        writeln!(text, "{name} = {count:.0}").expect("a string takes all");
    }
    std::fs::write(Path::new(RECORD), text).map_err(|error| format!("{RECORD}: {error}"))
}

/// Says what has grown.
fn compare(counts: &[(&str, f64)]) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(RECORD).map_err(|error| format!("{RECORD}: {error}"))?;
    let number = |line: &str, of: &str| line.strip_prefix(of)?.strip_prefix(" = ")?.parse::<f64>().ok();
    let mut grown = Vec::new();
    for (name, count) in counts {
        let recorded = text.lines().find_map(|line| number(line, name));
        let recorded = recorded.ok_or_else(|| format!("{RECORD} has no number for {name}\n  hint: {HINT}"))?;
        let growth = 100.0 * (count / recorded - 1.0);
        println!("{name}: {count:.0} instructions per sample, {growth:+.1} % against the record");
        if growth > TOLERANCE {
            grown.push(format!("{name} has grown by {growth:.1} %, may grow by {TOLERANCE} %\n  hint: {HINT}"));
        }
    }
    Ok(grown)
}

/// Whether anything touches in a phase; else it would not measure what it says.
fn touches(phase: &Phase) -> Result<bool, String> {
    let scene = preset(phase.preset, phase.changes);
    let mut simulation = scene.compile(scene.sample_rate).map_err(|problem| problem.to_string())?;
    (0..phase.samples[0]).for_each(|_| simulation.step());
    simulation.open_ledger();
    (phase.samples[0]..phase.samples[1]).for_each(|_| simulation.step());
    let contacts = simulation.ledger().map(|ledger| ledger.interactions.as_slice()).unwrap_or_default();
    Ok(contacts.iter().any(|contact| contact.contact_steps > 0))
}

/// Says which scene costs too much more in one phase than in another.
fn phases() -> Result<Vec<String>, String> {
    let (mut uneven, mut costs) = (Vec::new(), Vec::new());
    for (index, phase) in PHASES.iter().enumerate() {
        if touches(phase)? != phase.contact {
            return Err(format!("{}, {}: contact expected: {}", phase.preset, phase.name, phase.contact));
        }
        let cost = per_sample("phase", &index.to_string(), phase.samples)?;
        println!("{}, {}: {cost:.0} instructions per sample", phase.preset, phase.name);
        costs.push((phase.preset, cost));
    }
    for preset in WATCHED {
        let own = costs.iter().filter(|(of, _)| *of == preset).map(|(_, cost)| *cost);
        let (least, most) = own.fold((f64::INFINITY, 0.0_f64), |(least, most), cost| (least.min(cost), most.max(cost)));
        let ratio = most / least;
        println!("{preset}: the busiest phase costs {ratio:.2} × the quietest");
        if ratio > UNEVENNESS {
            uneven.push(format!("{preset}: the busiest phase costs {ratio:.2} × the quietest, may cost {UNEVENNESS}"));
        }
    }
    Ok(uneven)
}
