//! Reads `[[barrier]]` and its shapes.

use crate::elements::POSITION_LIMITS;
use crate::limits::{FRACTION_LIMITS, ValueLimits};
use crate::scene_builder::SceneBuilder;
use crate::table_reader::TableReader;
use percuss::{Barrier, BarrierShape, Control, Element};

const FRET_WIDTH_LIMITS: ValueLimits = ValueLimits::new(1e-6, 0.1, "m");
/// Most frets that are given by their number.
const MAX_FRETS: f64 = 48.0;
/// Width of a fret \[m\].
const DEFAULT_FRET_WIDTH: f64 = 1e-3;

#[derive(Clone, Copy)]
enum ShapeKind {
    Parabola,
    Polyline,
    Frets,
}

const SHAPE_KINDS: [(&str, ShapeKind); 3] =
    [("parabola", ShapeKind::Parabola), ("polyline", ShapeKind::Polyline), ("frets", ShapeKind::Frets)];

pub(crate) fn read_barrier(table: &TableReader<'_>, _: &mut SceneBuilder<'_>) -> Element {
    let barrier = Barrier {
        position: table.control("position", POSITION_LIMITS).unwrap_or(Control::Constant(0.0)),
        profile: table.numbers("profile", POSITION_LIMITS).unwrap_or_default(),
        shape: read_shape(table).unwrap_or_default(),
        span: ["from", "to"]
            .map(|field| table.number_or(field, FRACTION_LIMITS, if field == "from" { 0.0 } else { 1.0 })),
    };
    let [from, to] = barrier.span;
    if from >= to {
        let hint = Some("fractions of the length, as in from = 0.9, to = 1.0".to_owned());
        table.report("to", format!("barrier.to is {to}, must be beyond from, which is {from}"), hint);
    }
    if !barrier.profile.is_empty() && barrier.shape != BarrierShape::Flat {
        let hint = Some("keep one of them".to_owned());
        table.report("shape", "barrier has both profile and shape".to_owned(), hint);
    }
    barrier.into()
}

fn read_shape(table: &TableReader<'_>) -> Option<BarrierShape> {
    let inner = table.subtable("shape", "shape")?;
    let word = inner.required_string("kind", "\"parabola\"");
    let kind = word.and_then(|word| inner.parse_choice("kind", word, &SHAPE_KINDS));
    let shape = match kind {
        Some(ShapeKind::Parabola) => Some(BarrierShape::Parabola {
            at: inner.number_or("at", FRACTION_LIMITS, 0.5),
            width: inner.required_number("width", ValueLimits::new(1e-4, 1.0, ""), "0.05"),
            depth: inner.required_number("depth", POSITION_LIMITS, "1e-3"),
        }),
        Some(ShapeKind::Polyline) => {
            let places = read_places(&inner, |one, next| one <= next);
            places.zip(read_heights(&inner)).and_then(|(at, height)| {
                let height = same_number(&inner, height, at.len())?;
                Some(BarrierShape::Polyline { at, height })
            })
        }
        Some(ShapeKind::Frets) => read_frets(&inner),
        None => {
            inner.request_all();
            None
        }
    };
    let is_valid = inner.is_valid();
    inner.finish();
    shape.filter(|_| is_valid)
}

/// Frets at given places, or those of an equal-tempered fingerboard whose nut is at 0.
fn read_frets(inner: &TableReader<'_>) -> Option<BarrierShape> {
    let width = inner.number_or("width", FRET_WIDTH_LIMITS, DEFAULT_FRET_WIDTH);
    let places = match (inner.has("count"), inner.has("at")) {
        (true, true) => {
            inner.report("at", "frets have both count and at".to_owned(), Some("keep one of them".to_owned()));
            None
        }
        (true, false) => inner.number("count", ValueLimits::new(1.0, MAX_FRETS, "")).map(|count| {
            if count.fract() != 0.0 {
                let hint = Some("as in count = 19".to_owned());
                inner.report("count", format!("shape.count is {count}, must be a whole number"), hint);
            }
            (1..=count as i32).map(|fret| 1.0 - 2_f64.powf(-f64::from(fret) / 12.0)).collect::<Vec<f64>>()
        }),
        (false, _) => read_places(inner, |one, next| one < next),
    };
    let (at, height) = places.zip(read_heights(inner))?;
    let height = match height[..] {
        [first, last] if at.len() > 2 => {
            let share = |place: f64| (place - at[0]) / (at[at.len() - 1] - at[0]);
            at.iter().map(|&place| first + share(place) * (last - first)).collect()
        }
        _ => same_number(inner, height, at.len())?,
    };
    Some(BarrierShape::Frets { at, height, width })
}

fn read_places(inner: &TableReader<'_>, follows: fn(f64, f64) -> bool) -> Option<Vec<f64>> {
    if !inner.has("at") {
        inner.mark_missing("at", "[0.2, 0.5]");
    }
    let at = inner.numbers("at", FRACTION_LIMITS)?;
    let report = |message: &str, hint: &str| {
        inner.report("at", format!("shape.at {message}"), Some(hint.to_owned()));
        None
    };
    if at.is_empty() {
        return report("is empty", "give places as fractions of the length, as in at = [0.2, 0.5]");
    }
    if !at.windows(2).all(|pair| follows(pair[0], pair[1])) {
        return report("has places that do not rise", "sort the places");
    }
    Some(at)
}

fn read_heights(inner: &TableReader<'_>) -> Option<Vec<f64>> {
    if !inner.has("height") {
        inner.mark_missing("height", "1e-3");
    }
    inner.number_or_list("height", POSITION_LIMITS)
}

/// One height for all places, or one for each.
fn same_number(inner: &TableReader<'_>, height: Vec<f64>, count: usize) -> Option<Vec<f64>> {
    match height[..] {
        [one] => Some(vec![one; count]),
        _ if height.len() == count => Some(height),
        _ => {
            let message = format!("shape.height has {} entries, but there are {count} places", height.len());
            inner.report("height", message, Some("one for each place, or a single number for all".to_owned()));
            None
        }
    }
}
