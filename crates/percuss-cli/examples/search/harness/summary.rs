//! What a search found, in numbers and in words.

use super::check::{CHECKS, Check, Figures, Finding, Outcome};
use super::draw::draw;
use super::minimise::minimise;
use percuss::Scheme;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// The worst figure of a check and the index of its scene.
type Worst = Option<(f64, u64)>;

/// A kind of failure: the check, whether the stiffness is moderate, the scheme.
type Kind = (Check, bool, &'static str);

/// A failure and where it was found.
#[derive(Clone, Debug)]
struct Failure {
    index: u64,
    finding: Finding,
    figures: Figures,
}

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    seed: u64,
    accepted: u64,
    refused: u64,
    /// Scenes of moderate stiffness, with blocks of three rows or more, and with a contact.
    moderate: u64,
    coupled: u64,
    touching: u64,
    impacts: u64,
    hits: u64,
    /// Of `tracked`, for moderate stiffness and beyond it.
    worst: [[Worst; CHECKS.len()]; 2],
    failures: BTreeMap<Kind, Vec<Failure>>,
    refusals: BTreeMap<String, u64>,
}

impl Summary {
    /// Of no scene.
    pub fn new(seed: u64) -> Self {
        Self { seed, ..Self::default() }
    }

    /// Of one scene.
    pub fn of(seed: u64, index: u64, outcome: Outcome) -> Self {
        let mut summary = Self::new(seed);
        match outcome {
            Outcome::Refused(message) => {
                summary.refused = 1;
                summary.refusals.insert(gist(&message), 1);
            }
            Outcome::Ran(figures) => summary.note(index, *figures),
        }
        summary
    }

    fn note(&mut self, index: u64, figures: Figures) {
        self.accepted = 1;
        self.moderate = figures.moderate.into();
        self.coupled = (figures.largest_block >= 3).into();
        self.touching = (figures.hits > 0).into();
        (self.impacts, self.hits) = (figures.impacts, figures.hits);
        if figures.scheme == Scheme::Tracked {
            self.worst[usize::from(!figures.moderate)] = figures.worst.map(|figure| Some((figure, index)));
        }
        for finding in figures.findings() {
            let failure = Failure { index, finding, figures: figures.clone() };
            self.failures.insert((finding.check, figures.moderate, name(figures.scheme)), vec![failure]);
        }
    }

    /// Of both.
    #[must_use]
    pub fn merge(mut self, other: Self) -> Self {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.moderate += other.moderate;
        self.coupled += other.coupled;
        self.touching += other.touching;
        self.impacts += other.impacts;
        self.hits += other.hits;
        for (own, others) in self.worst.iter_mut().flatten().zip(other.worst.into_iter().flatten()) {
            let worse = |own: (f64, u64), other: (f64, u64)| if other.0 > own.0 { other } else { own };
            *own = own.zip(others).map(|(own, other)| worse(own, other)).or(*own).or(others);
        }
        for (kind, failures) in other.failures {
            self.failures.entry(kind).or_default().extend(failures);
        }
        for (message, count) in other.refusals {
            *self.refusals.entry(message).or_default() += count;
        }
        self
    }

    /// Whether nothing failed.
    pub fn is_clean(&self) -> bool {
        self.failures.is_empty()
    }

    /// Share of the scenes that were accepted.
    pub fn accepted_share(&self) -> f64 {
        self.accepted as f64 / (self.accepted + self.refused).max(1) as f64
    }

    /// Everything in words: what was run, the worst of every check, what failed with up to `show` minimised scenes of every
    /// kind, which are also written into the folder.
    pub fn report(&self, folder: &Path, show: usize) -> String {
        let mut text = format!(
            "seed {}: {} scenes, {} accepted ({:.0} %), {} refused; {} of moderate stiffness, {} with three or more coupled rows, \
             {} with contact; {} contacts, {} impacts of lone masses\n",
            self.seed,
            self.accepted + self.refused,
            self.accepted,
            100.0 * self.accepted_share(),
            self.refused,
            self.moderate,
            self.coupled,
            self.touching,
            self.hits,
            self.impacts
        );
        self.tell_worst(&mut text);
        self.tell_refusals(&mut text);
        for (kind, failures) in &self.failures {
            self.tell_failures(&mut text, *kind, failures, folder, show);
        }
        text
    }

