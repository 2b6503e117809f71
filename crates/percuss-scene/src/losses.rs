//! The losses σ₀ and σ₁ of a string, bar, plate or membrane: as given, from its material, or from decay times.
//!
//! Model       a mode decays as e^{−σt}, σ = σ₀ + σ₁s, s = ∫φ′²/∫φ² (`partials`), which is β² far from the ends
//! Decay       T₆₀ = 3 ln 10/σ: e^{−σt} falls by 60 dB, to 1/1000. Two times at two frequencies give two equations for σ₀ and σ₁
//! Material    a loss factor η of bending gives σ = ½ηωb with the share b of bending in the potential energy: so it is at 1 kHz by
//!             σ₁ = ½ηωb/β². Of bars, and of plates without tension, that is ½ηκ, and σ = ½ηω at all frequencies.
//!             A membrane that nothing but its tension holds has b = 1. σ₀, of air and supports, is the element's default
//! Symbols     β wave number, ω, κ² as in `waves`; φ shape of a mode

use crate::limits::{ValueLimits, format_number, round_down, round_up};
use crate::materials::Material;
use crate::partials::slope_at;
use crate::table_reader::TableReader;
use crate::waves::Waves;
use percuss::Element;
use std::f64::consts::{LN_10, TAU};

const SIGMA0_LIMITS: ValueLimits = ValueLimits::new(0.0, 1e4, "1/s");
const SIGMA1_LIMITS: ValueLimits = ValueLimits::new(0.0, 10.0, "m²/s");
const TIME_LIMITS: ValueLimits = ValueLimits::new(1e-3, 1e5, "s");
const FREQUENCY_LIMITS: ValueLimits = ValueLimits::new(1.0, 1e5, "Hz");
/// Frequency at which the losses of a material are those of its loss factor \[Hz\].
const REFERENCE: f64 = 1000.0;

/// σ₀ \[1/s\] and σ₁ \[m²/s\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sigmas {
    pub sigma0: f64,
    pub sigma1: f64,
}

/// A decay time at a frequency.
#[derive(Clone, Copy, Debug)]
struct DecayTime {
    /// \[Hz\].
    frequency: f64,
    /// T₆₀ \[s\].
    time: f64,
}

/// The field `t60`.
#[derive(Clone, Copy, Debug)]
enum DecayTimes {
    /// The same time at all frequencies \[s\].
    Everywhere(f64),
    /// A time at one frequency; σ₁ is that of the material.
    One(DecayTime),
    /// Times at two frequencies, in rising order.
    Two(DecayTime, DecayTime),
}

/// What a table says about losses.
#[derive(Clone, Debug)]
pub(crate) struct Losses {
    sigma0: Option<f64>,
    sigma1: Option<f64>,
    t60: Option<DecayTimes>,
    loss_factor: Option<f64>,
    default: Sigmas,
    /// Kind of the table.
    kind: &'static str,
}

/// Decay times that no σ₀ and σ₁ give.
struct Unreachable {
    message: String,
    hint: String,
}

impl Losses {
    /// Reads `sigma0`, `sigma1` and `t60`. `default` has those of the element's description.
    pub fn read(table: &TableReader<'_>, material: Option<&Material>, default: Sigmas) -> Self {
        let [sigma0, sigma1] =
            [("sigma0", SIGMA0_LIMITS), ("sigma1", SIGMA1_LIMITS)].map(|(field, limits)| table.number(field, limits));
        let t60 = read_decay_times(table);
        if let Some(field) = ["sigma0", "sigma1"].into_iter().find(|field| table.has("t60") && table.has(field)) {
            let hint = Some("t60 sets sigma0 and sigma1: keep either the time or the two numbers".to_owned());
            table.report("t60", format!("{} has both t60 and {field}", table.kind), hint);
        }
        Self {
            sigma0,
            sigma1,
            t60,
            loss_factor: material.map(|material| material.loss_factor),
            default,
            kind: table.kind,
        }
    }

    /// The element with its losses; those that cannot be are reported.
    pub fn finish(&self, table: &TableReader<'_>, element: Element) -> Element {
        if !table.is_valid() {
            return element;
        }
        if let Err(Unreachable { message, hint }) = self.of(&element) {
            table.report("t60", message, Some(hint));
        }
        self.apply(element)
    }

    /// The element with its losses, or with none if they cannot be.
    pub fn apply(&self, mut element: Element) -> Element {
        let Sigmas { sigma0, sigma1 } = self.of(&element).unwrap_or(Sigmas { sigma0: 0.0, sigma1: 0.0 });
        let fields = match &mut element {
            Element::String(string) => [&mut string.sigma0, &mut string.sigma1],
            Element::Bar(bar) => [&mut bar.sigma0, &mut bar.sigma1],
            Element::Plate(plate) => [&mut plate.sigma0, &mut plate.sigma1],
            Element::Mass(_) | Element::Mallet(_) | Element::Barrier(_) | Element::Modal(_) => return element,
        };
        fields.into_iter().zip([sigma0, sigma1]).for_each(|(field, value)| *field = value);
        element
    }

