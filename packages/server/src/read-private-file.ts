// Reading a file of the state folder: no link is followed, and nothing is waited for.

import { closeSync, constants, openSync } from "node:fs"

/** Undefined where there is no such file, a link included, or where `use` cannot read it. */
export function readPrivateFile<T>(file: string, use: (descriptor: number) => T): T | undefined {
  let descriptor: number | undefined
  try {
    // Not to wait for what is no file, such as a pipe.
    descriptor = openSync(
      file,
      constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0),
    )
    return use(descriptor)
  } catch {
    return undefined
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}
