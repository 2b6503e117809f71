//! The render loop: step, record, mix pickups, remove low frequencies, decimate, store.

use super::dc_block::DcBlock;
use super::decimate::OfflineDecimator;
use super::fade::{fade_out, is_loud_at_end};
use super::plot_recorder::PlotRecorder;
use super::probes::ProbeTable;
use super::settings::RenderSettings;
use super::silence::SilenceDetector;
use super::temp_audio::{TempAudio, TempAudioWriter};
use crate::error::{CliError, Result};
use crate::format::unit_in_label;
use crate::movie::{FrameRecorder, RecordedFrames};
use crate::progress::RenderProgress;
use percuss::{Ledger, NewtonEffort, Simulation};
use percuss_scene::{ChannelMixer, Scene};
use std::io;
use std::path::Path;

/// Steps per block; the progress bar is updated after each block.
const BLOCK_STEPS: u64 = 1024;
/// Part at the end of a sound without a fade that is examined for loudness \[s\].
const UNFADED_END: f64 = 0.05;

/// The contact that stored most energy in the step in which open contacts stored most in total.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OpenEnergyPeak {
    /// Index of the interaction.
    pub interaction: usize,
    /// Energy that it stored \[J\].
    pub energy: f64,
}

/// How a sound ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It has decayed.
    Quiet,
    /// It was still loud, and was faded out.
    Faded,
    /// It was still loud, and was cut.
    Cut,
}

/// Results of a run.
pub struct RenderedScene {
    /// Samples of the sound.
    pub audio: TempAudio,
    /// Number of physics steps within the sound.
    pub steps: u64,
    /// How the sound ends.
    pub ending: Ending,
    /// Energy ledger after the last sample.
    pub ledger: Ledger,
    /// Peak of the energy in open contacts; `None` if they never stored any.
    pub open_energy_peak: Option<OpenEnergyPeak>,
    /// Iteration counts of the scheme newton.
    pub newton_effort: NewtonEffort,
    /// Drift of the stored energy of every interaction that can drift.
    pub drifts: Vec<Option<f64>>,
    /// Data for plots, if requested.
    pub plot_recorder: Option<PlotRecorder>,
    /// Probe table, if requested.
    pub probes: Option<ProbeTable>,
    /// Frames of the movie, if requested.
    pub movie_frames: Option<RecordedFrames>,
    /// Simulated time over wall-clock time.
    pub realtime_factor: f64,
}

/// What a run records besides the sound.
pub struct Recorders {
    /// Whether to record data for plots.
    pub plots: bool,
    /// Probe table, if requested.
    pub probes: Option<ProbeTable>,
    /// Recorder of the movie, if requested.
    pub frame_recorder: Option<FrameRecorder>,
}

/// Runs a scene. Temporary files are in `folder`.
pub fn run(
    scene: &Scene,
    mut sim: Simulation,
    settings: &RenderSettings,
    recorders: Recorders,
    folder: &Path,
) -> Result<RenderedScene> {
    sim.open_ledger();
    let write_failed = |error: io::Error| CliError::io("cannot write temporary audio", folder, &error);
    let plot_recorder = recorders.plots.then(|| PlotRecorder::new(sim.time_step(), ledger(&sim)));
    let mut render_loop = RenderLoop {
        dc_block: settings
            .dc_block
            .then(|| DcBlock::new(settings.physics_rate(), &initial_displacements(scene, &sim, settings))),
        mixer: ChannelMixer::new(scene, settings.channels),
        frames: Vec::with_capacity(BLOCK_STEPS as usize * settings.channels),
        decimator: OfflineDecimator::new(settings.oversample as usize, settings.channels),
        audio: TempAudioWriter::new(folder, settings.channels).map_err(write_failed)?,
        silence: settings.until_silent.then(|| SilenceDetector::new(settings.rate, scene.last_event)),
        plot_recorder,
        probes: recorders.probes,
        frame_recorder: recorders.frame_recorder,
        sim,
        frame_count: settings.frames,
        max_open_energy: 0.0,
        open_energy_peak: None,
    };
    render_loop.record_frame().map_err(write_failed)?;
    let mut progress = RenderProgress::new(settings.seconds());
    while render_loop.sim.steps() < settings.steps() && !render_loop.is_silent() {
        render_loop
            .run_block(BLOCK_STEPS.min(settings.steps() - render_loop.sim.steps()), true)
            .map_err(write_failed)?;
        render_loop.check_finite()?;
        progress.update(render_loop.sim.steps() as f64 * render_loop.sim.time_step());
    }
    let steps = render_loop.sim.steps();
    render_loop.frame_count = steps / u64::from(settings.oversample);
    let (ledger, newton_effort) = (ledger(&render_loop.sim).clone(), render_loop.sim.newton_effort());
    let drifts = scene.model.interaction_ids().map(|id| render_loop.sim.drift(id)).collect();
    // The decimation filter needs half its length of further input, which is simulated but neither recorded nor output.
    render_loop.sim.close_ledger();
    while render_loop.audio.frames() < render_loop.frame_count {
        render_loop.run_block(BLOCK_STEPS, false).map_err(write_failed)?;
    }
    render_loop.check_finite()?;
    let realtime_factor = steps as f64 * render_loop.sim.time_step() / progress.finish().max(1e-9);
    let mut audio = render_loop.audio.finish().map_err(write_failed)?;
    let ending = end_sound(&mut audio, settings).map_err(write_failed)?;
    let movie_frames = render_loop.frame_recorder.map(FrameRecorder::finish).transpose().map_err(write_failed)?;
    let RenderLoop { plot_recorder, probes, open_energy_peak, .. } = render_loop;
    Ok(RenderedScene {
        audio,
        steps,
        ending,
        ledger,
        open_energy_peak,
        newton_effort,
        drifts,
        plot_recorder,
        probes,
        movie_frames,
        realtime_factor,
    })
}

