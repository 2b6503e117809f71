//! Ids carry their model: one of another model is refused, whether its position exists here or not.

use percuss::*;

const RATE: f64 = 44_100.0;

/// A model with a part of every kind, and their ids.
struct Parts {
    model: Model,
    mass: ElementId,
    string: ElementId,
    plate: ElementId,
    barrier: ElementId,
    contact: InteractionId,
    bow: InteractionId,
    drive: ExciterId,
    striker: ExciterId,
    pickup: PickupId,
    param: ParamId,
    touch: usize,
}

fn touch(region: Region) -> Touch {
    Touch { region, pressure: 1.0.into(), mass: 0.0, stiffness: 0.0, damping: 100.0 }
}

/// A model with a part of every kind added to another.
fn added_to(mut model: Model) -> Parts {
    let mass = model.add(Mass { velocity: 1.0, ..Mass::default() });
    let string = model.add(StiffString::default());
    let plate = model.add(Plate::steel([0.4, 0.3], 1e-3));
    let barrier = model.add(Barrier::at(0.0));
    let touch = model.touch(plate, touch(Region::Image { width: 1, values: vec![0.0] })).unwrap();
    let contact = model.collide(mass.point(), barrier.point(), Collision::default());
    let bow = model.bow(string.at(0.2), Bow { velocity: 0.1.into(), ..Bow::default() });
    let drive = model.drive(mass.point(), Drive::Control(0.5.into()));
    let striker = model.striker(string.at(0.3), Pulse::default());
    model.pulse(plate.on([0.3, 0.3]), Pulse { peak: 50.0, ..Pulse::default() });
    let pickup = model.pickup(mass.point(), Quantity::Displacement);
    let param = model.expose(ParamPath::Force(bow), [0.0, 1.0], 0.01).unwrap();
    Parts { model, mass, string, plate, barrier, contact, bow, drive, striker, pickup, param, touch }
}

fn parts() -> Parts {
    added_to(Model::new())
}

/// Parts at the positions of those of `parts`, and parts at positions that it does not have.
fn more_parts() -> [Parts; 2] {
    let one = parts();
    let more = added_to(one.model.clone());
    [one, more]
}

#[track_caller]
fn refused(model: &Model, subject: Subject) {
    assert_eq!(model.compile(RATE).map(|_| ()), Err(CompileError::ForeignId { subject }));
}

#[test]
fn compile_refuses_them_in_every_part_that_names_another() {
    for foreign in more_parts() {
        let own = parts();
        let with = |add: &dyn Fn(&mut Model)| {
            let mut model = own.model.clone();
            add(&mut model);
            model
        };
        let interactions = own.model.interactions().len();
        let law = Collision::default;
        let cases: [&dyn Fn(&mut Model); 8] = [
            &|model| _ = model.collide(foreign.mass.point(), own.barrier.point(), law()),
            &|model| _ = model.collide(own.mass.point(), foreign.barrier.point(), law()),
            &|model| _ = model.collide_along(own.string, foreign.string, law()),
            &|model| _ = model.collide_over(foreign.barrier, own.mass.point(), own.string.at(0.5), law()),
            &|model| _ = model.connect(foreign.mass.point(), own.mass.point(), Connection::default()),
            &|model| _ = model.interact(own.mass.point(), foreign.mass.point(), laws::Felt::default()),
            &|model| _ = model.bow(foreign.string.at(0.5), Bow::default()),
            &|model| _ = model.finger(foreign.string.along(0.5.into()), Finger::default()),
        ];
        for case in cases {
            refused(&with(case), Subject::Interaction(interactions));
        }
        let exciters = own.model.exciters().len();
        let cases: [&dyn Fn(&mut Model); 3] = [
            &|model| _ = model.pulse(foreign.mass.point(), Pulse::default()),
            &|model| _ = model.drive(foreign.plate.on([0.4, 0.4]), Drive::Control(1.0.into())),
            &|model| _ = model.striker(foreign.string.at(0.5), Pulse::default()),
        ];
        for case in cases {
            refused(&with(case), Subject::Exciter(exciters));
        }
        let pickup = own.pickup.index() + 1;
        refused(&with(&|model| _ = model.pickup(foreign.mass.point(), Quantity::Velocity)), Subject::Pickup(pickup));
        refused(&with(&|model| _ = model.force_pickup(foreign.contact)), Subject::Pickup(pickup));
        assert!(own.model.compile(RATE).is_ok());
    }
}

#[test]
fn a_model_neither_touches_nor_exposes_them() {
    for foreign in more_parts() {
        let mut model = parts().model;
        assert_eq!(
            model.touch(foreign.plate, touch(Region::Everywhere)),
            Err(CompileError::ForeignId { subject: Subject::Model })
        );
        let paths = [
            ParamPath::Force(foreign.bow),
            ParamPath::Velocity(foreign.bow),
            ParamPath::Place(foreign.bow, 0),
            ParamPath::Drive(foreign.drive),
            ParamPath::ExciterPlace(foreign.striker, 0),
            ParamPath::Height(foreign.barrier),
            ParamPath::Touch(foreign.plate, 0, TouchParam::Pressure),
        ];
        for path in paths {
            assert_eq!(model.expose(path, [0.0, 1.0], 0.0), None, "{path:?}");
            assert!(foreign.model.clone().expose(path, [0.0, 1.0], 0.0).is_some(), "{path:?}");
        }
    }
}

