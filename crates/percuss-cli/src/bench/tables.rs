//! Results as tables, for the terminal or in Markdown.

use super::BenchResults;
use super::realtime::{BLOCK_SAMPLES, BLOCK_TIMING_RUNS};
use crate::format::{byte_count, four_digits, si, table};
use crate::markdown;

/// A table with a title and a note.
struct BenchTable {
    title: String,
    note: String,
    /// The first row is the header.
    rows: Vec<Vec<String>>,
}

impl BenchTable {
    fn new(title: &str, note: impl Into<String>, header: &[&str]) -> Self {
        Self { title: title.into(), note: note.into(), rows: vec![header.iter().map(|cell| (*cell).into()).collect()] }
    }

    fn with_rows(mut self, rows: impl Iterator<Item = Vec<String>>) -> Self {
        self.rows.extend(rows);
        self
    }

    fn text(&self) -> String {
        format!("{}\n{}\n{}", self.title, self.note, table(&self.rows))
    }

    fn markdown(&self) -> String {
        format!("### {}\n\n{}\n\n{}", self.title, self.note, markdown::table(&self.rows))
    }
}

/// All tables for the terminal.
pub fn text(bench: &BenchResults) -> String {
    all_tables(bench).iter().map(BenchTable::text).collect::<Vec<_>>().join("\n")
}

/// All tables in Markdown.
pub fn markdown(bench: &BenchResults) -> String {
    all_tables(bench).iter().map(BenchTable::markdown).collect::<Vec<_>>().join("\n")
}

fn all_tables(bench: &BenchResults) -> Vec<BenchTable> {
    let mut all = vec![baselines(bench), plates(bench), nonlinear(bench), presets(bench), coarse(bench)];
    all.extend([modal(bench), contacts(bench), voices(bench), blocks(bench), threads(bench)]);
    all
}

fn size([nx, ny]: [usize; 2]) -> String {
    format!("{nx} × {ny}")
}

fn ns(value: f64) -> String {
    si(value * 1e-9, "s")
}

fn baselines(bench: &BenchResults) -> BenchTable {
    let note =
        "Baseline: a plain plate update, 13 + 5 points, vectors of four lanes. Limit: two arrays read, one written.";
    BenchTable::new("Baseline and limit", note, &["nodes", "baseline/node", "limit/node", "bandwidth"]).with_rows(
        bench.baselines.iter().map(|baseline| {
            let times = [baseline.ns_per_node, baseline.limit_ns_per_node].map(ns);
            [size(baseline.size), times[0].clone(), times[1].clone(), si(baseline.bandwidth(), "B/s")].into()
        }),
    )
}

fn plates(bench: &BenchResults) -> BenchTable {
    let note = "Time per node, and speed relative to the baseline, which has no touch. Plates with simply supported edges \
                and no touch are stepped in their modes unless stated otherwise, all others in their nodes.";
    let header = ["nodes", "edges", "no touch", "× baseline", "changing touch", "× baseline", "limit"];
    let limit = |of: [usize; 2]| bench.baselines.iter().find(|baseline| baseline.size == of);
    BenchTable::new("Plates, f64", note, &header).with_rows(bench.plates.chunks(2).map(|pair| {
        let mut row = vec![size(pair[0].size), pair[0].edges.into()];
        row.extend(pair.iter().flat_map(|plate| [ns(plate.ns_per_node), format!("{:.2}", plate.speed_over_baseline)]));
        row.extend(limit(pair[0].size).map(|baseline| ns(baseline.limit_ns_per_node)));
        row
    }))
}

fn nonlinear(bench: &BenchResults) -> BenchTable {
    let note = "Plates stretched by bending, supported or, if round, free; interior nodes. Time per sample without the ledger, with \
                and without stretching, and as a share of the period at 44.1 kHz.";
    let header = ["plate", "moving nodes", "per sample", "without stretching", "of the period"];
    BenchTable::new("Nonlinear plates", note, &header).with_rows(bench.nonlinear.iter().map(|timing| {
        let [stretched, linear] = timing.ns_per_sample;
        let share = format!("{:.0} %", 100.0 * stretched * 1e-9 * 44_100.0);
        vec![timing.plate.name(), timing.nodes.to_string(), ns(stretched), ns(linear), share]
    }))
}

