// Why the system refused to read or write, in words.

const reasons = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["ENOENT", "it does not exist"],
  ["ENOTDIR", "a part of its path is a file, not a folder"],
  ["EISDIR", "it is a folder, not a file"],
  ["ELOOP", "it is, or lies behind, a link that leads in a circle"],
  ["EMLINK", "it has become a link"],
  ["EMFILE", "this process has too many files open"],
  ["ENFILE", "the system has too many files open"],
  ["ENAMETOOLONG", "its name is too long"],
  ["EIO", "the disk reports an error"],
  ["ENXIO", "it is a pipe, a socket or a device, not a file"],
])

export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && "code" in error ? String(error.code) : undefined

/** The reason that an error of `node:fs` gives: never its message, which holds absolute paths. */
export function reasonOf(error: unknown): string {
  const code = errorCode(error)
  if (code === undefined) return "the system does not say why"
  return reasons.get(code) ?? `the system says ${code}`
}
