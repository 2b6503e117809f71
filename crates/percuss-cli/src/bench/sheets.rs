//! The measured figures as tables, for a terminal or for a document.

use super::Bench;
use super::realtime::{BLOCK, RUNS};
use crate::format::{bytes, digits, si, table};

/// A table with a heading and what is to be known about it.
struct Sheet {
    title: String,
    note: String,
    /// The first row is the head.
    rows: Vec<Vec<String>>,
}

impl Sheet {
    fn new(title: &str, note: impl Into<String>, head: &[&str]) -> Self {
        Self { title: title.into(), note: note.into(), rows: vec![head.iter().map(|cell| (*cell).into()).collect()] }
    }

    fn with(mut self, rows: impl Iterator<Item = Vec<String>>) -> Self {
        self.rows.extend(rows);
        self
    }

    fn text(&self) -> String {
        format!("{}\n{}\n{}", self.title, self.note, table(&self.rows))
    }

    fn markdown(&self) -> String {
        let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
        let rule = "|---".repeat(self.rows[0].len()) + "|\n";
        let body: String = self.rows[1..].iter().map(|row| line(row)).collect();
        format!("### {}\n\n{}\n\n{}{rule}{body}", self.title, self.note, line(&self.rows[0]))
    }
}

/// For people at a terminal.
pub fn text(bench: &Bench) -> String {
    sheets(bench).iter().map(Sheet::text).collect::<Vec<_>>().join("\n")
}

/// For a document.
pub fn markdown(bench: &Bench) -> String {
    sheets(bench).iter().map(Sheet::markdown).collect::<Vec<_>>().join("\n")
}

fn sheets(bench: &Bench) -> Vec<Sheet> {
    let mut all = vec![references(bench), plates(bench), presets(bench), coarse(bench), modal(bench), contacts(bench)];
    all.extend([voices(bench), blocks(bench), threads(bench)]);
    all
}

fn size([nx, ny]: [usize; 2]) -> String {
    format!("{nx} × {ny}")
}

fn ns(value: f64) -> String {
    si(value * 1e-9, "s")
}

fn references(bench: &Bench) -> Sheet {
    let note = "Yardstick: a plain plate update, 13 + 5 points, vectors of four. Limit: two fields read, one written.";
    Sheet::new("Yardstick and limit", note, &["nodes", "yardstick/node", "limit/node", "bandwidth"]).with(
        bench.references.iter().map(|reference| {
            let times = [reference.ns_per_node, reference.limit_ns_per_node].map(ns);
            [size(reference.size), times[0].clone(), times[1].clone(), si(reference.bandwidth(), "B/s")].into()
        }),
    )
}

fn plates(bench: &Bench) -> Sheet {
    let note = "Time per node and, behind it, how many times as fast as the yardstick, which has no layer. Bare plates with simply \
                supported edges are stepped in their modes unless it says otherwise, all others in their nodes.";
    let head = ["nodes", "edges", "bare", "× yardstick", "moving layer", "× yardstick", "limit"];
    let limit = |of: [usize; 2]| bench.references.iter().find(|reference| reference.size == of);
    Sheet::new("Plates, f64", note, &head).with(bench.plates.chunks(2).map(|pair| {
        let mut row = vec![size(pair[0].size), pair[0].edges.into()];
        row.extend(pair.iter().flat_map(|plate| [ns(plate.ns_per_node), format!("{:.2}", plate.speed)]));
        row.extend(limit(pair[0].size).map(|reference| ns(reference.limit_ns_per_node)));
        row
    }))
}

fn presets(bench: &Bench) -> Sheet {
    let note = "Time per sample without and with the ledger, and how many times faster than it sounds (without).";
    let head = ["preset", "nodes", "per sample", "with ledger", "real time ×", "compile", "memory"];
    Sheet::new("Presets", note, &head).with(bench.presets.iter().map(|preset| {
        let memory = preset.bytes.map_or_else(|| "–".into(), |count| bytes(count as u64));
        let times = [preset.ns_per_sample, preset.ns_with_ledger].map(ns);
        let mut row = vec![preset.name.into(), preset.nodes.to_string()];
        row.extend(times);
        row.extend([digits(preset.realtime_factor()), ns(preset.compile_ns), memory]);
        row
    }))
}

fn coarse(bench: &Bench) -> Sheet {
    let note = "String of 226 points, body of 130 × 13 nodes, bowed; beside the yardstick's time for the body alone.";
    let head = ["per sample", "yardstick's body", "ratio"];
    let [whole, body] = bench.coarse_tromba;
    let row = vec![ns(whole), ns(body), format!("{:.2}", whole / body)];
    Sheet::new("Tromba marina on a coarse grid", note, &head).with(std::iter::once(row))
}

fn modal(bench: &Bench) -> Sheet {
    let note = "A mass strikes a bank of modes: time per sample, exponent 1.5, or 1.3 for which there is no short cut.";
    let head = ["modes", "in contact", "exponent 1.3", "in flight"];
    Sheet::new("Impacts on modes", note, &head).with(bench.modal.iter().map(|modal| {
        let times = [modal.ns_per_sample, modal.ns_any_exponent, modal.ns_in_flight].map(ns);
        std::iter::once(modal.modes.to_string()).chain(times).collect()
    }))
}

fn contacts(bench: &Bench) -> Sheet {
    let note = "Time per sample of balls on floors of their own, and of a string lying on a floor with so many nodes.";
    let head = ["contacts", "apart", "per contact", "along a string", "per contact"];
    Sheet::new("Contacts", note, &head).with(bench.contacts.iter().map(|figure| {
        let each = |time: f64| [ns(time), ns(time / figure.contacts as f64)];
        let times = [figure.ns_apart, figure.ns_along].into_iter().flat_map(each);
        std::iter::once(figure.contacts.to_string()).chain(times).collect()
    }))
}

fn voices(bench: &Bench) -> Sheet {
    let note = format!("Tromba marinas on one core that finish 99.9 % of their blocks of {BLOCK} samples in time.");
    Sheet::new("Voices", note, &["sample rate", "voices"])
        .with(bench.voices.iter().map(|voices| vec![si(voices.rate, "Hz"), voices.voices.to_string()]))
}

fn blocks(bench: &Bench) -> Sheet {
    let note = format!(
        "Time of {BLOCK} samples, from the first until long after all has died away: of every block the shortest of {RUNS} runs. \
         Behind it, what the machine makes of the most even one of these runs, and of plain work that is as long."
    );
    let head = ["preset", "samples", "median", "99.9 %", "longest", "99.9 %/median", "in one run", "plain work"];
    Sheet::new("Evenness", note, &head).with(bench.blocks.iter().map(|blocks| {
        let mut row = vec![blocks.name.into(), blocks.samples.to_string()];
        row.extend([blocks.own.median_ns, blocks.own.p999_ns, blocks.own.max_ns].map(ns));
        row.extend([&blocks.own, &blocks.one_run, &blocks.plain_work].map(|it| format!("{:.2}", it.unevenness())));
        row
    }))
}

fn threads(bench: &Bench) -> Sheet {
    let note =
        "Four tromba marinas a thread, stepped together: samples of all of them in a second of time that passes.";
    let head = ["threads", "samples/s", "× one thread"];
    let one = bench.threads.first().map_or(f64::NAN, |threads| threads.samples_per_second);
    Sheet::new("Batches", note, &head).with(bench.threads.iter().map(|threads| {
        let rate = threads.samples_per_second;
        vec![threads.threads.to_string(), format!("{:.3} million", rate * 1e-6), format!("{:.2}", rate / one)]
    }))
}
