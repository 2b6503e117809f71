//! A string that is plucked twice a second, on the system's sound device (through cpal):
//!
//!     cargo run --release -p percuss-live --features live --example live_string -- [--seconds 5] [--device none|jack|NAME]
//!
//! Shows how a simulation runs inside an audio callback. The callback owns the simulation and neither allocates nor
//! locks; the main thread sends it plucks through a wait-free queue. `percuss_live::AudioEngine` does the same for scenes,
//! with many parameters, MIDI and OSC.

use percuss::prelude::*;
use percuss_live::device::{AudioSource, DeviceError, DeviceSelector, OutputDevice};
use rtrb::{Consumer, RingBuffer};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Sample rate that is asked for \[Hz\]; the device may have another.
const RATE: f64 = 48_000.0;
/// Time between plucks.
const INTERVAL: Duration = Duration::from_millis(500);
/// Strengths of the plucks, over and over.
const STRENGTHS: [f64; 4] = [1.0, 0.4, 0.7, 0.4];
/// From velocity \[m/s\] to full scale.
const GAIN: f64 = 0.1;

/// What the audio callback owns.
struct LiveString {
    simulation: Simulation,
    pluck: ExciterId,
    pickup: PickupId,
    /// Strengths of plucks to come, from 0 to 1.
    plucks: Consumer<f64>,
    channels: usize,
    /// Largest sample so far, in magnitude.
    peak: f32,
}

impl AudioSource for LiveString {
    /// Runs on the audio thread: one step per frame.
    fn fill(&mut self, out: &mut [f32]) {
        while let Ok(strength) = self.plucks.pop() {
            self.simulation.strike(self.pluck, strength);
        }
        for frame in out.chunks_mut(self.channels) {
            self.simulation.step();
            let sample = (GAIN * self.simulation.read(self.pickup)).clamp(-1.0, 1.0) as f32;
            self.peak = self.peak.max(sample.abs());
            frame.fill(sample);
        }
    }
}

/// Compiles the string for the rate and the channels of a device.
fn string(output: &OutputDevice, plucks: Consumer<f64>) -> LiveString {
    let mut model = Model::new();
    let string = model.add(StiffString { length: 0.65, tension: 64.0, ..StiffString::steel(0.2e-3) });
    // A push by a fingertip: a short force pulse, scaled by the strength of every pluck.
    let pluck = model.striker(string.at(0.18), Pulse { duration: 2e-3, peak: 2.0, ..Pulse::default() });
    let pickup = model.pickup(string.at(0.1), Quantity::Velocity);
    let simulation = model.compile(output.sample_rate).expect("the string is stable at any rate");
    LiveString { simulation, pluck, pickup, plucks, channels: output.channels, peak: 0.0 }
}

/// Plays for a time.
fn play(device: &DeviceSelector, time: Duration) -> Result<(), DeviceError> {
    let output = OutputDevice::open(device, RATE, None)?;
    println!("plays on {} at {} Hz, {} channels", output.name, output.sample_rate, output.channels);
    let (mut queue, plucks) = RingBuffer::new(16);
    let stream = output.start(string(&output, plucks)).map_err(|refused| refused.error)?;
    let (start, mut sent) = (Instant::now(), 0);
    while start.elapsed() < time && !stream.status.is_device_lost() {
        let strength = STRENGTHS[sent as usize % STRENGTHS.len()];
        sent += u32::from(queue.push(strength).is_ok());
        std::thread::sleep(INTERVAL.min(time.saturating_sub(start.elapsed())));
    }
    // Ends the callback and takes back what it owned.
    let peak = stream.stop().map_or(0.0, |string| string.peak);
    println!("played {sent} plucks in {:.1} s, peak {peak:.2} of full scale", start.elapsed().as_secs_f64());
    Ok(())
}

/// Device and time from the command line.
fn arguments() -> Option<(DeviceSelector, Duration)> {
    let (mut device, mut seconds) = (DeviceSelector::Default, 5.0);
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match (word.as_str(), words.next()) {
            ("--seconds", Some(value)) => seconds = value.parse().ok()?,
            ("--device", Some(name)) => {
                device = match name.as_str() {
                    "none" => DeviceSelector::None,
                    "jack" => DeviceSelector::Jack,
                    _ => DeviceSelector::Named(name),
                }
            }
            _ => return None,
        }
    }
    Some((device, Duration::try_from_secs_f64(seconds).ok()?))
}

fn main() -> ExitCode {
    let Some((device, time)) = arguments() else {
        eprintln!("usage: live_string [--seconds SECONDS] [--device none|jack|NAME]");
        return ExitCode::from(2);
    };
    // A machine without a sound device is no failure of this example.
    if let Err(error) = play(&device, time) {
        println!("no sound: {error}\n  hint: {}", error.hint);
    }
    ExitCode::SUCCESS
}
