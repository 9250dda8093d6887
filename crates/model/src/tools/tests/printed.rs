//! What a model is told of a command that did not simply succeed.

use super::*;

/// A shell whose every command ends like this.
struct Ends(JobOutput);

impl Shell for Ends {
    fn run(&self, _: &ShellJob) -> Result<JobOutput, ToolError> {
        Ok(self.0.clone())
    }
}

fn told(printed: JobOutput) -> (String, bool) {
    let case = Case::new();
    let shell = Ends(printed);
    let mut tools = Toolbox::new(case.permissions(), &case.staging, &shell);
    let patience = CallLimit { cancel: Cancel::default(), until: Instant::now() + Duration::from_mins(10) };
    let outcome = tools.call("Bash", &json!({ "command": "ls" }), &patience);
    (outcome.text, outcome.is_error)
}

fn printed(text: &str, status: Option<i32>) -> JobOutput {
    JobOutput { text: text.as_bytes().to_vec(), status, ..JobOutput::default() }
}

#[test]
fn a_status_is_an_answer_and_a_killed_command_is_none() {
    assert_eq!(told(printed("", Some(0))), ("(no output)".to_owned(), false));
    assert_eq!(told(printed("", Some(1))), ("[exit status 1]".to_owned(), false));
    assert_eq!(told(printed("no end of line", Some(2))), ("no end of line\n[exit status 2]".to_owned(), false));
    assert_eq!(told(printed("half", None)), ("half\n[stopped]".to_owned(), true));
}

#[test]
fn what_was_printed_before_time_was_up_is_shown() {
    let (text, failed) = told(JobOutput { timed_out: true, ..printed("half\n", None) });
    assert_eq!((text.as_str(), failed), ("half\n[stopped: the command took too long]", true));
}

#[test]
fn output_that_was_cut_says_so_and_is_never_more_than_fits() {
    let (text, failed) = told(JobOutput { cut: true, ..printed("much\n", Some(0)) });
    assert_eq!((text.as_str(), failed), ("much\n[cut: there was more output; ask for less]\n", false));
    // A character of two bytes lies across the limit: it goes as a whole.
    let (text, _) = told(printed(&format!("x{}", "é".repeat(limits::TOOL_RESULT_BYTES)), Some(0)));
    let (shown, note) = text.rsplit_once('\n').unwrap();
    assert!(shown.len() <= limits::TOOL_RESULT_BYTES && shown.ends_with('é'), "{}", shown.len());
    assert!(note.starts_with(&format!("[cut: {} of ", shown.len())), "{note}");
}
