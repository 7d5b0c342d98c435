// Describes the system's reasons why a file can't be read or written.

const reasons = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "part of its path is a file, not a directory"],
  ["EISDIR", "it is a directory, not a file"],
  ["ELOOP", "its symbolic links form a cycle"],
  ["EMLINK", "it has become a symbolic link"],
  ["EMFILE", "this process has too many open files"],
  ["ENFILE", "the system has too many open files"],
  ["ENAMETOOLONG", "its name is too long"],
  ["EIO", "the disk reported an error"],
  ["ENXIO", "it is a pipe, socket or device, not a file"],
])

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined

/** Returns the reason of a `node:fs` error. Omits its message, which contains absolute paths. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error)
  if (code === undefined) return "the system gave no reason"
  return reasons.get(code) ?? `the system reported ${code}`
}
