//! Pitch instead of a dimension: `pitch = "A3"` sets the tension of a string or membrane, the length or thickness of a bar, the
//! thickness of a plate, so that the first partial has this frequency.
//!
//! Partial     in continuous time, with damping: ω_d² = ω² − σ². Rigid and pendulum motions do not count
//! Search      by secants over logarithms, the first by the power law of the dimension, which is exact but for stiffness under tension and
//!             damping; else by false position between two values of the dimension (Illinois: the end that stays counts half): over
//!             the tension the square of the frequency is close to a straight line, over length and thickness its logarithm is one
//! Reference   Dowell and Jarratt (1971), BIT 11

use crate::limits::{ValueLimits, format_number, round_down, round_up, unit_suffix};
use crate::losses::Losses;
use crate::partials::first_of_line;
use crate::scene_builder::SceneBuilder;
use crate::score::pitch::note_frequency;
use crate::table_reader::TableReader;
use crate::waves::Waves;
use percuss::{Element, End, Method, Model, Plate};
use std::f64::consts::{PI, TAU};

const PITCH_LIMITS: ValueLimits = ValueLimits::new(1.0, 2e4, "Hz");
/// Rough frequencies outside this are far enough from any pitch to be taken as they are \[Hz\].
const SOLVED_RANGE: (f64, f64) = (1e-3, 1e7);
/// Smallest tension that is tried: that of a flexible string cannot be 0 \[N, N/m\].
const LEAST_TENSION: f64 = 1e-9;
/// Smallest TL²/EI of a stiff string that is clamped and free, with a margin: the engine knows no partials below.
const LEAST_PULL: f64 = 1.01e-2;
/// Smallest TL²/EI of one that can turn and has a free end: below, its first mode is a pendulum motion.
const LEAST_PULL_OF_PENDULUM: f64 = 100.0;
/// Most steps of the search; five to ten are usual.
const MAX_STEPS: usize = 200;
/// Most secants over logarithms; two to five are usual.
const POWER_LAW_STEPS: usize = 8;
/// Sample rate at which the engine finds the first partial of a plate, over its rough frequency: high enough for the accuracy of its shapes
/// next to corners. Membranes have more modes and smoother ones.
const RATE_PER_PITCH: f64 = 50.0;
const RATE_PER_PITCH_OF_MEMBRANE: f64 = 12.0;
/// Accuracy of the frequency that ends the search, and the worst that is accepted.
const ACCURACY: f64 = 1e-13;
const WORST_ACCURACY: f64 = 1e-10;

/// A dimension that a pitch can set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dimension {
    Tension,
    Length,
    Thickness,
}

/// What a pitch has set.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Tuning {
    /// Id of the element.
    pub element: String,
    /// Field of its table: `tension`, `length` or `thickness`.
    pub field: &'static str,
    /// Value of the field.
    pub value: f64,
    /// Unit of the value.
    pub unit: &'static str,
    /// The pitch, as in `A3 (220 Hz)`.
    pub pitch: String,
}

/// The field `pitch` of an element, and the dimension that it sets.
#[derive(Clone, Debug)]
pub(crate) struct Pitch {
    /// \[Hz\].
    frequency: f64,
    /// As it is shown in messages.
    shown: String,
    dimension: Dimension,
    limits: ValueLimits,
}

/// Why a pitch has no solution.
enum NoSolution {
    /// The engine does not know the partials.
    Unknown,
    /// At the value that is nearest, the first partial has this frequency.
    OutOfReach { value: f64, frequency: f64 },
}

impl Dimension {
    pub fn field(self) -> &'static str {
        match self {
            Self::Tension => "tension",
            Self::Length => "length",
            Self::Thickness => "thickness",
        }
    }

    fn set(self, element: &Element, value: f64) -> Element {
        let mut element = element.clone();
        let field = match (&mut element, self) {
            (Element::String(string), Self::Tension) => &mut string.tension,
            (Element::Bar(bar), Self::Length) => &mut bar.length,
            (Element::Bar(bar), Self::Thickness) => &mut bar.thickness,
            (Element::Plate(plate), Self::Tension) => &mut plate.tension,
            (Element::Plate(plate), Self::Thickness) => &mut plate.thickness,
            _ => return element,
        };
        *field = value;
        element
    }

    /// p of f ∝ xᵖ, for a flexible string or membrane, a bar, a plate.
    fn power(self) -> f64 {
        match self {
            Self::Tension => 0.5,
            Self::Length => -2.0,
            Self::Thickness => 1.0,
        }
    }

    /// Coordinates in which the frequency is close to a straight line over the dimension.
    fn coordinates(self, value: f64, frequency: f64) -> [f64; 2] {
        match self {
            Self::Tension => [value, frequency * frequency],
            Self::Length | Self::Thickness => [value.ln(), frequency.max(f64::MIN_POSITIVE).ln()],
        }
    }

    /// The value of a coordinate.
    fn value(self, coordinate: f64) -> f64 {
        match self {
            Self::Tension => coordinate,
            Self::Length | Self::Thickness => coordinate.exp(),
        }
    }
}

