//! Our own input and output are not handed down to what runs on without us: a host waits until every copy of its
//! pipes is closed, and would wait for the worker, too.

#![allow(unsafe_code)] // a call of the system; why it is sound is said where it is

use std::io;
use std::os::windows::io::AsRawHandle as _;

use windows_sys::Win32::Foundation::{HANDLE, HANDLE_FLAG_INHERIT, SetHandleInformation};

/// Lets no process that is started from now on have our input and output, unless it is given them.
pub(super) fn keep() {
    let ours = [io::stdin().as_raw_handle(), io::stdout().as_raw_handle(), io::stderr().as_raw_handle()];
    for handle in ours.into_iter().filter(|handle| !handle.is_null()) {
        // SAFETY: it takes a handle and two numbers and changes one flag. A handle that is none is an error that
        // means there is nothing to hand down.
        unsafe { SetHandleInformation(handle as HANDLE, HANDLE_FLAG_INHERIT, 0) };
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::Foundation::GetHandleInformation;

    use super::*;

    #[test]
    fn what_is_kept_is_not_inherited() {
        keep();
        let mut flags = 0;
        // SAFETY: the handle is open and the number is ours.
        unsafe { GetHandleInformation(io::stderr().as_raw_handle() as HANDLE, &raw mut flags) };
        assert_eq!(flags & HANDLE_FLAG_INHERIT, 0);
    }
}
