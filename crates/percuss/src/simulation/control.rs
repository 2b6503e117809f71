//! Parameters and strikers of a running simulation.
//!
//! Nothing here allocates, locks or fails. The energy balance stays exact: changes take effect between two steps, and the ledger
//! records their work.

use crate::control::moving_point::ForceStencil;
use crate::control::signal::Signal;
use crate::model::{Control, ExciterId, Param, ParamId};
use crate::simulation::Simulation;

impl Simulation {
    /// Sets a parameter from the next step on, clamped to its range. Returns false for a value that is not finite and for a
    /// parameter that the model does not have.
    ///
    /// Touches read their parameters once per control interval of their plate.
    pub fn set(&mut self, param: ParamId, value: f64) -> bool {
        let time = self.step_count as f64 * self.k;
        let Some(own) = self.params.iter_mut().find(|own| own.id() == param) else { return false };
        if !own.set(time, value) {
            return false;
        }
        self.visit_controls(&mut |control| {
            if let Control::Param(own) = control
                && own.id() == param
            {
                own.set(time, value);
            }
        });
        true
    }

    /// The value of a parameter; `None` for one that the model does not have.
    #[must_use]
    pub fn param(&self, param: ParamId) -> Option<f64> {
        let own = self.params.iter().find(|own| own.id() == param)?;
        Some(own.at(self.step_count as f64 * self.k))
    }

    /// Strikes or plucks from the next step on with −1 to 1 of the striker's strongest gesture. Returns false for a strength that is not finite
    /// and for an exciter that is not a striker of the model.
    pub fn strike(&mut self, striker: ExciterId, strength: f64) -> bool {
        let time = self.step_count as f64 * self.k;
        let Some(index) = self.ids.exciters.position(striker) else { return false };
        let signal = &mut self.forces[index].signal;
        let strikes = strength.is_finite() && matches!(signal, Signal::Striker { .. });
        if strikes {
            signal.strike(time, strength);
        }
        strikes
    }

    /// Collects the parameters of the model from the controls. Parameters copied from other models stay with their scripts.
    pub(crate) fn collect_params(&mut self) {
        let mut params: Vec<Param> = Vec::new();
        self.visit_controls(&mut |control| {
            if let Control::Param(param) = control
                && params.iter().all(|known| known.id() != param.id())
            {
                params.push(Param::clone(param));
            }
        });
        params.retain(|param| self.ids.params.position(param.id()).is_some());
        self.params = params;
    }

    /// Resets all parameters to their scripts and removes all pulses of strikers.
    pub(crate) fn reset_params(&mut self) {
        self.forces.iter_mut().for_each(|force| force.signal.reset());
        self.params.iter_mut().for_each(Param::reset);
        self.visit_controls(&mut |control| {
            if let Control::Param(param) = control {
                param.reset();
            }
        });
    }

    fn visit_controls(&mut self, visit: &mut dyn FnMut(&mut Control)) {
        self.network.visit_controls(visit);
        self.bodies.visit_controls(visit);
        for force in &mut self.forces {
            if let Signal::Control(control) = &mut force.signal {
                visit(control);
            }
            if let ForceStencil::Moving(moving_point) = &mut force.stencil {
                moving_point.visit_controls(visit);
            }
        }
    }
}