impl Pitch {
    /// Reads `pitch`, which sets the one of some dimensions that the table does not have.
    pub fn read(table: &TableReader<'_>, rate: f64, dimensions: &[(Dimension, ValueLimits)]) -> Option<Self> {
        let (frequency, shown) = read_frequency(table)?;
        if frequency >= 0.5 * rate {
            let message = format!(
                "{}.pitch is {shown}, must be below half the sample rate, {} Hz",
                table.kind,
                format_number(0.5 * rate)
            );
            table.report("pitch", message, Some("raise sample_rate in [scene]".to_owned()));
        }
        let names = |with: &str| {
            let names: Vec<_> = dimensions.iter().map(|(dimension, _)| dimension.field()).collect();
            names.join(with)
        };
        let open: Vec<_> = dimensions.iter().filter(|(dimension, _)| !table.has(dimension.field())).collect();
        let (message, hint) = match open[..] {
            [&(dimension, limits)] => return Some(Self { frequency, shown, dimension, limits }),
            [] => (
                format!("{} has a {} and a pitch", table.kind, names(", a ")),
                format!("remove {}: it follows from the pitch", names(" or ")),
            ),
            _ => (
                format!("{} has a pitch, but neither {}", table.kind, names(" nor ")),
                format!("give {}: the other follows from the pitch", names(" or ")),
            ),
        };
        table.report("pitch", message, Some(hint));
        None
    }

    /// A dimension of a table: required, unless the pitch sets it.
    pub fn read_dimension(
        pitch: Option<&Self>,
        table: &TableReader<'_>,
        (dimension, limits): (Dimension, ValueLimits),
        example: &str,
    ) -> f64 {
        match pitch {
            Some(pitch) if pitch.dimension == dimension => pitch.limits.max,
            // An error about the pitch itself was reported; another about the dimension would mislead.
            None if table.has("pitch") => table.number_or(dimension.field(), limits, limits.max),
            _ => table.required_number(dimension.field(), limits, example),
        }
    }

    /// The dimension with which the first partial has this pitch.
    fn solve(&self, element: &Element, losses: &Losses, rate: f64) -> Result<f64, NoSolution> {
        let first = |value: f64| {
            let element = losses.apply(self.dimension.set(element, value));
            first_partial(&element, rate).ok_or(NoSolution::Unknown)
        };
        let most = self.limits.max;
        let least = self.least(element).min(most);
        let rough = self.rough_solution(element).clamp(least, most);
        if let Some(found) = self.by_power_law(rough, [least, most], first)? {
            return Ok(found);
        }
        // Rough solutions are within a factor of 16; beyond that, the ends of the range are tried.
        let inner = [(rough / 16.0).max(least), (16.0 * rough).min(most)];
        let mut ends = [(inner[0], first(inner[0])?), (inner[1], first(inner[1])?)];
        let is_rising = self.dimension != Dimension::Length;
        let is_beyond = |end: usize, frequency: f64| ((end == 0) == is_rising) == (frequency > self.frequency);
        for (end, limit) in [least, most].into_iter().enumerate() {
            if is_beyond(end, ends[end].1) && ends[end].0 != limit {
                ends[end] = (limit, first(limit)?);
            }
            let (value, frequency) = ends[end];
            if (frequency / self.frequency - 1.0).abs() < WORST_ACCURACY {
                return Ok(value);
            }
            if is_beyond(end, frequency) {
                return Err(NoSolution::OutOfReach { value, frequency });
            }
        }
        let found = self.false_position(ends, first)?;
        let frequency = first(found)?;
        let is_accurate = (frequency / self.frequency - 1.0).abs() < WORST_ACCURACY;
        if is_accurate { Ok(found) } else { Err(NoSolution::OutOfReach { value: found, frequency }) }
    }

