//! When the last of what a scene schedules is over: breakpoints of controls, pulses, plucks, drives, and
//! masses that come. What begins after the end of the scene.

use percuss::{Control, Drive, Element, Exciter, Law, Mallet, Model, Path, PathPlace, Region, Subject, Touch, Wave};

/// Time after which nothing changes from outside any more \[s\]. Waves without an end do not count.
pub(crate) fn last_event(model: &Model) -> f64 {
    let ends = controls(model).into_iter().map(|(_, _, control)| control_end(control));
    let elements = model.elements().iter().map(|element| match element {
        Element::Mass(mass) => mass.start,
        Element::Mallet(mallet) => last_blow(mallet).unwrap_or(0.0),
        Element::Barrier(_) | Element::String(_) | Element::Bar(_) | Element::Modal(_) | Element::Plate(_) => 0.0,
    });
    let exciters = model.exciters().iter().map(|(_, exciter)| match exciter {
        Exciter::Pulse(pulse) => pulse.time + pulse.duration,
        Exciter::Pluck(pluck) => pluck.end(),
        Exciter::Drive(Drive::Samples { rate, values }) => values.len() as f64 / rate,
        Exciter::Drive(Drive::Control(_)) | Exciter::Striker(_) | Exciter::Plucker(_) => 0.0,
    });
    ends.chain(elements).chain(exciters).fold(0.0, f64::max)
}

/// The last blow of a mallet that it does by itself \[s\].
fn last_blow(mallet: &Mallet) -> Option<f64> {
    mallet.blows.last().map(|blow| blow.time).filter(|time| time.is_finite())
}

/// What begins at or after a time \[s\], each with the field of its table that says so, and when it begins \[s\].
pub(crate) fn late_starts(model: &Model, end: f64) -> Vec<(Subject, &'static str, f64)> {
    let elements = model.elements().iter().enumerate().filter_map(|(index, element)| match element {
        Element::Mass(mass) => Some((Subject::Element(index), "start", mass.start)),
        Element::Mallet(mallet) => last_blow(mallet).map(|time| (Subject::Element(index), "time", time)),
        Element::Barrier(_) | Element::String(_) | Element::Bar(_) | Element::Modal(_) | Element::Plate(_) => None,
    });
    let exciters = model.exciters().iter().enumerate().filter_map(|(index, (_, exciter))| match exciter {
        Exciter::Pulse(pulse) => Some((Subject::Exciter(index), "time", pulse.time)),
        // It sounds when it lets go.
        Exciter::Pluck(pluck) => Some((Subject::Exciter(index), "time", pluck.time + pluck.duration)),
        Exciter::Drive(_) | Exciter::Striker(_) | Exciter::Plucker(_) => None,
    });
    elements.chain(exciters).filter(|&(_, _, start)| start >= end).collect()
}

/// Waves with frequencies of half a rate \[Hz\] or more, each with the field of its table, and their highest frequency \[Hz\].
pub(crate) fn aliased_waves(model: &Model, rate: f64) -> Vec<(Subject, &'static str, f64)> {
    let waves = controls(model)
        .into_iter()
        .filter_map(|(subject, field, control)| control.wave().map(|wave| (subject, field, wave.highest_frequency())));
    waves.filter(|&(_, _, highest)| highest >= 0.5 * rate).collect()
}

fn control_end(control: &Control) -> f64 {
    let wave_end = control.wave().map(Wave::end).filter(|end| end.is_finite());
    wave_end.or(control.times().last().copied()).unwrap_or(0.0)
}

/// All controls, each with the field of its table.
fn controls(model: &Model) -> Vec<(Subject, &'static str, &Control)> {
    let elements = model.elements().iter().enumerate().flat_map(|(index, element)| {
        let of_element = match element {
            Element::Barrier(barrier) => vec![("position", &barrier.position)],
            Element::Plate(plate) => plate.touches.iter().flat_map(touch_controls).collect(),
            _ => Vec::new(),
        };
        of_element.into_iter().map(move |(field, control)| (Subject::Element(index), field, control))
    });
    let interactions = model.interactions().iter().enumerate().flat_map(|(index, interaction)| {
        let of_law = match &interaction.law {
            Law::Bow(bow) => vec![("force", &bow.force), ("velocity", &bow.velocity)],
            Law::Finger(finger) => vec![("pressure", &finger.pressure)],
            _ => Vec::new(),
        };
        let all = of_law.into_iter().chain(path_controls(&interaction.below));
        all.map(move |(field, control)| (Subject::Interaction(index), field, control))
    });
    let exciters = model.exciters().iter().enumerate().flat_map(|(index, (path, exciter))| {
        let force = match exciter {
            Exciter::Drive(Drive::Control(force)) => Some(("force", force)),
            _ => None,
        };
        force
            .into_iter()
            .chain(path_controls(path))
            .map(move |(field, control)| (Subject::Exciter(index), field, control))
    });
    elements.chain(interactions).chain(exciters).collect()
}

fn touch_controls(touch: &Touch) -> Vec<(&'static str, &Control)> {
    let region: Vec<&Control> = match &touch.region {
        Region::Circle { centre, radius } | Region::OutsideCircle { centre, radius } => {
            centre.iter().chain([radius]).collect()
        }
        Region::Rectangle { centre, size } => centre.iter().chain(size).collect(),
        Region::HalfPlane { level, .. } => vec![level],
        Region::Everywhere | Region::Image { .. } => Vec::new(),
    };
    let region = region.into_iter().map(|control| ("region", control));
    region.chain([("pressure", &touch.pressure)]).collect()
}

fn path_controls(path: &Path) -> Vec<(&'static str, &Control)> {
    match &path.place {
        PathPlace::Still(_) => Vec::new(),
        PathPlace::Along(place) => vec![("at", place)],
        PathPlace::On(places) => places.iter().map(|place| ("at", place)).collect(),
    }
}
