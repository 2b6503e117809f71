//! Errors of a model. All are found by [`Model::compile`](crate::Model::compile);
//! after that a simulation cannot fail.

use thiserror::Error;

/// The part of a model that an error is about, by its index in the order of adding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The model as a whole.
    Model,
    /// An element: mass, barrier, string, bar or modal resonator.
    Element(usize),
    /// An interaction: collision, connection, spring or damper.
    Interaction(usize),
    /// An exciter: pulse or drive.
    Exciter(usize),
    /// A pickup.
    Pickup(usize),
}

/// Reason why a model cannot be compiled. Every variant documents cause and remedy.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum CompileError {
    /// A parameter is not finite or outside its range. Remedy: bring it into the range.
    #[error("{field} is {value}, must be {allowed}")]
    Parameter {
        /// Where.
        subject: Subject,
        /// Name of the public field.
        field: &'static str,
        /// What was found.
        value: f64,
        /// What is allowed, in words.
        allowed: &'static str,
    },
    /// The grid asked for is finer than is stable at the sample rate. Remedy: fewer intervals or a higher rate.
    #[error("grid has {requested} intervals, at {rate} Hz at most {maximum} are stable")]
    GridTooFine {
        /// Where.
        subject: Subject,
        /// Intervals asked for.
        requested: usize,
        /// Most intervals that are stable.
        maximum: usize,
        /// Sample rate \[Hz\].
        rate: f64,
    },
    /// The rate leaves fewer than four intervals. Remedy: a higher rate, a longer or slacker string.
    #[error("only {intervals} grid intervals fit at {rate} Hz, at least 4 are needed")]
    GridTooCoarse {
        /// Where.
        subject: Subject,
        /// Intervals that fit.
        intervals: usize,
        /// Sample rate \[Hz\].
        rate: f64,
    },
    /// The grid would need more memory than is sensible. Remedy: a lower rate or a coarser grid.
    #[error("the grid would have {intervals} intervals, at most {maximum} are allowed")]
    GridTooLarge {
        /// Where.
        subject: Subject,
        /// Intervals asked for or implied.
        intervals: f64,
        /// Most intervals allowed.
        maximum: usize,
    },
    /// An oscillator is too fast for the sample rate. Remedy: a lower frequency or a higher rate.
    #[error("frequency {frequency} Hz cannot be carried at {rate} Hz, must be below {maximum:.1} Hz")]
    FrequencyTooHigh {
        /// Where.
        subject: Subject,
        /// What was found \[Hz\].
        frequency: f64,
        /// Limit \[Hz\].
        maximum: f64,
        /// Sample rate \[Hz\].
        rate: f64,
    },
    /// A point names a place its element does not have. Remedy: the place in the message.
    #[error("{element} has no such place: {expected}")]
    Place {
        /// Where.
        subject: Subject,
        /// Kind of element.
        element: &'static str,
        /// What it has.
        expected: &'static str,
    },
    /// An id of another model is used. Remedy: use what this model's `add` and `collide` returned.
    #[error("an id belongs to another model")]
    ForeignId {
        /// Where.
        subject: Subject,
    },
    /// Neither end of an interaction, or not the driven point, can move. Remedy: move the point off the support.
    #[error("nothing can move at this place: {reason}")]
    Immovable {
        /// Where.
        subject: Subject,
        /// Why.
        reason: &'static str,
    },
    /// The tension of an element is to rise with its length or area, which no motion of it changes. Remedy: hold all ends or edges.
    #[error(
        "it is not stretched: both ends of a string or bar of even thickness have to be held, or all edges of a membrane with a tension \
         and a modulus"
    )]
    NotStretched {
        /// Where.
        subject: Subject,
    },
    /// An element is to be stretched by bending, which it cannot be. Remedy: what the reason says.
    #[error("bending does not stretch it: {reason}")]
    NotStretchedByBending {
        /// Where.
        subject: Subject,
        /// Why not.
        reason: &'static str,
    },
    /// The law is quadratised as a whole and has no discrete gradient for the scheme newton. Remedy: the scheme tracked or plain.
    #[error("{kind} has no discrete gradient: the schemes tracked and plain step it, newton does not")]
    NoDiscreteGradient {
        /// Where.
        subject: Subject,
        /// Kind of the interaction.
        kind: &'static str,
    },
    /// An element is made to collide with itself. Remedy: name two elements.
    #[error("an element cannot collide with itself")]
    SelfContact {
        /// Where.
        subject: Subject,
    },
    /// Collisions form a cycle (a below b, b below a) without clearance. Remedy: a gap, or drop one contact.
    #[error("contacts form a cycle with {clearance} m of clearance, must be above 0 m")]
    ContactCycle {
        /// A contact of the cycle.
        subject: Subject,
        /// Sum of the gaps around the cycle \[m\].
        clearance: f64,
    },
    /// A spring, damper, finger or bow is so stiff, or damps so strongly, for bodies as light as these that the sum of forces which
    /// balance each other is lost in rounding. Remedy: less stiffness or damping, heavier bodies or a higher rate.
    #[error(
        "stiffness and damping amount to {stiffness:.1e} N/m, at {rate} Hz at most {maximum:.1e} N/m can be solved here"
    )]
    TooStiff {
        /// Where.
        subject: Subject,
        /// Stiffness, with what resistances and the energy of the start add to it \[N/m\].
        stiffness: f64,
        /// Limit for the bodies that it is between \[N/m\].
        maximum: f64,
        /// Sample rate \[Hz\].
        rate: f64,
    },
    /// A touch is so stiff that the motion of the nodes under it has no digits left. Remedy: a softer touch or a higher rate.
    #[error(
        "the touch is {stiffness:.1e} N/m³ stiff, on this plate at {rate} Hz at most {maximum:.1e} N/m³ can be solved"
    )]
    TouchTooStiff {
        /// Where.
        subject: Subject,
        /// Stiffness \[N/m³\].
        stiffness: f64,
        /// Limit for the mass of the plate \[N/m³\].
        maximum: f64,
        /// Sample rate \[Hz\].
        rate: f64,
    },
    /// The law dissipates in a way that only the scheme `tracked` accounts for. Remedy: that scheme.
    #[error("{kind} needs the scheme tracked")]
    NeedsTracked {
        /// Where.
        subject: Subject,
        /// Kind of the interaction.
        kind: &'static str,
    },
    /// The thickness of a bar changes, so that it can only be stepped in its modes, and here it cannot. Remedy: what the reason says.
    #[error("a bar whose thickness changes is stepped in its modes only, but {reason}")]
    NeedsModes {
        /// Where.
        subject: Subject,
        /// Why it cannot be.
        reason: &'static str,
    },
    /// There is nothing to simulate. Remedy: add an element that moves.
    #[error("the model has no element that can move")]
    Empty,
}

