//! What lies on plates and membranes: every shape, still, moving and switched.

use super::{Body, Draw, Form};
use crate::harness::document::{Table, Value};
use crate::harness::files;

impl Draw {
    /// Something laid on a plate. What is switched or moves does work on the plate and is kept soft: pressed on and lifted
    /// again, the layer pumps energy by design.
    pub(super) fn touch(&mut self) {
        let plates = |body: &&Body| matches!(body.form, Form::Rectangle | Form::Disc);
        let Some(plate) = self.bodies.iter().find(plates).cloned() else { return };
        let still = self.random.chance(0.6);
        let region = self.region(&plate, if still { 1.0 } else { 0.4 });
        let pressure = self.control(if still { 1.0 } else { 0.2 }, 0.0, 1.0);
        let mut table = Table::new("touch").with("of", plate.id.as_str()).with("region", region);
        table = table.with("pressure", pressure);
        if self.random.chance(0.5) {
            table = table.with("mass", (plate.density * self.random.log(1e-2, 1e2)).min(1e5));
        }
        if self.random.chance(0.6) {
            let fastest = if still { 3.0 } else { 0.1 };
            let soft = plate.density * (self.rate * self.random.log(1e-3, fastest)).powi(2);
            let stiffness = if still && self.extreme { self.random.log(1.0, 1e16) } else { soft.min(1e16) };
            table = table.with("stiffness", stiffness);
        }
        let most = if self.extreme { 1e6 } else { self.rate };
        let damping = self.random.log(1e-1, most);
        self.add(table.with("damping", damping));
    }

    fn region(&mut self, plate: &Body, still: f64) -> Value {
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
                fields.push(("size", Value::List(size.to_vec())));
            }
            "half-plane" => {
                let angle = self.random.uniform(0.0, std::f64::consts::TAU);
                fields.push(("direction", [angle.cos(), angle.sin()].into()));
                fields.push(("level", self.control(still, 0.0, 1.0)));
            }
            "image" => fields.push(("file", self.random.pick(&files::PICTURES).into())),
            _ => {}
        }
        Value::inline(fields)
    }

    fn centre(&mut self, still: f64) -> Value {
        Value::List(vec![self.control(still, 0.0, 1.0), self.control(still, 0.0, 1.0)])
    }
}
