//! Counts instructions per sample and compares them with a baseline. Unlike times, they do not vary from run to run.
//!
//!     cargo run --release -p percuss-scene --example instructions               fails if a count has grown
//!     cargo run --release -p percuss-scene --example instructions -- --update   writes the baseline
//!
//! Each preset runs twice under callgrind, with fewer and with more samples; the difference excludes everything that happens
//! once. Valgrind 3.19 has AVX2 but no AVX-512, so the count is the same on all x86-64 machines with AVX2; another compiler or
//! architecture may need its own baseline. The second part compares phases of a scene in contact with phases in silence: the
//! most expensive phase may take at most 1.5 times the instructions of the cheapest.

use percuss_scene::{Scene, parse, presets};
use std::fmt::Write;
use std::path::Path;
use std::process::{Command, ExitCode};

/// Presets in the baseline.
const PRESETS: [&str; 3] = ["string-mass-barrier", "tromba-marina", "water-gong"];
/// Maximum growth over the baseline \[%\].
const MAX_GROWTH: f64 = 5.0;
/// Maximum ratio of the most expensive to the cheapest phase of a scene.
const MAX_PHASE_RATIO: f64 = 1.5;
/// Samples of the shorter and the longer run.
const RUN_SAMPLES: [u64; 2] = [500, 2500];
const BASELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.toml");
const HINT: &str = "if the growth is intended, update the baseline: \
    cargo run --release -p percuss-scene --example instructions -- --update";

/// A time interval of a scene in one state.
struct Phase {
    name: &'static str,
    preset: &'static str,
    /// Replacements in the preset: start of a line, new line.
    changes: &'static [(&'static str, &'static str)],
    /// First and last sample.
    samples: [u64; 2],
    /// Whether there is contact.
    has_contact: bool,
}

/// The same scenes in contact, in free motion and in silence.
const PHASES: [Phase; 8] = [
    Phase {
        name: "plucked, rattling",
        preset: "string-mass-barrier",
        changes: &[],
        samples: [500, 1500],
        has_contact: true,
    },
    Phase {
        name: "pressed",
        preset: "string-mass-barrier",
        changes: &PERMANENT_CONTACT,
        samples: [500, 1500],
        has_contact: true,
    },
    Phase {
        name: "no contact",
        preset: "string-mass-barrier",
        changes: &NO_CONTACT,
        samples: [500, 1500],
        has_contact: false,
    },
    Phase {
        name: "decayed",
        preset: "string-mass-barrier",
        changes: &STRONG_DAMPING,
        samples: [30_000, 31_000],
        has_contact: false,
    },
    Phase { name: "bowed, rattling", preset: "tromba-marina", changes: &[], samples: [3000, 4000], has_contact: true },
    Phase { name: "never bowed", preset: "tromba-marina", changes: &NO_BOW, samples: [3000, 4000], has_contact: false },
    Phase { name: "ringing", preset: "water-gong", changes: &[], samples: [500, 1000], has_contact: false },
    Phase {
        name: "never struck",
        preset: "water-gong",
        changes: &[("peak = ", "peak = 0")],
        samples: [500, 1000],
        has_contact: false,
    },
];
const PERMANENT_CONTACT: [(&str, &str); 1] = [("position = ", "position = 0.5e-3")];
const NO_CONTACT: [(&str, &str); 2] =
    [("position = ", "position = -2"), ("frequency = ", "frequency = 0\nposition = -1")];
