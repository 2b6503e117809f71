//! The study's measures on an impact of the user's: all methods against the closed forms.

use super::cases::{PHASES, describe, simulators};
use super::json::params;
use super::tables::{aligned, head, number};
use crate::args::CustomImpact;
use crate::error::{CliError, Result};
use crate::format::{four_digits, si};
use crate::study::impact::integration::integrate::Motion;
use crate::study::impact::integration::measures::{Simulator, errors, random_phase};
use percuss::impact::Impact;
use serde_json::{Value, json};
use std::io::{self, Write};

/// A contact longer than this takes too long to be measured \[samples\].
const LONGEST: f64 = 20_000.0;
/// A contact shorter than this leaves hardly a sample to compare \[samples\].
const SHORTEST: f64 = 2.0;

/// What a parameter may be: flag, unit, least, most, and what to think of where it is not.
struct Range(&'static str, &'static str, f64, f64, &'static str);

const MASS: Range = Range("mass", "kg", 1e-9, 1e6, "masses are in kilograms: 10 g are 0.01");
const STIFFNESS: Range =
    Range("stiffness", "N/m^exponent", 1e-3, 1e18, "felt has 1e6 to 1e9, steel about 1e10, a rigid wall is none");
const EXPONENT: Range = Range("exponent", "", 1.0, 5.0, "1 is a linear spring, 1.5 a sphere on a plane, 2.5 felt");
const LOSS: Range =
    Range("loss", "s/m", 0.0, 1e3, "0 loses nothing; at speed v a share of about 2/3 loss·v of it is lost");
const VELOCITY: Range = Range("velocity", "m/s", 1e-6, 1e3, "a speed towards the wall, above 0: 1 m/s falls from 5 cm");
const RATE: Range = Range("rate", "Hz", 1e3, 1e8, "sample rates are in Hz: 44.1 kHz are 44100");

impl Range {
    fn check(&self, value: f64) -> Result<f64> {
        let Self(flag, unit, least, most, hint) = self;
        let space = if unit.is_empty() { "" } else { " " };
        if value.is_finite() && (*least..=*most).contains(&value) {
            return Ok(value);
        }
        let message = format!("--{flag} is {value}{space}{unit}, must be from {least:e} to {most:e}{space}{unit}");
        Err(CliError::Usage { message, hint: (*hint).into() })
    }
}

/// One method, measured.
struct Row {
    method: &'static str,
    /// Error of v_out, of the largest compression and of the contact time, from a sample at first touch \[%\].
    exit: f64,
    x_max: f64,
    time: f64,
    /// Deviations by eqs. 27 and 28 \[%\].
    dev_x: f64,
    dev_h: f64,
    /// Rms error of v_out over contact phases \[%\].
    phases: f64,
}

/// An impact of the user's, measured.
pub struct Own {
    impact: Impact,
    rate: f64,
    samples: f64,
    rows: Vec<Row>,
}

/// Measures an impact with every method.
pub fn measure(asked: &CustomImpact) -> Result<Own> {
    let or = |asked: Option<f64>, default: f64| asked.unwrap_or(default);
    let mass = MASS.check(or(asked.mass, 0.01))?;
    let stiffness = STIFFNESS.check(or(asked.stiffness, 1e9))?;
    let exponent = EXPONENT.check(or(asked.exponent, 1.5))?;
    let loss = LOSS.check(or(asked.loss, 0.5))?;
    let speed = VELOCITY.check(or(asked.velocity, 1.0))?;
    let rate = RATE.check(or(asked.rate, 44_100.0))?;
    let impact = Impact::new(mass, stiffness, exponent, loss, speed).map_err(|error| {
        CliError::with_hint(error.to_string(), "see `percuss study impact --help` for what each one is")
    })?;
    let samples = impact.contact_time() * rate;
    if samples > LONGEST || !samples.is_finite() {
        return Err(CliError::with_hint(
            format!("the contact lasts {samples:.3e} samples at {rate} Hz, must last at most {LONGEST}"),
            format!("any --rate below {:.0} will do, or a larger --stiffness", rate * LONGEST / samples),
        ));
    }
    if samples < SHORTEST {
        let shown = four_digits(samples);
        writeln!(
            io::stderr(),
            "warning: the contact lasts {shown} samples at {rate} Hz, should be {SHORTEST} or more"
        )?;
        writeln!(io::stderr(), "  hint: {}", remedy(&impact, rate, samples))?;
    }
    let rows = simulators().iter().map(|simulator| row(simulator, &impact, rate)).collect();
    Ok(Own { impact, rate, samples, rows })
}

/// What makes a contact last four samples: a rate, where there is one, or a stiffness, as τ goes with k^{−1/(α+1)}.
fn remedy(impact: &Impact, rate: f64, samples: f64) -> String {
    let (faster, softer) = (4.0 * rate / samples, impact.stiffness() * (samples / 4.0).powf(impact.exponent() + 1.0));
    let rate = if faster <= RATE.3 { format!("--rate {faster:.0} or ") } else { String::new() };
    format!("{rate}--stiffness {softer:.2e} makes it 4 samples")
}

fn row(simulator: &Simulator, impact: &Impact, rate: f64) -> Row {
    let samples = simulator.contact(impact, rate, 0.0);
    let found = errors(impact, &samples);
    let deepest = samples.iter().map(|motion| motion.x).fold(0.0, f64::max);
    Row {
        method: simulator.name(),
        exit: found.exit,
        x_max: 100.0 * (deepest / impact.max_compression() - 1.0),
        time: 100.0 * (contact_samples(&samples) / (impact.contact_time() * rate) - 1.0),
        dev_x: found.dev_x,
        dev_h: found.dev_h,
        phases: random_phase(simulator, impact, rate, PHASES),
    }
}

/// Samples in contact of a mass that touches at a sample; the last one in part, as far as a straight line would have it.
fn contact_samples(samples: &[Motion]) -> f64 {
    let inside = samples.iter().filter(|motion| motion.x > 0.0).count();
    let last = samples.windows(2).rev().find(|pair| pair[0].x > 0.0);
    inside as f64 + last.map_or(0.0, |pair| pair[0].x / (pair[0].x - pair[1].x.min(0.0)))
}

/// The quantities of a row, with the names that JSON and CSV have for them.
fn quantities(row: &Row) -> [(&'static str, f64); 6] {
    [
        ("err_v_out_pct", row.exit),
        ("rms_v_out_pct", row.phases),
        ("err_x_max_pct", row.x_max),
        ("err_contact_time_pct", row.time),
        ("dev_x_pct", row.dev_x),
        ("dev_h_pct", row.dev_h),
    ]
}

/// The figures as text.
pub fn text(own: &Own) -> String {
    let Own { impact, rate, samples, .. } = own;
    let methods: Vec<&str> = own.rows.iter().map(|row| row.method).collect();
    let shown = ["err(v_out)", "err(v_out), any phase", "err(x_max)", "err(contact time)", "dev(x)", "dev(H)"];
    let mut rows = vec![head(&[""], &methods)];
    for (index, name) in shown.into_iter().enumerate() {
        let cells = own.rows.iter().map(|row| quantities(row)[index].1).map(cell);
        rows.push(std::iter::once(name.to_string()).chain(cells).collect());
    }
    let about = describe(impact);
    let (mass, out) = (si(1e3 * impact.mass(), "g"), four_digits(impact.exit_velocity()));
    let (deep, time) = (si(impact.max_compression(), "m"), si(impact.contact_time(), "s"));
    let (force, lost) = (si(impact.peak_force(), "N"), si(impact.energy_lost(), "J"));
    format!(
        "A mass of {mass} strikes a wall at {rate} Hz: {about}\n\n\
         Closed forms\n\
         \x20 v_out         {out} m/s, restitution {}\n\
         \x20 x_max         {deep}, largest force {force}\n\
         \x20 contact time  {time}, {} samples\n\
         \x20 energy lost   {lost}\n\n\
         Methods, errors in %\n{}\
         \x20 From a mass that touches the wall at a sample; any phase: rms over {PHASES} places in between. dev(x), dev(H): the\n\
         \x20 largest deviations from x(v) and H(v) in contact, eqs. 28 and 27 of Papetti, Avanzini and Rocchesso (2010), over\n\
         \x20 x_max and the energy lost. corrected and hybrid_exact know the closed forms; the others do not.\n",
        four_digits(impact.restitution()),
        four_digits(*samples),
        aligned(&rows, 1),
    )
}

/// dev(H) of an impact that loses nothing has nothing to be compared with.
fn cell(value: f64) -> String {
    if value.is_finite() { number(value) } else { "–".into() }
}

/// The figures as JSON.
pub fn json(own: &Own) -> Value {
    let Own { impact, rate, samples, .. } = own;
    let mut root = json!({
        "params": params(impact),
        "closed_form": {
            "v_out_m_s": impact.exit_velocity(),
            "restitution": impact.restitution(),
            "x_max_m": impact.max_compression(),
            "peak_force_n": impact.peak_force(),
            "contact_time_s": impact.contact_time(),
            "contact_samples": samples,
            "energy_lost_j": impact.energy_lost(),
        },
    });
    root["params"]["mass_kg"] = json!(impact.mass());
    root["params"]["sample_rate_hz"] = json!(rate);
    for row in &own.rows {
        for (quantity, value) in quantities(row) {
            root["methods"][row.method][quantity] = json!(value);
        }
    }
    root
}

/// The figures as CSV.
pub fn csv(own: &Own) -> String {
    let lines = own.rows.iter().flat_map(|row| {
        quantities(row).map(|(quantity, value)| {
            let value = if value.is_finite() { value.to_string() } else { String::new() };
            format!("{},{quantity},{value}\n", row.method)
        })
    });
    std::iter::once("method,quantity,value\n".to_string()).chain(lines).collect()
}
