//! Ids of the parts of a model.
//!
//! Every part gets a serial number that no other part of the process has. An id is that number and the part's position, and a
//! model or simulation accepts an id if the part at that position has that number. So an id never refers to a part of another model,
//! and a clone of a model, which has the same parts, accepts the same ids.

use std::sync::atomic::{AtomicU32, Ordering};

static NEXT_SERIAL: AtomicU32 = AtomicU32::new(0);

/// What all ids have in common.
pub(crate) trait Id: Copy + PartialEq {
    fn new(serial: u32, index: u32) -> Self;
    fn position(self) -> usize;
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub struct $name {
            serial: u32,
            index: u32,
        }

        impl $name {
            /// Position in the order of adding. Ids of different models may have the same position.
            pub fn index(self) -> usize {
                self.index as usize
            }
        }

        impl Id for $name {
            fn new(serial: u32, index: u32) -> Self {
                Self { serial, index }
            }

            fn position(self) -> usize {
                self.index()
            }
        }
    };
}

id!(
    /// An element of a model.
    ElementId
);
id!(
    /// An interaction of a model.
    InteractionId
);
id!(
    /// An exciter of a model: a pulse, pluck, drive or striker.
    ExciterId
);
id!(
    /// A pickup of a model.
    PickupId
);
id!(
    /// A parameter of a model. See [`Model::expose`](crate::Model::expose).
    ParamId
);

/// Ids of all parts of one kind, in the order of adding.
#[derive(Clone, Debug)]
pub(crate) struct IdList<T>(Vec<T>);

impl<T> Default for IdList<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Id> IdList<T> {
    /// The id of the next part.
    pub fn add(&mut self) -> T {
        let id = T::new(NEXT_SERIAL.fetch_add(1, Ordering::Relaxed), self.0.len() as u32);
        self.0.push(id);
        id
    }

    /// Position of a part; `None` for a part of another model.
    #[inline]
    pub fn position(&self, id: T) -> Option<usize> {
        (self.0.get(id.position()) == Some(&id)).then(|| id.position())
    }

    /// All ids, in the order of adding.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<T> {
        self.0.clone().into_iter()
    }

    /// The id of the part at a position.
    pub fn at(&self, index: usize) -> T {
        self.0[index]
    }
}

/// Ids of all parts of a model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ids {
    pub elements: IdList<ElementId>,
    pub interactions: IdList<InteractionId>,
    pub exciters: IdList<ExciterId>,
    pub pickups: IdList<PickupId>,
    pub params: IdList<ParamId>,
}
