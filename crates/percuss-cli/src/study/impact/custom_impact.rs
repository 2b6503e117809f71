//! Errors of all methods for an impact with parameters of the user.

use super::cases::{PHASES, parameter_text, simulators};
use super::json::params;
use super::tables::{aligned_table, header, number};
use crate::args::CustomImpact;
use crate::error::{CliError, Result};
use crate::format::{four_digits, si};
use crate::study::impact::integration::error_measures::{Simulator, contact_errors, random_phase_error};
use crate::study::impact::integration::integrators::Motion;
use percuss::impact::Impact;
use serde_json::{Value, json};
use std::io::{self, Write};

/// Longest contact that is simulated \[samples\].
const MAX_CONTACT_SAMPLES: f64 = 20_000.0;
/// Contact time below which a warning is printed \[samples\].
const MIN_CONTACT_SAMPLES: f64 = 2.0;

/// Allowed range of a parameter.
struct ParameterRange {
    flag: &'static str,
    unit: &'static str,
    min: f64,
    max: f64,
    /// Printed where a value is outside the range.
    hint: &'static str,
}

const MASS: ParameterRange =
    ParameterRange { flag: "mass", unit: "kg", min: 1e-9, max: 1e6, hint: "masses are in kilograms: 10 g are 0.01" };
const STIFFNESS: ParameterRange = ParameterRange {
    flag: "stiffness",
    unit: "N/m^exponent",
    min: 1e-3,
    max: 1e18,
    hint: "felt has 1e6 to 1e9, steel about 1e10; a rigid wall is not possible",
};
const EXPONENT: ParameterRange = ParameterRange {
    flag: "exponent",
    unit: "",
    min: 1.0,
    max: 5.0,
    hint: "1 is a linear spring, 1.5 a sphere on a plane, 2.5 felt",
};
const LOSS: ParameterRange = ParameterRange {
    flag: "loss",
    unit: "s/m",
    min: 0.0,
    max: 1e3,
    hint: "0 is lossless; at speed v a share of about 2/3 loss·v of it is lost",
};
const VELOCITY: ParameterRange = ParameterRange {
    flag: "velocity",
    unit: "m/s",
    min: 1e-6,
    max: 1e3,
    hint: "a speed towards the wall, above 0: a fall from 5 cm ends at 1 m/s",
};
const RATE: ParameterRange =
    ParameterRange { flag: "rate", unit: "Hz", min: 1e3, max: 1e8, hint: "sample rates are in Hz: 44.1 kHz are 44100" };

impl ParameterRange {
    fn check(&self, value: f64) -> Result<f64> {
        let Self { flag, unit, min, max, hint } = self;
        let space = if unit.is_empty() { "" } else { " " };
        if value.is_finite() && (*min..=*max).contains(&value) {
            return Ok(value);
        }
        let message = format!("--{flag} is {value}{space}{unit}, must be from {min:e} to {max:e}{space}{unit}");
        Err(CliError::Usage { message, hint: (*hint).into() })
    }
}

/// Errors of one method.
struct CustomMethodErrors {
    method: &'static str,
    /// Errors of v_out, of the largest compression and of the contact time, where first touch is at a sample \[%\].
    exit_error: f64,
    x_max_error: f64,
    contact_time_error: f64,
    /// Deviations by eqs. 27 and 28 \[%\].
    max_compression_deviation: f64,
    max_energy_deviation: f64,
    /// Rms error of v_out over contact phases \[%\].
    phase_error: f64,
}

/// Errors of all methods for a custom impact.
pub struct CustomImpactErrors {
    impact: Impact,
    rate: f64,
    samples: f64,
    rows: Vec<CustomMethodErrors>,
}

/// Measures an impact with every method.
pub fn measure(custom: &CustomImpact) -> Result<CustomImpactErrors> {
    let or = |given: Option<f64>, default: f64| given.unwrap_or(default);
    let mass = MASS.check(or(custom.mass, 0.01))?;
    let stiffness = STIFFNESS.check(or(custom.stiffness, 1e9))?;
    let exponent = EXPONENT.check(or(custom.exponent, 1.5))?;
    let loss = LOSS.check(or(custom.loss, 0.5))?;
    let speed = VELOCITY.check(or(custom.velocity, 1.0))?;
    let rate = RATE.check(or(custom.rate, 44_100.0))?;
    let impact = Impact::new(mass, stiffness, exponent, loss, speed).map_err(|error| {
        CliError::with_hint(error.to_string(), "see `percuss study impact --help` for the parameters")
    })?;
    let samples = impact.contact_time() * rate;
    if samples > MAX_CONTACT_SAMPLES || !samples.is_finite() {
        return Err(CliError::with_hint(
            format!("the contact lasts {samples:.3e} samples at {rate} Hz, must last at most {MAX_CONTACT_SAMPLES}"),
            format!("use a --rate below {:.0}, or a larger --stiffness", rate * MAX_CONTACT_SAMPLES / samples),
        ));
    }
    if samples < MIN_CONTACT_SAMPLES {
        let shown = four_digits(samples);
        writeln!(
            io::stderr(),
            "warning: the contact lasts {shown} samples at {rate} Hz, should be {MIN_CONTACT_SAMPLES} or more"
        )?;
        writeln!(io::stderr(), "  hint: {}", short_contact_hint(&impact, rate, samples))?;
    }
    let rows = simulators().iter().map(|simulator| row(simulator, &impact, rate)).collect();
    Ok(CustomImpactErrors { impact, rate, samples, rows })
}

