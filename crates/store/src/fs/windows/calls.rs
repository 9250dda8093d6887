//! Two questions to Windows that no safe crate asks: when a file's record last changed, and whether a process is
//! there. Enters: an open file, or a number. Leaves: plain values; no pointer or handle gets out.

#![allow(unsafe_code)] // calls of the system; why each is sound is said where it is

use std::fs::File;
use std::io;
use std::os::windows::io::{AsRawHandle as _, FromRawHandle as _, OwnedHandle};

use windows_sys::Win32::Foundation::{ERROR_ACCESS_DENIED, HANDLE, WAIT_TIMEOUT};
use windows_sys::Win32::Storage::FileSystem::{FILE_BASIC_INFO, FileBasicInfo, GetFileInformationByHandleEx};
use windows_sys::Win32::System::Threading::{OpenProcess, PROCESS_SYNCHRONIZE, WaitForSingleObject};

/// When anything about a file last changed, in tenths of microseconds since 1601; an editor cannot set it back
/// without meaning to.
pub(super) fn change_time(file: &File) -> io::Result<u64> {
    let mut said = FILE_BASIC_INFO::default();
    // SAFETY: the handle is open as long as `file` is borrowed; the buffer is a whole FILE_BASIC_INFO of ours and
    // its size is what is said. The call keeps neither.
    let answered = unsafe {
        GetFileInformationByHandleEx(
            file.as_raw_handle() as HANDLE,
            FileBasicInfo,
            (&raw mut said).cast(),
            size_of::<FILE_BASIC_INFO>() as u32,
        )
    };
    if answered == 0 { Err(io::Error::last_os_error()) } else { Ok(u64::try_from(said.ChangeTime).unwrap_or(0)) }
}

/// Whether a process is there. PIDs come back: whoever asks also looks at the time.
pub(crate) fn is_alive(pid: u32) -> bool {
    if pid == 0 {
        return false;
    }
    // SAFETY: it takes numbers and gives a handle or null.
    let handle = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, pid) };
    if handle.is_null() {
        // Somebody else's process is one, too.
        let denied = io::Error::last_os_error().raw_os_error();
        return denied.and_then(|code| u32::try_from(code).ok()) == Some(ERROR_ACCESS_DENIED);
    }
    // SAFETY: the handle was given to us just now and nobody else closes it.
    let process = unsafe { OwnedHandle::from_raw_handle(handle.cast()) };
    // SAFETY: the handle is open until `process` is dropped. Not waiting at all asks whether it has ended.
    unsafe { WaitForSingleObject(process.as_raw_handle() as HANDLE, 0) == WAIT_TIMEOUT }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn a_change_moves_the_time_and_setting_the_time_back_does_not() {
        let mut file = tempfile::tempfile().unwrap();
        let made = change_time(&file).unwrap();
        assert!(made > 116_444_736_000_000_000);
        file.write_all(b"x").unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
        file.sync_all().unwrap();
        assert!(change_time(&file).unwrap() >= made);
    }

    #[test]
    fn this_process_is_there_and_one_that_has_ended_is_not() {
        assert!(is_alive(std::process::id()));
        assert!(!is_alive(0));
        let mut child = std::process::Command::new("cmd").args(["/c", "exit"]).spawn().unwrap();
        child.wait().unwrap();
        // The handle in `child` keeps the number from coming back.
        assert!(!is_alive(child.id()));
    }
}
