//! Summary of a search, and its report.

use super::check::{CHECKS, RunResult, SceneCheck, SceneOutcome, Violation};
use super::generate::generate_scene;
use super::minimise::minimise;
use percuss::Scheme;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// Largest value of a check, and the index of its scene.
type Worst = Option<(f64, u64)>;

/// Kind of failure: check, whether the stiffness is moderate, scheme.
type FailureKind = (SceneCheck, bool, &'static str);

/// A scene that failed a check.
#[derive(Clone, Debug)]
struct FailedScene {
    index: u64,
    violation: Violation,
    result: RunResult,
}

/// Summary of a search.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    seed: u64,
    accepted: u64,
    rejected: u64,
    /// Scenes of moderate stiffness, with blocks of three rows or more, and with a contact.
    moderate: u64,
    coupled: u64,
    with_contact: u64,
    impacts: u64,
    hits: u64,
    /// Largest values under `tracked`, for moderate and for extreme stiffness.
    worst: [[Worst; CHECKS.len()]; 2],
    failures: BTreeMap<FailureKind, Vec<FailedScene>>,
    rejections: BTreeMap<String, u64>,
}

impl Summary {
    /// Summary of no scene.
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// Summary of one scene.
    pub fn of_scene(seed: u64, index: u64, outcome: SceneOutcome) -> Self {
        let mut summary = Self::new(seed);
        match outcome {
            SceneOutcome::Rejected(message) => {
                summary.rejected = 1;
                summary.rejections.insert(message_kind(&message), 1);
            }
            SceneOutcome::Completed(result) => summary.record(index, *result),
        }
        summary
    }

    fn record(&mut self, index: u64, result: RunResult) {
        self.accepted = 1;
        self.moderate = result.moderate.into();
        self.coupled = (result.largest_block >= 3).into();
        self.with_contact = (result.hits > 0).into();
        (self.impacts, self.hits) = (result.impacts, result.hits);
        if result.scheme == Scheme::Tracked {
            self.worst[usize::from(!result.moderate)] = result.worst.map(|value| Some((value, index)));
        }
        for violation in result.violations() {
            let failure = FailedScene { index, violation, result: result.clone() };
            self.failures.insert((violation.check, result.moderate, name(result.scheme)), vec![failure]);
        }
    }

    /// Summary of both.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.accepted += other.accepted;
        self.rejected += other.rejected;
        self.moderate += other.moderate;
        self.coupled += other.coupled;
        self.with_contact += other.with_contact;
        self.impacts += other.impacts;
        self.hits += other.hits;
        for (own, others) in self.worst.iter_mut().flatten().zip(other.worst.into_iter().flatten()) {
            let worse = |own: (f64, u64), other: (f64, u64)| if other.0 > own.0 { other } else { own };
            *own = own.zip(others).map(|(own, other)| worse(own, other)).or(*own).or(others);
        }
        for (kind, failures) in other.failures {
            self.failures.entry(kind).or_default().extend(failures);
        }
        for (message, count) in other.rejections {
            *self.rejections.entry(message).or_default() += count;
        }
        self
    }

    /// Whether nothing failed.
    pub fn is_clean(&self) -> bool {
        self.failures.is_empty()
    }

    /// Share of accepted scenes.
    pub fn accepted_share(&self) -> f64 {
        self.accepted as f64 / (self.accepted + self.rejected).max(1) as f64
    }

    /// Report as text: counts, largest values of all checks, and failures with up to `show` minimised scenes per kind, which are
    /// also written into the folder.
    pub fn report(&self, folder: &Path, show: usize) -> String {
        let mut text = format!(
            "seed {}: {} scenes, {} accepted ({:.0} %), {} rejected; {} of moderate stiffness, {} with three or more coupled rows, \
             {} with contact; {} contacts, {} impacts of isolated masses\n",
            self.seed,
            self.accepted + self.rejected,
            self.accepted,
            100.0 * self.accepted_share(),
            self.rejected,
            self.moderate,
            self.coupled,
            self.with_contact,
            self.hits,
            self.impacts
        );
        self.write_worst(&mut text);
        self.write_rejections(&mut text);
        for (kind, failures) in &self.failures {
            self.write_failures(&mut text, *kind, failures, folder, show);
        }
        text
    }

    fn write_worst(&self, text: &mut String) {
        let _ = writeln!(text, "\nworst of tracked   moderate          extreme");
        for (check, name) in CHECKS {
            let cell = |class: usize| match self.worst[class][check as usize] {
                Some((value, index)) => format!("{value:.1e} (#{index})"),
                None => "-".to_owned(),
            };
            let _ = writeln!(text, "{name:<18} {:<17} {}", cell(0), cell(1));
        }
    }

    fn write_rejections(&self, text: &mut String) {
        let mut rejections: Vec<_> = self.rejections.iter().collect();
        rejections.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        if !rejections.is_empty() {
            text.push_str("\nrejected\n");
        }
        for (message, count) in rejections.into_iter().take(12) {
            let _ = writeln!(text, "{count:>6}  {message}");
        }
    }

    fn write_failures(
        &self,
        text: &mut String,
        kind: FailureKind,
        failures: &[FailedScene],
        folder: &Path,
        show: usize,
    ) {
        let (check, moderate, scheme) = kind;
        let class = if moderate { "moderate" } else { "extreme" };
        let title = format!("{} {class} {scheme}", label(check));
        let mut failures: Vec<&FailedScene> = failures.iter().collect();
        failures.sort_by(|a, b| b.violation.value.total_cmp(&a.violation.value));
        let listed: Vec<String> = failures
            .iter()
            .take(12)
            .map(|failure| format!("#{} {:.1e}", failure.index, failure.violation.value))
            .collect();
        let _ = writeln!(text, "\nFAILED {title}: {} scenes: {}", failures.len(), listed.join(", "));
        for failure in failures.into_iter().take(show) {
            let small = self.minimised(&title, failure, folder);
            let file = format!("{}-{}-{}.toml", self.seed, failure.index, label(check).replace(' ', "-"));
            // Ignored: the report contains the scene too.
            let _ = std::fs::write(folder.join(file), &small);
            let _ = writeln!(text, "\n{small}");
        }
    }

    /// The minimised scene of a failure, with a comment that describes it.
    fn minimised(&self, title: &str, failure: &FailedScene, folder: &Path) -> String {
        let FailedScene { index, violation, result } = failure;
        let small = minimise(&generate_scene(self.seed, *index), result, *violation, folder);
        let now = match super::check::run(&small, folder) {
            SceneOutcome::Completed(result) => *result,
            SceneOutcome::Rejected(_) => result.clone(),
        };
        let panic_text = now.panic.as_ref().map_or_else(String::new, |panic_text| format!(", {panic_text:?}"));
        format!(
            "# {title}: {:.3e} ({:.3e} before it was minimised), at most {:.0e}{panic_text}\n\
             # largest block {}, contacts {}; drawn by --seed {} --from {index} --scenes 1\n{small}",
            now.worst[violation.check as usize],
            violation.value,
            violation.limit,
            now.largest_block,
            now.hits,
            self.seed
        )
    }
}

fn label(check: SceneCheck) -> &'static str {
    CHECKS[check as usize].1
}

fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Plain => "plain",
        Scheme::Tracked => "tracked",
        Scheme::Newton => "newton",
    }
}

/// A message without its position, hint and numbers, so that rejections can be counted by kind.
fn message_kind(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
    let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
    let words = line.split(' ').filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ")
}
