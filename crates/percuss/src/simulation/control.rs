//! Parameters and strikers of a running simulation.
//!
//! Nothing here allocates, locks or fails. The energy account stays exact: changes take effect between two steps, and their work is
//! booked.

use crate::control::moving_point::ForceStencil;
use crate::control::signal::Signal;
use crate::model::{Control, ParamId, Striker};
use crate::simulation::Simulation;

impl Simulation {
    /// Sets a parameter from the next step on, clamped to its range. Returns false for a value that is not finite and for a
    /// parameter that the model does not have.
    ///
    /// Touches read their parameters once per control interval of their plate.
    pub fn set(&mut self, param: ParamId, value: f64) -> bool {
        let time = self.n as f64 * self.k;
        let mut taken = false;
        self.each_control(&mut |control| {
            if let Control::Param(own) = control
                && own.id() == param
            {
                taken = own.set(time, value);
            }
        });
        taken
    }

    /// The value of a parameter.
    pub fn param(&mut self, param: ParamId) -> Option<f64> {
        let time = self.n as f64 * self.k;
        let mut value = None;
        self.each_control(&mut |control| {
            if let Control::Param(own) = control
                && own.id() == param
            {
                value = Some(own.at(time));
            }
        });
        value
    }

    /// Strikes from the next step on with −1 to 1 of the striker's strongest pulse. Returns false for a strength that is not finite.
    pub fn strike(&mut self, striker: Striker, strength: f64) -> bool {
        let time = self.n as f64 * self.k;
        match self.forces.get_mut(striker.index()) {
            Some(force) if strength.is_finite() && matches!(force.signal, Signal::Blows { .. }) => {
                force.signal.strike(time, strength);
                true
            }
            _ => false,
        }
    }

    /// Resets all parameters to their scripts and removes all pulses of strikers.
    pub(crate) fn reset_params(&mut self) {
        self.forces.iter_mut().for_each(|force| force.signal.reset());
        self.each_control(&mut |control| {
            if let Control::Param(param) = control {
                param.reset();
            }
        });
    }

    fn each_control(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.network.each_control(visit);
        self.elements.barriers.iter_mut().for_each(|barrier| visit(barrier.position.control()));
        for force in &mut self.forces {
            if let Signal::Control(control) = &mut force.signal {
                visit(control);
            }
            if let ForceStencil::Moving(moving_point) = &mut force.stencil {
                moving_point.each_control(visit);
            }
        }
        for layer in self.elements.plates.iter_mut().filter_map(|plate| plate.layer.as_mut()) {
            layer.each_control(visit);
        }
    }
}
