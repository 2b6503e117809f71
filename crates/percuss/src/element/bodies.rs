//! All bodies of a model, each kind in an array of its own.
//!
//! `bodies!` makes the arrays from the list of kinds. What is done in every step is a loop over each array, so that calls are static
//! and methods that a kind leaves out cost nothing; the rest goes through `&dyn Body`.

/// Adds a body to the array of its kind.
pub(crate) trait Store<B> {
    type Index;

    /// Returns where it is.
    fn store(&mut self, body: B) -> Self::Index;
}

/// Calls a function for all bodies of a kind. Counts down instead of comparing pointers, so that the compiler can remove loops
/// that do nothing.
#[inline(always)]
pub(crate) fn for_each_body<B>(mut bodies: &mut [B], mut call: impl FnMut(&mut B)) {
    while let [body, rest @ ..] = bodies {
        call(body);
        bodies = rest;
    }
}

/// Makes `Bodies` and `BodyIndex` of a list of arrays and the kinds of body that they hold.
macro_rules! bodies {
    ($($array:ident: $kind:ident),* $(,)?) => {
        /// The array of a body, and its position there.
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum BodyIndex {
            $($kind(usize)),*
        }

        /// All bodies of a model, each kind in an array of its own.
        #[derive(Clone, Debug, Default)]
        pub(crate) struct Bodies {
            /// For each element, in the order of adding.
            pub index: Vec<BodyIndex>,
            $($array: Vec<$kind>),*
        }

        $(impl Store<$kind> for Bodies {
            type Index = BodyIndex;

            fn store(&mut self, body: $kind) -> BodyIndex {
                self.$array.push(body);
                BodyIndex::$kind(self.$array.len() - 1)
            }
        })*

        impl<A, B> Store<Choice<A, B>> for Bodies
        where
            Self: Store<A, Index = BodyIndex> + Store<B, Index = BodyIndex>,
        {
            type Index = BodyIndex;

            fn store(&mut self, body: Choice<A, B>) -> BodyIndex {
                match body {
                    Choice::First(body) => self.store(body),
                    Choice::Second(body) => self.store(body),
                }
            }
        }

        impl Bodies {
            /// The body of an element.
            pub fn get(&self, element: usize) -> &dyn Body {
                match self.index[element] {
                    $(BodyIndex::$kind(index) => &self.$array[index]),*
                }
            }

            pub fn get_mut(&mut self, element: usize) -> &mut dyn Body {
                match self.index[element] {
                    $(BodyIndex::$kind(index) => &mut self.$array[index]),*
                }
            }

            /// The energy of an element after a step.
            pub fn balance(&self, element: usize, state: &State, k: f64) -> ElementEnergy {
                match self.index[element] {
                    $(BodyIndex::$kind(index) => self.$array[index].balance(state, k)),*
                }
            }

            /// Decides how step n is predicted; returns whether that needs du beside du⁺. For models that vary in time.
            #[inline(never)]
            pub fn begin_step(&mut self, n: u64) -> bool {
                let mut keep_previous = false;
                $(for_each_body(&mut self.$array, |body| keep_previous |= body.begin_step(n));)*
                keep_previous
            }

            /// Whether the bank predicts all of them.
            pub fn are_in_bank(&self) -> bool {
                true $(&& self.$array.iter().all(Body::is_in_bank))*
            }

            #[inline(never)]
            pub fn predict(&mut self, state: &mut State) {
                $(for_each_body(&mut self.$array, |body| body.predict(state));)*
            }

            pub fn apply_pending(&mut self, state: &mut State) {
                $(self.$array.iter_mut().for_each(|body| body.apply_pending(state));)*
            }

            pub fn clear_pending(&mut self, state: &State) {
                $(self.$array.iter_mut().for_each(|body| body.clear_pending(state));)*
            }

            pub fn resync(&self, state: &mut State) {
                $(self.$array.iter().for_each(|body| body.resync(state));)*
            }

            #[inline]
            pub fn advance(&mut self, n: u64, k: f64) {
                $(for_each_body(&mut self.$array, |body| body.advance(n, k));)*
            }

            pub fn reset(&mut self, state: &mut State, k: f64) {
                $(self.$array.iter_mut().for_each(|body| body.reset(state, k));)*
            }

            pub fn needs_previous(&self) -> bool {
                false $(|| self.$array.iter().any(Body::needs_previous))*
            }

            pub fn varies_in_time(&self) -> bool {
                false $(|| self.$array.iter().any(Body::varies_in_time))*
            }

            pub fn update_masses(&self, nodes: impl Iterator<Item = usize> + Clone, state: &mut State) {
                $(self.$array.iter().for_each(|body| body.update_masses(nodes.clone(), state));)*
            }

            pub fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
                $(self.$array.iter_mut().for_each(|body| body.visit_controls(visit));)*
            }

            /// Number of moving nodes and modes.
            pub fn count(&self) -> usize {
                0 $(+ self.$array.iter().map(Body::count).sum::<usize>())*
            }
        }
    };
}
pub(crate) use bodies;