/// Fades out a sound that is loud at its end.
fn end_sound(audio: &mut TempAudio, settings: &RenderSettings) -> io::Result<Ending> {
    let is_faded = settings.fade_frames() > 0;
    let frames = if is_faded { settings.fade_frames() } else { (UNFADED_END * settings.rate) as u64 };
    if !is_loud_at_end(audio, frames)? {
        return Ok(Ending::Quiet);
    }
    if is_faded {
        fade_out(audio, frames)?;
    }
    Ok(if is_faded { Ending::Faded } else { Ending::Cut })
}

/// Displacements that the channels start with: what is there before the start is no sound.
fn initial_displacements(scene: &Scene, sim: &Simulation, settings: &RenderSettings) -> Vec<f64> {
    let displacements = || scene.outputs.iter().filter(|output| unit_in_label(&output.label) == Some("m"));
    let on_channel = |channel: usize| {
        displacements().map(|output| scene.channel_gain(output, channel) * sim.read(output.pickup)).sum()
    };
    (0..settings.channels).map(on_channel).collect()
}

fn ledger(sim: &Simulation) -> &Ledger {
    sim.ledger().expect("the ledger is open during a run")
}

struct RenderLoop {
    sim: Simulation,
    mixer: ChannelMixer,
    /// Interleaved frames of the current block.
    frames: Vec<f64>,
    /// `None` if low frequencies stay in.
    dc_block: Option<DcBlock>,
    decimator: OfflineDecimator,
    audio: TempAudioWriter,
    /// `None` if the length is fixed.
    silence: Option<SilenceDetector>,
    plot_recorder: Option<PlotRecorder>,
    probes: Option<ProbeTable>,
    frame_recorder: Option<FrameRecorder>,
    /// Length of the sound in frames.
    frame_count: u64,
    /// Largest energy in open contacts so far \[J\].
    max_open_energy: f64,
    open_energy_peak: Option<OpenEnergyPeak>,
}

impl RenderLoop {
    fn run_block(&mut self, steps: u64, recording: bool) -> io::Result<()> {
        self.frames.clear();
        for _ in 0..steps {
            self.sim.step();
            self.frames.extend(self.mixer.frame(&self.sim));
            if recording {
                self.record_step()?;
            }
        }
        if let Some(dc_block) = &mut self.dc_block {
            dc_block.filter(&mut self.frames);
        }
        let channels = self.mixer.channels();
        self.decimator.push(&self.frames, |frames| {
            self.silence.iter_mut().for_each(|silence| silence.observe(frames, channels));
            self.audio.write(frames, self.frame_count)
        })
    }

    fn is_silent(&self) -> bool {
        self.silence.as_ref().is_some_and(SilenceDetector::is_silent)
    }

    fn record_step(&mut self) -> io::Result<()> {
        self.track_open_energy();
        if let Some(plot_recorder) = &mut self.plot_recorder {
            plot_recorder.observe(self.sim.steps(), ledger(&self.sim));
        }
        self.record_frame()?;
        self.probes.as_mut().map_or(Ok(()), |probes| probes.write_row(&self.sim))
    }

    fn track_open_energy(&mut self) {
        let ledger = ledger(&self.sim);
        if ledger.total.open_energy > self.max_open_energy {
            self.max_open_energy = ledger.total.open_energy;
            let energies = ledger.interactions.iter().map(|account| account.open_energy).enumerate();
            let largest = energies.max_by(|a, b| a.1.total_cmp(&b.1));
            self.open_energy_peak = largest.map(|(interaction, energy)| OpenEnergyPeak { interaction, energy });
        }
    }

    fn record_frame(&mut self) -> io::Result<()> {
        self.frame_recorder.as_mut().map_or(Ok(()), |frame_recorder| frame_recorder.record_if_due(&self.sim))
    }

    /// Fails if a sample or the stored energy is not finite.
    fn check_finite(&self) -> Result<()> {
        let ledger_is_finite = self.sim.ledger().is_none_or(|ledger| ledger.total.stored.is_finite());
        if self.audio.is_finite() && ledger_is_finite {
            return Ok(());
        }
        let time = self.sim.steps() as f64 * self.sim.time_step();
        Err(CliError::with_hint(
            format!("the simulation became infinite or NaN before {time:.4} s; nothing was written"),
            "check forces, stiffnesses and gains for values that are far too large, for example with `percuss check`",
        ))
    }
}