/// Damping that makes the scene silent within half a second.
const STRONG_DAMPING: [(&str, &str); 2] = [("sigma0 = ", "sigma0 = 600"), ("damping = ", "damping = 1200")];
const NO_BOW: [(&str, &str); 2] = [("force = ", "force = 0"), ("gap = ", "gap = 1e-3")];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let result = match args[..] {
        ["run", "preset", name, steps] => run(&changed_preset(name, &[]), steps),
        ["run", "phase", index, steps] => {
            phase(index).and_then(|phase| run(&changed_preset(phase.preset, phase.changes), steps))
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

/// A preset with some lines replaced.
fn changed_preset(name: &str, changes: &[(&str, &str)]) -> Scene {
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

/// Runs a scene for a number of steps; this is what callgrind counts.
fn run(scene: &Scene, steps: &str) -> Result<(), String> {
    let steps: u64 = steps.parse().map_err(|_| format!("{steps} is not a number of steps"))?;
    let mut simulation = scene.compile(scene.sample_rate).map_err(|problem| problem.to_string())?;
    (0..steps).for_each(|_| simulation.step());
    Ok(())
}

/// Instructions of a run of this program.
fn count_instructions(kind: &str, name: &str, steps: u64) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    let output = valgrind.args(["run", kind, name, &steps.to_string()]).output();
    let output = output.map_err(|error| format!("cannot run valgrind: {error}\n  hint: apt-get install valgrind"))?;
    let log = String::from_utf8_lossy(&output.stderr);
    let collected = log.lines().find_map(|line| line.split_once("Collected : "));
    let found = collected.and_then(|(_, number)| number.trim().parse().ok()).filter(|_| output.status.success());
    found.ok_or_else(|| format!("callgrind printed no count:\n{log}"))
}

/// Instructions per sample between two samples.
fn instructions_per_sample(kind: &str, name: &str, [from, to]: [u64; 2]) -> Result<f64, String> {
    Ok((count_instructions(kind, name, to)? - count_instructions(kind, name, from)?) as f64 / (to - from) as f64)
}

fn check(update: bool) -> Result<(), String> {
    let counts = PRESETS.map(|name| instructions_per_sample("preset", name, RUN_SAMPLES).map(|count| (name, count)));
    let counts = counts.into_iter().collect::<Result<Vec<_>, _>>()?;
    let grown = if update { write_baseline(&counts).map(|()| Vec::new())? } else { compare_with_baseline(&counts)? };
    let uneven = compare_phases()?;
    if grown.is_empty() && uneven.is_empty() { Ok(()) } else { Err([grown, uneven].concat().join("\n")) }
}

fn write_baseline(counts: &[(&str, f64)]) -> Result<(), String> {
    let mut text = String::from(
        "# Instructions per sample, counted by callgrind on x86-64 with AVX2; written by\n\
         # cargo run --release -p percuss-scene --example instructions -- --update\n",
    );
    for (name, count) in counts {
        println!("{name}: {count:.0} instructions per sample, written");
        writeln!(text, "{name} = {count:.0}").expect("writing to a string");
    }
    std::fs::write(Path::new(BASELINE), text).map_err(|error| format!("{BASELINE}: {error}"))
}

/// Messages about counts that have grown.
fn compare_with_baseline(counts: &[(&str, f64)]) -> Result<Vec<String>, String> {
    let text = std::fs::read_to_string(BASELINE).map_err(|error| format!("{BASELINE}: {error}"))?;
    let parse_count = |line: &str, preset: &str| line.strip_prefix(preset)?.strip_prefix(" = ")?.parse::<f64>().ok();
    let mut grown = Vec::new();
    for (name, count) in counts {
        let baseline = text.lines().find_map(|line| parse_count(line, name));
        let baseline = baseline.ok_or_else(|| format!("{BASELINE} has no count for {name}\n  hint: {HINT}"))?;
        let growth = 100.0 * (count / baseline - 1.0);
        println!("{name}: {count:.0} instructions per sample, {growth:+.1} % over the baseline");
        if growth > MAX_GROWTH {
            grown.push(format!("{name} has grown by {growth:.1} %, at most {MAX_GROWTH} % is allowed\n  hint: {HINT}"));
        }
    }
    Ok(grown)
}

/// Whether there is contact in a phase, to verify that it measures what its name says.
fn has_contact(phase: &Phase) -> Result<bool, String> {
    let scene = changed_preset(phase.preset, phase.changes);
    let mut simulation = scene.compile(scene.sample_rate).map_err(|problem| problem.to_string())?;
    (0..phase.samples[0]).for_each(|_| simulation.step());
    simulation.open_ledger();
    (phase.samples[0]..phase.samples[1]).for_each(|_| simulation.step());
    let interactions = simulation.ledger().map(|ledger| ledger.interactions.as_slice()).unwrap_or_default();
    Ok(interactions.iter().any(|interaction| interaction.contact_steps > 0))
}

/// Messages about scenes whose phases differ too much.
fn compare_phases() -> Result<Vec<String>, String> {
    let (mut uneven, mut costs) = (Vec::new(), Vec::new());
    for (index, phase) in PHASES.iter().enumerate() {
        if has_contact(phase)? != phase.has_contact {
            return Err(format!("{}, {}: contact expected: {}", phase.preset, phase.name, phase.has_contact));
        }
        let cost = instructions_per_sample("phase", &index.to_string(), phase.samples)?;
        println!("{}, {}: {cost:.0} instructions per sample", phase.preset, phase.name);
        costs.push((phase.preset, cost));
    }
    for preset in PRESETS {
        let preset_costs = costs.iter().filter(|(name, _)| *name == preset).map(|(_, cost)| *cost);
        let (min, max) = preset_costs.fold((f64::INFINITY, 0.0_f64), |(min, max), cost| (min.min(cost), max.max(cost)));
        let ratio = max / min;
        println!("{preset}: the most expensive phase costs {ratio:.2} × the cheapest");
        if ratio > MAX_PHASE_RATIO {
            uneven.push(format!("{preset}: the most expensive phase costs {ratio:.2} × the cheapest, at most {MAX_PHASE_RATIO} is allowed"));
        }
    }
    Ok(uneven)
}
