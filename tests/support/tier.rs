//! Sizes of tests by tier, and tests in their own process.

use std::ffi::OsStr;
use std::process::Command;

/// Environment variable that `cargo xtask test --thorough` and `--nightly` set to `thorough`.
const TIER: &str = "URTO_TEST_TIER";
/// Environment variable that `cargo xtask cross` sets: the emulator that starts programs which this system cannot.
const EMULATOR: &str = "URTO_TEST_EMULATOR";
/// Environment variable of a child process: the test whose body it runs.
const CHILD: &str = "URTO_TEST_CHILD";

/// Whether the tests run at their whole size.
#[allow(dead_code, reason = "not every program has a test of several sizes")]
pub fn is_thorough() -> bool {
    match std::env::var(TIER) {
        Err(_) => false,
        Ok(tier) if tier == "everyday" => false,
        Ok(tier) if tier == "thorough" => true,
        Ok(other) => panic!("{TIER} is `{other}`; set it to `everyday` or `thorough`"),
    }
}

/// The size of a test: `everyday` as a rule, `thorough` where everything is asked for.
#[allow(dead_code, reason = "not every program has a test of several sizes")]
pub fn size<T>(everyday: T, thorough: T) -> T {
    if is_thorough() { thorough } else { everyday }
}

/// The number of repetitions in a test that only repeats: a quarter of `usual` in an emulator, where tests take 30 times as long.
#[allow(dead_code, reason = "few tests take long by repetition")]
pub fn repetitions(usual: usize) -> usize {
    if std::env::var_os(EMULATOR).is_some() { usual / 4 } else { usual }
}

/// Runs `body` in a process of its own, for tests that look at the memory or the threads of their process. `name` is the full name of
/// the calling test.
#[allow(dead_code, reason = "few tests need a process of their own")]
pub fn in_own_process(name: &str, body: impl FnOnce()) {
    in_own_process_with(name, &[], body);
}

/// The same with additional environment variables.
#[allow(dead_code, reason = "few tests need a process of their own")]
pub fn in_own_process_with(name: &str, variables: &[(&str, &OsStr)], body: impl FnOnce()) {
    if std::env::var(CHILD).is_ok_and(|child| child == name) {
        return body();
    }
    let mut child = this_program();
    child.args([name, "--exact", "--include-ignored", "--nocapture"]);
    let output = child.env(CHILD, name).envs(variables.iter().copied()).output().expect("it runs");
    print!("{}", String::from_utf8_lossy(&output.stdout));
    eprint!("{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{name} failed in its own process");
    let ran = String::from_utf8_lossy(&output.stdout).contains("1 passed");
    assert!(ran, "there is no test `{name}` in this program: correct the name given to in_own_process");
}

/// The command that starts this test program again.
#[allow(dead_code, reason = "few tests need a process of their own")]
fn this_program() -> Command {
    let program = std::env::current_exe().expect("this test program");
    match std::env::var_os(EMULATOR) {
        None => Command::new(program),
        Some(emulator) => {
            let mut command = Command::new(emulator);
            command.arg(program);
            command
        }
    }
}