impl CompileError {
    /// The part of the model at fault.
    #[must_use]
    pub fn subject(&self) -> Subject {
        match *self {
            Self::Parameter { subject, .. }
            | Self::GridTooFine { subject, .. }
            | Self::GridTooCoarse { subject, .. }
            | Self::GridTooLarge { subject, .. }
            | Self::FrequencyTooHigh { subject, .. }
            | Self::Place { subject, .. }
            | Self::ForeignId { subject }
            | Self::Immovable { subject, .. }
            | Self::NotStretched { subject }
            | Self::NotStretchedByBending { subject, .. }
            | Self::NoDiscreteGradient { subject, .. }
            | Self::SelfContact { subject }
            | Self::TooStiff { subject, .. }
            | Self::TouchTooStiff { subject, .. }
            | Self::NeedsTracked { subject, .. }
            | Self::NeedsModes { subject, .. }
            | Self::ContactCycle { subject, .. } => subject,
            Self::Empty => Subject::Model,
        }
    }
}

/// Range checks for one part of a model.
#[derive(Clone, Copy)]
pub(crate) struct Check(pub Subject);

impl Check {
    pub fn require(
        self,
        holds: bool,
        field: &'static str,
        value: f64,
        allowed: &'static str,
    ) -> Result<(), CompileError> {
        if holds && value.is_finite() {
            Ok(())
        } else {
            Err(CompileError::Parameter { subject: self.0, field, value, allowed })
        }
    }
    pub fn positive(self, field: &'static str, value: f64) -> Result<(), CompileError> {
        self.require(value > 0.0, field, value, "above 0")
    }
    pub fn not_negative(self, field: &'static str, value: f64) -> Result<(), CompileError> {
        self.require(value >= 0.0, field, value, "0 or more")
    }
    pub fn finite(self, field: &'static str, value: f64) -> Result<(), CompileError> {
        self.require(true, field, value, "a finite number")
    }
    pub fn fraction(self, field: &'static str, value: f64) -> Result<(), CompileError> {
        self.require((0.0..=1.0).contains(&value), field, value, "between 0 and 1")
    }
}