    /// The solution by secants over the logarithms of dimension and frequency, the first by the power law of the dimension; `None` where
    /// they do not converge soon.
    fn by_power_law(
        &self,
        start: f64,
        [least, most]: [f64; 2],
        first: impl Fn(f64) -> Result<f64, NoSolution>,
    ) -> Result<Option<f64>, NoSolution> {
        let law = self.dimension.power();
        let (mut value, mut power) = (start, law);
        let mut frequency = first(value)?;
        for _ in 0..POWER_LAW_STEPS {
            if (frequency / self.frequency - 1.0).abs() < ACCURACY {
                break;
            }
            let next = (value * (self.frequency / frequency).powf(power.recip())).clamp(least, most);
            let next_frequency = first(next)?;
            let secant = (next_frequency / frequency).ln() / (next / value).ln();
            power = if (0.05..20.0).contains(&(secant / law)) { secant } else { law };
            (value, frequency) = (next, next_frequency);
        }
        let is_accurate = (frequency / self.frequency - 1.0).abs() < WORST_ACCURACY;
        Ok(is_accurate.then_some(value))
    }

    fn false_position(
        &self,
        ends: [(f64, f64); 2],
        first: impl Fn(f64) -> Result<f64, NoSolution>,
    ) -> Result<f64, NoSolution> {
        let target = self.dimension.coordinates(1.0, self.frequency)[1];
        let point = |(value, frequency): (f64, f64)| {
            let [x, y] = self.dimension.coordinates(value, frequency);
            [x, y - target]
        };
        let [mut a, mut b] = ends.map(point);
        for _ in 0..MAX_STEPS {
            let x = (a[0] * b[1] - b[0] * a[1]) / (b[1] - a[1]);
            let frequency = first(self.dimension.value(x))?;
            let next = point((self.dimension.value(x), frequency));
            if (frequency / self.frequency - 1.0).abs() < ACCURACY || next[0] == a[0] || next[0] == b[0] {
                return Ok(self.dimension.value(x));
            }
            if (next[1] > 0.0) == (b[1] > 0.0) {
                a[1] *= 0.5;
            } else {
                a = b;
            }
            b = next;
        }
        Ok(self.dimension.value(b[0]))
    }

    /// Smallest value of the dimension that is tried.
    fn least(&self, element: &Element) -> f64 {
        match (self.dimension, element) {
            (Dimension::Tension, Element::String(string)) if string.ends.contains(&End::Free) => {
                let bending = string.youngs_modulus * PI * string.radius.powi(4) / 4.0;
                let pull = if string.ends.contains(&End::Clamped) { LEAST_PULL } else { LEAST_PULL_OF_PENDULUM };
                (pull * bending / string.length.powi(2)).max(LEAST_TENSION)
            }
            (Dimension::Tension, _) => self.limits.min.max(LEAST_TENSION),
            (Dimension::Length | Dimension::Thickness, _) => self.limits.min,
        }
    }

    /// The dimension for the rough frequency.
    fn rough_solution(&self, element: &Element) -> f64 {
        let (mut low, mut high) = (self.least(element).ln(), self.limits.max.ln());
        let is_rising = self.dimension != Dimension::Length;
        for _ in 0..50 {
            let middle = 0.5 * (low + high);
            let frequency = rough(&self.dimension.set(element, middle.exp())).unwrap_or(0.0);
            if (frequency < self.frequency) == is_rising { low = middle } else { high = middle }
        }
        low.exp()
    }
}

/// The element with the dimension that its pitch sets, and its losses; reports what cannot be.
pub(crate) fn finish(
    table: &TableReader<'_>,
    builder: &mut SceneBuilder<'_>,
    pitch: Option<&Pitch>,
    losses: &Losses,
    element: impl Into<Element>,
) -> Element {
    let element = element.into();
    let Some(pitch) = pitch.filter(|_| table.is_valid()) else { return losses.finish(table, element) };
    if builder.is_out_of_time() {
        builder.untuned.push(table.string("id").unwrap_or_default().to_owned());
        return losses.finish(table, pitch.dimension.set(&element, pitch.rough_solution(&element)));
    }
    match pitch.solve(&element, losses, builder.sample_rate) {
        Ok(value) => {
            let tuning = Tuning {
                element: table.string("id").unwrap_or_default().to_owned(),
                field: pitch.dimension.field(),
                value,
                unit: pitch.limits.unit,
                pitch: pitch.shown.clone(),
            };
            builder.tunings.push(tuning);
            losses.finish(table, pitch.dimension.set(&element, value))
        }
        Err(reason) => {
            report_no_solution(table, pitch, reason);
            element
        }
    }
}

