// The system's reasons why a file can't be read or written, in words.

const isPartFile = "a part of its path is a file, not a directory"
const isOpen = "another program has it open"

const reasons: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", isPartFile],
  ["EEXIST", isPartFile],
  ["EISDIR", "expected a file but found a directory"],
  ["ELOOP", "its symbolic links form a cycle"],
  ["EMLINK", "it has become a symbolic link"],
  ["EMFILE", "this process has too many open files"],
  ["ENFILE", "the system has too many open files"],
  ["ENAMETOOLONG", "its name is too long"],
  ["ENXIO", "it is a pipe, socket or device, not a file"],
  ["ENODEV", "it is a pipe, socket or device, not a file"],
  ["EINVAL", "the system does not accept its name or its kind"],
  ["ENOSPC", "the disk is full"],
  ["EDQUOT", "the disk quota is used up"],
  ["EROFS", "the disk is read-only"],
  ["EXDEV", "its directory is on two disks"],
  ["EBUSY", isOpen],
  ["ETXTBSY", isOpen],
  ["EFBIG", "it would be too large"],
  ["EIO", "the disk reported an error"],
])

/** Describes an error code of the file system, such as `EACCES`. */
export const systemReason = (code: string | undefined): string =>
  code === undefined ? "the system gave no reason" : (reasons.get(code) ?? `the system reported ${code}`)
