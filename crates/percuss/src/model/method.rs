//! How bodies are stepped.

/// How a string, bar, plate or membrane is stepped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// In its modes, with true pitch and decay, where `grid` is not given, forces act at no more than eight places, there are not too
    /// many modes, and nothing acts along its whole length or touches its surface. Places may move along strings and bars, over
    /// membranes with straight edges, and over rectangular plates that are simply supported. On a grid
    /// otherwise; that of a plate has its lowest modes corrected, so that their pitch and decay are true there, too.
    #[default]
    Modes,
    /// On a grid, with the explicit scheme of the literature. Pitch and overtones come out flat, the more the stiffer the body and
    /// the fewer its nodes.
    Grid,
}