fn report_no_solution(table: &TableReader<'_>, pitch: &Pitch, reason: NoSolution) {
    let Pitch { shown, dimension, limits, frequency: wanted, .. } = pitch;
    let (kind, field) = (table.kind, dimension.field());
    let (message, hint) = match reason {
        NoSolution::Unknown => (
            format!("{kind}.pitch is {shown}, but the partials of this {kind} are not known"),
            format!("give a {field}, and see its partials with `percuss modes`"),
        ),
        NoSolution::OutOfReach { value, frequency } => {
            let is_too_high = frequency < *wanted;
            let extreme = if value > 0.5 * limits.max { "largest" } else { "smallest" };
            let value = if value <= LEAST_TENSION { 0.0 } else { value };
            let (nearest, side, change) = if is_too_high {
                (round_down(frequency), "lower", "smaller or lighter")
            } else {
                (round_up(frequency), "higher", "larger or heavier")
            };
            (
                format!(
                    "{kind}.pitch is {shown}, out of reach: {field} = {}{}, the {extreme} possible, gives {nearest} Hz",
                    format_number(value),
                    unit_suffix(limits.unit),
                ),
                format!("use pitch = {nearest} or {side}, or make the {kind} {change}"),
            )
        }
    };
    table.report("pitch", message, Some(hint));
}

/// The frequency, and how it is shown.
fn read_frequency(table: &TableReader<'_>) -> Option<(f64, String)> {
    let hertz = |frequency: f64| format!("{} Hz", format_number((1e3 * frequency).round() / 1e3));
    match table.number_or_string("pitch")? {
        Ok(frequency) => {
            table.check_limits("pitch", frequency, PITCH_LIMITS).map(|frequency| (frequency, hertz(frequency)))
        }
        Err(name) => {
            let found = note_frequency(name).filter(|frequency| PITCH_LIMITS.contains(*frequency));
            if found.is_none() {
                let message = format!("{}.pitch is \"{name}\", must be a note or a frequency in Hz", table.kind);
                table.report("pitch", message, Some("notes look like \"A3\", \"F#3\" or \"Bb2\"".to_owned()));
            }
            found.map(|frequency| (frequency, format!("{name} ({})", hertz(frequency))))
        }
    }
}

/// The first partial of an element by itself \[Hz\]; 0 if it is overdamped.
fn first_partial(element: &Element, rate: f64) -> Option<f64> {
    let rough = rough(element)?;
    if !(SOLVED_RANGE.0..SOLVED_RANGE.1).contains(&rough) {
        return Some(rough);
    }
    let (omega, sigma) = match element {
        Element::String(string) => {
            let first = first_of_line(element)?;
            (first.omega, string.sigma0 + string.sigma1 * first.slope)
        }
        Element::Bar(bar) => {
            let first = first_of_line(element)?;
            (first.omega, bar.sigma0 + bar.sigma1 * first.slope)
        }
        Element::Plate(plate) => {
            let bends = plate.youngs_modulus > 0.0;
            let rate_per_pitch = if bends { RATE_PER_PITCH } else { RATE_PER_PITCH_OF_MEMBRANE };
            return first_of_plate(plate, rate.min(rate_per_pitch * rough));
        }
        Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) | Element::Modal(_) => return None,
    };
    Some(((omega - sigma) * (omega + sigma)).max(0.0).sqrt() / TAU)
}

/// The first partial that the engine states for a plate at a sample rate, whatever its grid.
fn first_of_plate(plate: &Plate, rate: f64) -> Option<f64> {
    let mut model = Model::new();
    // What follows from a pitch is the same on all processors.
    model.portable = true;
    let id = model.add(Plate { grid: None, method: Method::Modes, ..plate.clone() });
    model.compile(rate).ok()?.partials(id)?.first().copied()
}

/// The first partial with simply supported ends or edges \[Hz\].
fn rough(element: &Element) -> Option<f64> {
    let waves = Waves::of(element)?;
    let wave_number_squared = match element {
        Element::String(string) => (PI / string.length).powi(2),
        Element::Bar(bar) => (PI / bar.length).powi(2),
        Element::Plate(plate) => plate.size.iter().map(|side| (PI / side).powi(2)).sum(),
        Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) | Element::Modal(_) => return None,
    };
    Some(waves.omega(wave_number_squared) / TAU)
}