    fn tell_worst(&self, text: &mut String) {
        let _ = writeln!(text, "\nworst of tracked   moderate          extreme");
        for (check, name) in CHECKS {
            let cell = |class: usize| match self.worst[class][check as usize] {
                Some((figure, index)) => format!("{figure:.1e} (#{index})"),
                None => "-".to_owned(),
            };
            let _ = writeln!(text, "{name:<18} {:<17} {}", cell(0), cell(1));
        }
    }

    fn tell_refusals(&self, text: &mut String) {
        let mut refusals: Vec<_> = self.refusals.iter().collect();
        refusals.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
        if !refusals.is_empty() {
            text.push_str("\nrefused\n");
        }
        for (message, count) in refusals.into_iter().take(12) {
            let _ = writeln!(text, "{count:>6}  {message}");
        }
    }

    fn tell_failures(&self, text: &mut String, kind: Kind, failures: &[Failure], folder: &Path, show: usize) {
        let (check, moderate, scheme) = kind;
        let class = if moderate { "moderate" } else { "extreme" };
        let title = format!("{} {class} {scheme}", label(check));
        let mut failures: Vec<&Failure> = failures.iter().collect();
        failures.sort_by(|a, b| b.finding.figure.total_cmp(&a.finding.figure));
        let listed: Vec<String> = failures
            .iter()
            .take(12)
            .map(|failure| format!("#{} {:.1e}", failure.index, failure.finding.figure))
            .collect();
        let _ = writeln!(text, "\nFAILED {title}: {} scenes: {}", failures.len(), listed.join(", "));
        for failure in failures.into_iter().take(show) {
            let small = self.minimised(&title, failure, folder);
            let file = format!("{}-{}-{}.toml", self.seed, failure.index, label(check).replace(' ', "-"));
            // Where the file cannot be written the text still tells all.
            let _ = std::fs::write(folder.join(file), &small);
            let _ = writeln!(text, "\n{small}");
        }
    }

    /// The minimised scene of a failure, headed by what it shows.
    fn minimised(&self, title: &str, failure: &Failure, folder: &Path) -> String {
        let Failure { index, finding, figures } = failure;
        let small = minimise(&draw(self.seed, *index), figures, *finding, folder);
        let now = match super::check::run(&small, folder) {
            Outcome::Ran(figures) => *figures,
            Outcome::Refused(_) => figures.clone(),
        };
        let said = now.panic.as_ref().map_or_else(String::new, |said| format!(", {said:?}"));
        format!(
            "# {title}: {:.3e} ({:.3e} before it was minimised), at most {:.0e}{said}\n\
             # largest block {}, contacts {}; drawn by --seed {} --from {index} --scenes 1\n{small}",
            now.worst[finding.check as usize], finding.figure, finding.limit, now.largest_block, now.hits, self.seed
        )
    }
}

fn label(check: Check) -> &'static str {
    CHECKS[check as usize].1
}

fn name(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Plain => "plain",
        Scheme::Tracked => "tracked",
        Scheme::Newton => "newton",
    }
}

/// A message without its place, its hint and its numbers: refusals are counted by kind.
fn gist(message: &str) -> String {
    let line = message.lines().next().unwrap_or_default();
    let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
    let line = line.split_once(": ").map_or(line, |(_, rest)| rest);
    let words = line.split(' ').filter(|word| !word.contains(|c: char| c.is_ascii_digit()));
    words.collect::<Vec<_>>().join(" ")
}
