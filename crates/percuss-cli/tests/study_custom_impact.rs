//! `percuss study impact` with a custom impact.

mod program;

use program::percuss;
use serde_json::Value;
use std::fs;
use tempfile::TempDir;

fn measured(line: &str) -> Value {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), line);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "no files without -o");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[track_caller]
fn number(value: &Value, pointer: &str) -> f64 {
    value.pointer(pointer).and_then(Value::as_f64).unwrap_or_else(|| panic!("no number at {pointer}"))
}

/// v_in = 1 m/s and µ = ½ s/m give v_out = −0.7484349315974343 m/s for any mass, stiffness and exponent.
#[test]
fn closed_forms_have_the_given_parameters() {
    for flags in ["--mass 0.01", "--mass 3 --stiffness 1e8 --exponent 2.2 --rate 8000"] {
        let found = measured(&format!("study impact --json {flags}"));
        assert!((number(&found, "/closed_form/v_out_m_s") + 0.748_434_931_597_434_3).abs() < 1e-14);
        assert!((number(&found, "/closed_form/restitution") - 0.748_434_931_597_434_3).abs() < 1e-14);
    }
    // A linear spring without loss: half a period, and x_max from the energy.
    let found = measured("study impact --json --exponent 1 --loss 0 --stiffness 1e4 --mass 0.04 --velocity 2");
    let omega = (1e4_f64 / 0.04).sqrt();
    assert!((number(&found, "/closed_form/contact_time_s") * omega / std::f64::consts::PI - 1.0).abs() < 1e-10);
    assert!((number(&found, "/closed_form/x_max_m") * omega / 2.0 - 1.0).abs() < 1e-12);
    assert_eq!(number(&found, "/closed_form/v_out_m_s"), -2.0);
}

/// The values of Table II(b) for case 2, which is relative to ṽ_out, 0.0125 % larger than v_out.
#[test]
fn default_parameters_reproduce_case_2() {
    let found = measured("study impact --json --mass 0.01");
    for (method, printed) in [("am1", 2.551), ("verlet", 0.839), ("heun", -4.692), ("rk4", -0.105)] {
        let error = number(&found, &format!("/methods/{method}/err_v_out_pct"));
        assert!((error - 0.0125 - printed).abs() < 2e-2, "{method}: {error}, printed {printed}");
        for quantity in ["err_x_max_pct", "err_contact_time_pct", "rms_v_out_pct", "dev_x_pct", "dev_h_pct"] {
            number(&found, &format!("/methods/{method}/{quantity}"));
        }
    }
    assert!(number(&found, "/methods/hybrid_exact/rms_v_out_pct") < 1e-10);
    assert!(number(&found, "/methods/tracked/rms_v_out_pct") < 1.0);
    assert!(number(&found, "/methods/tracked/err_contact_time_pct").abs() < 5.0);
}

#[test]
fn high_sample_rate_agrees_with_the_closed_forms() {
    let found = measured("study impact --json --rate 2e6");
    for method in ["am1", "verlet", "heun", "rk4", "tracked", "newton"] {
        // Explicit methods evaluate the loss half a step late, which affects the trajectory more than its end.
        for (quantity, bound) in
            [("err_v_out_pct", 0.05), ("rms_v_out_pct", 0.05), ("err_x_max_pct", 0.2), ("err_contact_time_pct", 0.2)]
        {
            let error = number(&found, &format!("/methods/{method}/{quantity}"));
            assert!(error.abs() < bound, "{method} {quantity}: {error}");
        }
    }
}

#[test]
fn values_out_of_range_are_rejected_with_a_hint() {
    let folder = TempDir::new().unwrap();
    for (flags, words, hint) in [
        ("--mass -1", "--mass is -1 kg, must be from 1e-9 to 1e6 kg", "10 g are 0.01"),
        ("--mass nan", "--mass is NaN kg", "kilograms"),
        ("--stiffness 0", "--stiffness is 0 N/m^exponent, must be from", "steel"),
        ("--exponent 0.5", "--exponent is 0.5, must be from 1e0 to 5e0", "linear spring"),
        ("--loss -0.1", "--loss is -0.1 s/m", "0 is lossless"),
        ("--velocity 0", "--velocity is 0 m/s", "above 0"),
        ("--rate 44.1", "--rate is 44.1 Hz", "44100"),
    ] {
        let output = percuss(folder.path(), &format!("study impact {flags}"));
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{flags}: {message}");
        assert!(message.starts_with("error: ") && message.contains(words), "{flags}: {message}");
        assert!(message.contains("  hint: ") && message.contains(hint), "{flags}: {message}");
    }
    let output = percuss(folder.path(), "study impact --stiffness 1 --mass 100");
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("must last at most") && message.contains("--rate below"), "{message}");
}

#[test]
fn short_contact_gets_a_warning() {
    let folder = TempDir::new().unwrap();
    let output = percuss(folder.path(), "study impact --stiffness 1e13 -o out");
    let warning = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{warning}");
    assert!(warning.contains("warning: the contact lasts 0.") && warning.contains("hint: --rate "), "{warning}");
    // The stiffness in the hint gives four samples.
    let softer = warning.split("--stiffness ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let found = measured(&format!("study impact --json --stiffness {softer}"));
    assert!((number(&found, "/closed_form/contact_samples") - 4.0).abs() < 0.05, "{warning}");
    let text = String::from_utf8(output.stdout).unwrap();
    for words in ["Closed forms", "restitution", "contact time", "hybrid_exact", "tracked", "wrote   out/case.csv"] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
    let csv = fs::read_to_string(folder.path().join("out/case.csv")).unwrap();
    assert!(csv.starts_with("method,quantity,value\n") && csv.lines().count() == 1 + 9 * 6, "{csv}");
}

#[test]
fn help_describes_the_parameters() {
    let folder = TempDir::new().unwrap();
    let text = String::from_utf8(percuss(folder.path(), "study impact --help").stdout).unwrap();
    for words in ["A custom impact", "--stiffness", "k x^a (1 + mu v)", "sphere on a plane", "case.csv"] {
        assert!(text.contains(words), "{words} in\n{text}");
    }
}
