//! Barriers: flat, with a profile, or with one of the shapes along a part of the length.

use super::{BodyShape, GeneratedBody, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};

impl SceneGenerator {
    /// A barrier, fixed or moving, flat or not.
    pub(super) fn barrier(&mut self) {
        let (id, table) = self.table("barrier");
        let (low, high) = (
            (self.base_height - 2.0 * self.typical_distance).max(-100.0),
            (self.base_height + 2.0 * self.typical_distance).min(100.0),
        );
        let mut table = table.with("position", self.control(0.75, low, high));
        if self.random.chance(0.25) {
            let count = self.random.whole(2, 6);
            table = table.with("profile", TomlValue::numbers(self.heights(count)));
        } else if self.random.chance(0.35) {
            table = table.with("shape", self.barrier_shape());
        }
        let table = self.with_span(table);
        self.push_grid(table, GeneratedBody::new(id, BodyShape::Barrier, f64::INFINITY, 0.0));
    }

    /// The part of the length along which it is.
    fn with_span(&mut self, table: TomlTable) -> TomlTable {
        if !self.random.chance(0.2) {
            return table;
        }
        let from = self.random.uniform(0.0, 0.9);
        table.with("from", from).with("to", self.random.uniform(from + 0.01, 1.0))
    }

    fn heights(&mut self, count: usize) -> Vec<f64> {
        (0..count).map(|_| self.height()).collect()
    }

    fn height(&mut self) -> f64 {
        (self.random.uniform(-0.5, 0.5) * self.typical_distance).clamp(-100.0, 100.0)
    }

    /// Places that rise.
    fn places(&mut self) -> Vec<f64> {
        let mut at: Vec<f64> = (0..self.random.whole(1, 6)).map(|_| self.random.unit()).collect();
        at.sort_by(f64::total_cmp);
        at.dedup();
        at
    }

    fn barrier_shape(&mut self) -> TomlValue {
        let kind = self.random.pick(&["parabola", "polyline", "frets"]);
        let mut fields = vec![("kind", kind.into())];
        match kind {
            "parabola" => {
                if self.random.chance(0.7) {
                    fields.push(("at", self.random.unit().into()));
                }
                fields.push(("width", self.random.log(1e-4, 1.0).into()));
                fields.push(("depth", self.height().into()));
            }
            "polyline" => {
                let mut at = self.places();
                if self.random.chance(0.3) {
                    // A step.
                    at.push(at[at.len() - 1]);
                }
                fields.push(("height", TomlValue::numbers(self.heights(at.len()))));
                fields.push(("at", TomlValue::numbers(at)));
            }
            _ => {
                if self.random.chance(0.4) {
                    fields.push(("count", (self.random.whole(1, 48) as f64).into()));
                    fields.push(("height", self.height().into()));
                } else {
                    let at = self.places();
                    fields.push(("height", TomlValue::numbers(self.heights(at.len()))));
                    fields.push(("at", TomlValue::numbers(at)));
                }
                if self.random.chance(0.5) {
                    fields.push(("width", self.random.log(1e-6, 0.1).into()));
                }
            }
        }
        TomlValue::inline(fields)
    }
}