#[test]
fn only_plates_can_be_touched() {
    let Parts { mut model, mass, .. } = parts();
    let subject = Subject::Element(mass.index());
    let refused = model.touch(mass, touch(Region::Everywhere));
    assert!(matches!(refused, Err(CompileError::Place { subject: found, element: "mass", .. }) if found == subject));
}

/// What a simulation says of all parts.
fn answers(sim: &mut Simulation, ids: &Parts) -> Vec<(&'static str, bool)> {
    vec![
        ("read", sim.read(ids.pickup) != 0.0),
        ("displacements", !sim.displacements(ids.mass).is_empty()),
        ("displacements of a plate", !sim.displacements(ids.plate).is_empty()),
        ("displacement", sim.displacement(ids.mass, 0) != 0.0),
        ("increments", !sim.increments(ids.string).is_empty()),
        ("psi", sim.psi(ids.contact).count() > 0),
        ("force", sim.force(ids.bow) != 0.0),
        ("grid", sim.grid(ids.string).is_some()),
        ("plate_grid", sim.plate_grid(ids.plate).is_some()),
        ("plate_displacement", sim.plate_displacement(ids.plate, 5, 5) != 0.0),
        ("grid_view", sim.grid_view(ids.plate, &[1], &[1]).is_some()),
        ("operators", sim.operators(ids.mass).is_some()),
        ("param", sim.param(ids.param).is_some()),
        ("set", sim.set(ids.param, 0.1)),
        ("strike", sim.strike(ids.striker, 0.5)),
        ("press", sim.press(ids.plate, ids.touch, 1, &[0.5])),
    ]
}

#[test]
fn no_method_of_a_simulation_takes_them_for_its_own() {
    for foreign in more_parts() {
        let own = parts();
        let mut sim = own.model.compile(RATE).unwrap();
        (0..60).for_each(|_| sim.step());
        for (method, known) in answers(&mut sim, &own) {
            assert!(known, "{method} does not know its own");
        }
        for (method, known) in answers(&mut sim, &foreign) {
            assert!(!known, "{method} takes a foreign id");
        }
        assert!(!sim.strike(own.drive, 0.5), "a drive does not strike");
        let before = sim.param(own.param);
        (0..600).for_each(|_| sim.step());
        assert!(before != Some(0.1) && sim.param(own.param) == Some(0.1), "{before:?}");
    }
}

#[test]
fn a_view_is_refreshed_by_simulations_of_its_model_and_rate_only() {
    let [one, more] = more_parts();
    let mut sim = one.model.compile(RATE).unwrap();
    let mut view = sim.grid_view(one.plate, &[3, 4], &[5]).unwrap();
    sim.step();
    assert!(view.refresh(&sim));
    assert!(view.refresh(&more.model.compile(RATE).unwrap()), "a clone of the model has the same plate");
    assert!(!view.refresh(&parts().model.compile(RATE).unwrap()));
    assert!(!view.refresh(&one.model.compile(2.0 * RATE).unwrap()));
}

#[test]
fn a_clone_knows_the_ids_of_the_original_but_not_what_is_added_to_one_of_the_two() {
    let [one, more] = more_parts();
    let mut sim = more.model.compile(RATE).unwrap();
    (0..60).for_each(|_| sim.step());
    assert!(sim.read(one.pickup) != 0.0 && sim.set(one.param, 0.3) && sim.set(more.param, 0.3));
    let mut other = one.model.clone();
    let added = other.pickup(one.string.at(0.3), Quantity::Displacement);
    assert_eq!(added.index(), more.pickup.index());
    assert_eq!(sim.read(added), 0.0);
}

#[test]
fn models_are_equal_if_the_same_was_added_to_them() {
    let (one, two) = (parts(), parts());
    assert_eq!(one.model, two.model);
    assert_eq!(one.model, one.model.clone());
    let changed = |change: &dyn Fn(&mut Parts)| {
        let mut other = parts();
        change(&mut other);
        other.model
    };
    let changes: [&dyn Fn(&mut Parts); 8] = [
        &|it| it.model.scheme = Scheme::Plain,
        &|it| _ = it.model.add(Mass::default()),
        &|it| _ = it.model.touch(it.plate, touch(Region::Everywhere)).unwrap(),
        &|it| _ = it.model.collide(it.mass.point(), it.string.at(0.4), Collision::default()),
        &|it| _ = it.model.pulse(it.mass.point(), Pulse::default()),
        &|it| _ = it.model.pickup(it.mass.point(), Quantity::Velocity),
        &|it| _ = it.model.force_pickup(it.contact),
        &|it| _ = it.model.expose(ParamPath::Velocity(it.bow), [0.0, 1.0], 0.0),
    ];
    for change in changes {
        assert_ne!(one.model, changed(change));
    }
    // The same positions, but of other elements and of another model.
    let pickup =
        |element: fn(&Parts) -> ElementId| changed(&|it| _ = it.model.pickup(element(it).point(), Quantity::Force));
    assert_eq!(pickup(|it| it.mass), pickup(|it| it.mass));
    assert_ne!(pickup(|it| it.mass), pickup(|it| it.barrier));
    let foreign = parts().mass;
    assert_ne!(pickup(|it| it.mass), changed(&|it| _ = it.model.pickup(foreign.point(), Quantity::Force)));
}
