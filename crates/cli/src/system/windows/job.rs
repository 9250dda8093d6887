//! A job object: what is started inside of it ends with it, however we end ourselves.

#![allow(unsafe_code)] // calls of the system; why each is sound is said where it is

use std::io;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};
use std::process::Child;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION, JobObjectExtendedLimitInformation, SetInformationJobObject,
    TerminateJobObject,
};

/// A job with one process and all that it starts.
#[derive(Debug)]
pub(super) struct Job(OwnedHandle);

impl Job {
    /// Puts a running process into a job of its own.
    pub(super) fn of(child: &Child) -> io::Result<Job> {
        // SAFETY: no name and no attributes; it gives a handle or null.
        let handle = unsafe { CreateJobObjectW(std::ptr::null(), std::ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the handle was given to us just now and nobody else closes it.
        let job = Job(unsafe { OwnedHandle::from_raw_handle(handle.cast()) });
        let mut limits = JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        limits.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
        // SAFETY: the job is open; the buffer is a whole structure of the kind that is named, with its size.
        let limited = unsafe {
            SetInformationJobObject(
                job.handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size_of_val(&limits) as u32,
            )
        };
        // SAFETY: both handles are open as long as `job` and `child` are borrowed.
        if limited == 0 || unsafe { AssignProcessToJobObject(job.handle(), child.as_raw_handle() as HANDLE) } == 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(job)
    }

    /// Ends everything in it.
    pub(super) fn end(&self) {
        // SAFETY: the job is open. Nobody left to end is as good as ended.
        unsafe { TerminateJobObject(self.handle(), 1) };
    }

    fn handle(&self) -> HANDLE {
        self.0.as_raw_handle() as HANDLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_ends_its_process() {
        let mut child = std::process::Command::new("cmd").args(["/c", "pause"]).spawn().unwrap();
        let job = Job::of(&child).unwrap();
        job.end();
        assert!(!child.wait().unwrap().success());
    }
}