fn presets(bench: &BenchResults) -> BenchTable {
    let note = "Time per sample without and with the ledger, and speed relative to real time (without).";
    let header = ["preset", "nodes", "per sample", "with ledger", "× real time", "compile", "memory"];
    BenchTable::new("Presets", note, &header).with_rows(bench.presets.iter().map(|preset| {
        let memory = preset.bytes.map_or_else(|| "–".into(), |count| byte_count(count as u64));
        let times = [preset.ns_per_sample, preset.ns_with_ledger].map(ns);
        let mut row = vec![preset.name.into(), preset.nodes.to_string()];
        row.extend(times);
        row.extend([four_digits(preset.realtime_factor()), ns(preset.compile_ns), memory]);
        row
    }))
}

fn coarse(bench: &BenchResults) -> BenchTable {
    let note = "String of 226 points, body of 130 × 13 nodes, bowed; compared with the baseline for the body alone.";
    let header = ["per sample", "baseline, body", "ratio"];
    let [instrument, body] = bench.coarse_tromba;
    let row = vec![ns(instrument), ns(body), format!("{:.2}", instrument / body)];
    BenchTable::new("Tromba marina on a coarse grid", note, &header).with_rows(std::iter::once(row))
}

fn modal(bench: &BenchResults) -> BenchTable {
    let note =
        "A mass strikes a modal element: time per sample with exponent 1.5, and with 1.3, which has no special case.";
    let header = ["modes", "in contact", "exponent 1.3", "in flight"];
    BenchTable::new("Impacts on modes", note, &header).with_rows(bench.modal.iter().map(|modal| {
        let times = [modal.ns_per_sample, modal.ns_general_exponent, modal.ns_in_flight].map(ns);
        std::iter::once(modal.modes.to_string()).chain(times).collect()
    }))
}

fn contacts(bench: &BenchResults) -> BenchTable {
    let note = "Time per sample of independent masses on a barrier, and of a string on a barrier with as many nodes in contact.";
    let header = ["contacts", "independent", "per contact", "along a string", "per contact"];
    BenchTable::new("Contacts", note, &header).with_rows(bench.contacts.iter().map(|timing| {
        let each = |time: f64| [ns(time), ns(time / timing.contacts as f64)];
        let times = [timing.ns_independent, timing.ns_along_string].into_iter().flat_map(each);
        std::iter::once(timing.contacts.to_string()).chain(times).collect()
    }))
}

fn voices(bench: &BenchResults) -> BenchTable {
    let note =
        format!("Tromba marinas on one core that finish 99.9 % of their blocks of {BLOCK_SAMPLES} samples in time.");
    BenchTable::new("Voices", note, &["sample rate", "voices"])
        .with_rows(bench.voices.iter().map(|voices| vec![si(voices.rate, "Hz"), voices.voices.to_string()]))
}

fn blocks(bench: &BenchResults) -> BenchTable {
    let note = format!(
        "CPU time of blocks of {BLOCK_SAMPLES} samples, from the start until long after the sound has decayed: of every block \
         the shortest of {BLOCK_TIMING_RUNS} runs. The last two columns are the 99.9 %/median of the run with the smallest one, and of a \
         synthetic load of the same median."
    );
    let header = ["preset", "samples", "median", "99.9 %", "max", "99.9 %/median", "best run", "synthetic load"];
    BenchTable::new("Block times", note, &header).with_rows(bench.blocks.iter().map(|blocks| {
        let mut row = vec![blocks.name.into(), blocks.samples.to_string()];
        row.extend([blocks.fastest.median_ns, blocks.fastest.p999_ns, blocks.fastest.max_ns].map(ns));
        row.extend(
            [&blocks.fastest, &blocks.best_run, &blocks.synthetic_load].map(|it| format!("{:.2}", it.tail_ratio())),
        );
        row
    }))
}

fn threads(bench: &BenchResults) -> BenchTable {
    let note =
        "Four tromba marinas per thread, stepped in parallel: samples of all of them per second of wall-clock time.";
    let header = ["threads", "samples/s", "× one thread"];
    let one = bench.threads.first().map_or(f64::NAN, |threads| threads.samples_per_second);
    BenchTable::new("Batches", note, &header).with_rows(bench.threads.iter().map(|threads| {
        let rate = threads.samples_per_second;
        vec![threads.threads.to_string(), format!("{:.3} million", rate * 1e-6), format!("{:.2}", rate / one)]
    }))
}