    /// σ₀ and σ₁ of an element, whose own are ignored.
    fn of(&self, element: &Element) -> Result<Sigmas, Unreachable> {
        let sigma1 = self.sigma1.unwrap_or_else(|| self.material_sigma1(element));
        let kind = self.kind;
        let slope = |at: DecayTime| slope_at(element, at.frequency).unwrap_or(0.0);
        match self.t60 {
            None => Ok(Sigmas { sigma0: self.sigma0.unwrap_or(self.default.sigma0), sigma1 }),
            Some(DecayTimes::Everywhere(time)) => Ok(Sigmas { sigma0: sigma(time), sigma1: 0.0 }),
            Some(DecayTimes::One(at)) => at.with_sigma1(slope(at), sigma1, kind),
            Some(DecayTimes::Two(low, high)) => low.with_another(high, [slope(low), slope(high)], kind),
        }
    }

    /// σ₁ of the material, or the default.
    fn material_sigma1(&self, element: &Element) -> f64 {
        let (Some(loss_factor), Some(waves)) = (self.loss_factor, Waves::of(element)) else {
            return self.default.sigma1;
        };
        let omega = TAU * REFERENCE;
        let square = waves.wave_number_squared(omega);
        (0.5 * loss_factor * omega * waves.bending_share(square) / square).min(SIGMA1_LIMITS.max)
    }
}

impl DecayTime {
    /// σ₀ where σ₁ is known.
    fn with_sigma1(self, slope: f64, sigma1: f64, kind: &str) -> Result<Sigmas, Unreachable> {
        let sigma0 = without_rounding(sigma(self.time) - sigma1 * slope, sigma(self.time));
        if sigma0 >= 0.0 {
            return Ok(Sigmas { sigma0, sigma1 });
        }
        let longest = round_down(decay_time(sigma1 * slope));
        Err(Unreachable {
            message: format!(
                "{kind}.t60 is {self}, must be at most {longest} s: sigma1 = {} alone gives that",
                round_down(sigma1)
            ),
            hint: "give times at two frequencies, which set sigma1 too".to_owned(),
        })
    }

    /// σ₀ and σ₁ from times at two frequencies.
    fn with_another(self, high: Self, slopes: [f64; 2], kind: &str) -> Result<Sigmas, Unreachable> {
        let [low_sigma, high_sigma] = [self.time, high.time].map(sigma);
        let sigma1 = (high_sigma - low_sigma) / (slopes[1] - slopes[0]);
        let sigma0 = without_rounding(low_sigma - sigma1 * slopes[0], low_sigma);
        let found = format!("{kind}.t60 is {self} and {high}");
        if sigma1 < 0.0 {
            return Err(Unreachable {
                message: format!("{found}, must not be longer at the higher frequency"),
                hint: format!(
                    "losses grow with frequency: at {} Hz, {} s or less can be reached",
                    format_number(high.frequency),
                    format_number(self.time)
                ),
            });
        }
        if sigma0 < 0.0 {
            let steepness = slopes[1] / slopes[0];
            return Err(Unreachable {
                message: format!("{found}, which falls too steeply"),
                hint: format!(
                    "losses grow with the square of the wave number at most: give at least {} s at {} Hz, or at most {} s at {} Hz",
                    round_up(self.time / steepness),
                    format_number(high.frequency),
                    round_down(high.time * steepness),
                    format_number(self.frequency)
                ),
            });
        }
        if sigma1 > SIGMA1_LIMITS.max {
            return Err(Unreachable {
                message: format!(
                    "{found}, which needs sigma1 = {} m²/s, must be at most {} m²/s",
                    round_up(sigma1),
                    SIGMA1_LIMITS.max
                ),
                hint: "give a longer time at the higher frequency".to_owned(),
            });
        }
        Ok(Sigmas { sigma0, sigma1 })
    }
}

impl std::fmt::Display for DecayTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} s at {} Hz", format_number(self.time), format_number(self.frequency))
    }
}

/// σ of a decay time \[1/s\].
fn sigma(time: f64) -> f64 {
    3.0 * LN_10 / time
}

/// A difference of numbers of a size; 0 where it is their rounding.
fn without_rounding(difference: f64, size: f64) -> f64 {
    if difference.abs() < 1e-12 * size { 0.0 } else { difference }
}

/// Decay time of a σ \[s\].
fn decay_time(sigma: f64) -> f64 {
    3.0 * LN_10 / sigma
}

fn read_decay_times(table: &TableReader<'_>) -> Option<DecayTimes> {
    if table.is_number("t60") {
        return table.number("t60", TIME_LIMITS).map(DecayTimes::Everywhere);
    }
    let expected = "a time in s or [{ frequency = 200, time = 3.0 }, { frequency = 4000, time = 0.4 }]";
    let entries = table.subtables("t60", "t60", expected)?;
    let times: Vec<DecayTime> = entries.iter().map(read_decay_time).collect();
    match times[..] {
        [one] => Some(DecayTimes::One(one)),
        [one, other] if one.frequency == other.frequency => {
            let message = format!("{}.t60 has two times at {} Hz", table.kind, format_number(one.frequency));
            table.report("t60", message, Some("give them at two different frequencies".to_owned()));
            None
        }
        [one, other] if one.frequency < other.frequency => Some(DecayTimes::Two(one, other)),
        [one, other] => Some(DecayTimes::Two(other, one)),
        _ => {
            let message = format!("{}.t60 has {} entries, must have 1 or 2", table.kind, times.len());
            table.report("t60", message, Some("one sets sigma0, two set sigma0 and sigma1".to_owned()));
            None
        }
    }
}

fn read_decay_time(entry: &TableReader<'_>) -> DecayTime {
    let time = DecayTime {
        frequency: entry.required_number("frequency", FREQUENCY_LIMITS, "200"),
        time: entry.required_number("time", TIME_LIMITS, "3.0"),
    };
    entry.finish();
    time
}
