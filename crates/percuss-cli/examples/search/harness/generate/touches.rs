//! Touches on plates and membranes with every region, constant, moving and changing in pressure.

use super::{BodyShape, GeneratedBody, SceneGenerator};
use crate::harness::document::{TomlTable, TomlValue};
use crate::harness::files;

impl SceneGenerator {
    /// A touch on a plate. One that changes is kept soft under the absolute law, where repeated changes supply energy by design.
    pub(super) fn touch(&mut self) {
        let plates = |body: &&GeneratedBody| matches!(body.shape, BodyShape::Rectangle | BodyShape::Disc);
        let Some(plate) = self.bodies.iter().find(plates).cloned() else { return };
        let still = self.random.chance(0.4);
        let region = self.region(&plate, if still { 1.0 } else { 0.4 });
        let pressure = self.control(if still { 1.0 } else { 0.2 }, 0.0, 1.0);
        let is_hard_allowed = still || plate.has_passive_touches;
        let mut table = TomlTable::new("touch").with("of", plate.id.as_str()).with("region", region);
        table = table.with("pressure", pressure);
        if self.random.chance(0.5) {
            table = table.with("mass", (plate.density * self.random.log(1e-2, 1e2)).min(1e5));
        }
        if self.random.chance(0.6) {
            let fastest = if is_hard_allowed { 3.0 } else { 0.1 };
            let soft = plate.density * (self.rate * self.random.log(1e-3, fastest)).powi(2);
            let stiffness = if is_hard_allowed && self.extreme { self.random.log(1.0, 1e16) } else { soft.min(1e16) };
            table = table.with("stiffness", stiffness);
        }
        let max = if self.extreme { 1e6 } else { self.rate };
        let damping = self.random.log(1e-1, max);
        self.add(table.with("damping", damping));
    }

    fn region(&mut self, plate: &GeneratedBody, still: f64) -> TomlValue {
        let kinds = ["everywhere", "circle", "outside-circle", "rectangle", "half-plane", "image"];
        let kind = self.random.pick(&kinds);
        let side = plate.size[0].max(plate.size[1]);
        let mut fields = vec![("kind", kind.into())];
        match kind {
            "circle" | "outside-circle" => {
                fields.push(("centre", self.centre(still)));
                fields.push(("radius", self.control(still, 0.0, side)));
            }
            "rectangle" => {
                fields.push(("centre", self.centre(still)));
                let size = plate.size.map(|side| self.control(still, 0.0, side));
                fields.push(("size", TomlValue::List(size.to_vec())));
            }
            "half-plane" => {
                let angle = self.random.uniform(0.0, std::f64::consts::TAU);
                fields.push(("direction", [angle.cos(), angle.sin()].into()));
                fields.push(("level", self.control(still, 0.0, 1.0)));
            }
            "image" => fields.push(("file", self.random.pick(&files::IMAGES).into())),
            _ => {}
        }
        TomlValue::inline(fields)
    }

    fn centre(&mut self, still: f64) -> TomlValue {
        TomlValue::List(vec![self.control(still, 0.0, 1.0), self.control(still, 0.0, 1.0)])
    }
}
