//! Region that a touch covers at one time, for drawing.

use percuss::{Control, Region, Touch};

/// Region and pressure of a touch at one time.
pub struct TouchFootprint<'a> {
    region: &'a Region,
    time: f64,
    size: [f64; 2],
    /// Pressure, from 0 to 1.
    pub pressure: f64,
}

impl<'a> TouchFootprint<'a> {
    /// A touch at `time` \[s\] on a plate with sides `size` \[m\]; `None` if its pressure is 0 or it covers everything.
    pub fn new(touch: &'a Touch, time: f64, size: [f64; 2]) -> Option<Self> {
        let pressure = touch.pressure.at(time).clamp(0.0, 1.0);
        let shown = pressure > 0.0 && touch.region != Region::Everywhere;
        shown.then_some(Self { region: &touch.region, time, size, pressure })
    }

    /// Whether it covers a position, given as fractions of the sides.
    pub fn covers(&self, at: [f64; 2]) -> bool {
        let from = |centre: &[Control; 2]| [0, 1].map(|axis| (at[axis] - centre[axis].at(self.time)) * self.size[axis]);
        let within = |centre: &[Control; 2], radius: &Control| {
            let [x, y] = from(centre);
            x.hypot(y) <= radius.at(self.time)
        };
        match self.region {
            Region::Everywhere => true,
            Region::Circle { centre, radius } => within(centre, radius),
            Region::OutsideCircle { centre, radius } => !within(centre, radius),
            Region::Rectangle { centre, size } => {
                let [x, y] = from(centre);
                2.0 * x.abs() <= size[0].at(self.time) && 2.0 * y.abs() <= size[1].at(self.time)
            }
            Region::HalfPlane { direction, level } => {
                // From the lowest corner to the highest.
                let reach = [0, 1].map(|axis| direction[axis] * self.size[axis]);
                let low: f64 = reach.iter().map(|part| part.min(0.0)).sum();
                let high: f64 = reach.iter().map(|part| part.max(0.0)).sum();
                reach[0] * at[0] + reach[1] * at[1] < low + level.at(self.time) * (high - low)
            }
            Region::Image { width, values } => {
                let height = values.len() / width;
                let pixel = |fraction: f64, count: usize| ((fraction * count as f64) as usize).min(count - 1);
                values[pixel(at[1], height) * width + pixel(at[0], *width)] > 0.5
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covers(region: Region, at: [f64; 2]) -> bool {
        let touch = Touch { region, pressure: 1.0.into(), mass: 1.0, stiffness: 0.0, damping: 0.0 };
        TouchFootprint::new(&touch, 0.5, [2.0, 1.0]).is_some_and(|footprint| footprint.covers(at))
    }

    #[test]
    fn footprint_covers_the_region_of_its_touch() {
        let ramp = Control::Breakpoints { time: vec![0.0, 1.0], value: vec![0.0, 1.0] };
        let disc = || Region::Circle { centre: [ramp.clone(), 0.5.into()], radius: 0.3.into() };
        assert!(covers(disc(), [0.6, 0.5]) && !covers(disc(), [0.7, 0.5]) && covers(disc(), [0.5, 0.75]));
        let water = || Region::HalfPlane { direction: [1.0, 1.0], level: 0.5.into() };
        assert!(covers(water(), [0.5, 0.49]) && !covers(water(), [0.5, 0.51]));
        let image = || Region::Image { width: 2, values: vec![1.0, 0.0, 0.0, 1.0] };
        assert!(covers(image(), [0.1, 0.1]) && covers(image(), [0.9, 0.9]) && !covers(image(), [0.9, 0.1]));
        assert!(!covers(Region::Everywhere, [0.5, 0.5]), "has no outline");
    }
}