/// Hint with a rate, if it is in range, and a stiffness for which the contact lasts four samples; τ ∝ k^{−1/(α+1)}.
fn short_contact_hint(impact: &Impact, rate: f64, samples: f64) -> String {
    let (faster, softer) = (4.0 * rate / samples, impact.stiffness() * (samples / 4.0).powf(impact.exponent() + 1.0));
    let rate = if faster <= RATE.max { format!("--rate {faster:.0} or ") } else { String::new() };
    format!("{rate}--stiffness {softer:.2e} makes it 4 samples")
}

fn row(simulator: &Simulator, impact: &Impact, rate: f64) -> CustomMethodErrors {
    let samples = simulator.contact(impact, rate, 0.0);
    let found = contact_errors(impact, &samples);
    let max_compression = samples.iter().map(|motion| motion.x).fold(0.0, f64::max);
    CustomMethodErrors {
        method: simulator.name(),
        exit_error: found.exit_error,
        x_max_error: 100.0 * (max_compression / impact.max_compression() - 1.0),
        contact_time_error: 100.0 * (contact_samples(&samples) / (impact.contact_time() * rate) - 1.0),
        max_compression_deviation: found.max_compression_deviation,
        max_energy_deviation: found.max_energy_deviation,
        phase_error: random_phase_error(simulator, impact, rate, PHASES),
    }
}

/// Contact time of a mass that first touches at a sample \[samples\]; its end by linear interpolation.
fn contact_samples(samples: &[Motion]) -> f64 {
    let inside = samples.iter().filter(|motion| motion.x > 0.0).count();
    let last = samples.windows(2).rev().find(|pair| pair[0].x > 0.0);
    inside as f64 + last.map_or(0.0, |pair| pair[0].x / (pair[0].x - pair[1].x.min(0.0)))
}

/// Quantities of a row, with their names in JSON and CSV.
fn quantities(row: &CustomMethodErrors) -> [(&'static str, f64); 6] {
    [
        ("err_v_out_pct", row.exit_error),
        ("rms_v_out_pct", row.phase_error),
        ("err_x_max_pct", row.x_max_error),
        ("err_contact_time_pct", row.contact_time_error),
        ("dev_x_pct", row.max_compression_deviation),
        ("dev_h_pct", row.max_energy_deviation),
    ]
}

/// Results as text.
pub fn text(errors: &CustomImpactErrors) -> String {
    let CustomImpactErrors { impact, rate, samples, .. } = errors;
    let methods: Vec<&str> = errors.rows.iter().map(|row| row.method).collect();
    let shown = ["err(v_out)", "err(v_out), any phase", "err(x_max)", "err(contact time)", "dev(x)", "dev(H)"];
    let mut rows = vec![header(&[""], &methods)];
    for (index, name) in shown.into_iter().enumerate() {
        let cells = errors.rows.iter().map(|row| quantities(row)[index].1).map(cell);
        rows.push(std::iter::once(name.to_string()).chain(cells).collect());
    }
    let about = parameter_text(impact);
    let (mass, out) = (si(1e3 * impact.mass(), "g"), four_digits(impact.exit_velocity()));
    let (compression, time) = (si(impact.max_compression(), "m"), si(impact.contact_time(), "s"));
    let (force, lost) = (si(impact.peak_force(), "N"), si(impact.dissipated_energy(), "J"));
    format!(
        "A mass of {mass} strikes a wall at {rate} Hz: {about}\n\n\
         Closed forms\n\
         \x20 v_out         {out} m/s, restitution {}\n\
         \x20 x_max         {compression}, largest force {force}\n\
         \x20 contact time  {time}, {} samples\n\
         \x20 energy lost   {lost}\n\n\
         Methods, errors in %\n{}\
         \x20 First touch is at a sample; any phase: rms over {PHASES} phases between samples. dev(x), dev(H): the largest\n\
         \x20 deviations from x(v) and H(v) in contact, eqs. 28 and 27 of Papetti, Avanzini and Rocchesso (2010), over x_max\n\
         \x20 and the energy lost. corrected and hybrid_exact use the closed forms; the others do not.\n",
        four_digits(impact.restitution()),
        four_digits(*samples),
        aligned_table(&rows, 1),
    )
}

/// A value as text; `–` for dev(H) of a lossless impact, which is not defined.
fn cell(value: f64) -> String {
    if value.is_finite() { number(value) } else { "–".into() }
}

/// Results as JSON.
pub fn json(errors: &CustomImpactErrors) -> Value {
    let CustomImpactErrors { impact, rate, samples, .. } = errors;
    let mut root = json!({
        "params": params(impact),
        "closed_form": {
            "v_out_m_s": impact.exit_velocity(),
            "restitution": impact.restitution(),
            "x_max_m": impact.max_compression(),
            "peak_force_n": impact.peak_force(),
            "contact_time_s": impact.contact_time(),
            "contact_samples": samples,
            "energy_lost_j": impact.dissipated_energy(),
        },
    });
    root["params"]["mass_kg"] = json!(impact.mass());
    root["params"]["sample_rate_hz"] = json!(rate);
    for row in &errors.rows {
        for (quantity, value) in quantities(row) {
            root["methods"][row.method][quantity] = json!(value);
        }
    }
    root
}

/// Results as CSV.
pub fn csv(errors: &CustomImpactErrors) -> String {
    let lines = errors.rows.iter().flat_map(|row| {
        quantities(row).map(|(quantity, value)| {
            let value = if value.is_finite() { value.to_string() } else { String::new() };
            format!("{},{quantity},{value}\n", row.method)
        })
    });
    std::iter::once("method,quantity,value\n".to_string()).chain(lines).collect()
}
