// Decides which paths a project file may name to write to. A stranger may have written that file, so only plain names inside
// the project are allowed. The command line may name any path.

import { messages } from "../messages.ts"
import type { Finding } from "../problems.ts"
import { checkFreeName } from "../workflow/names.ts"

/** The only hidden directory in which a setting may name a file. */
const OWN_DIRECTORY = ".callsheet"

/** Directories that programs read code, requests and secrets from. */
const readDirectories: ReadonlySet<string> = new Set(["apis", "node_modules"])
const readFiles: ReadonlySet<string> = new Set(["callsheet.json", "callsheet.baseline.json", "package.json"])

/** Leaves out what shells, disks and programs read in their own way, such as `~`, `$`, `:` and an option's `-`. */
const plainName = /^[\p{L}\p{N}_.][\p{L}\p{M}\p{N}_ .,+=@()-]*$/u
/** Characters that some disks ignore in a name. */
const ignored = /\p{Default_Ignorable_Code_Point}/u

/** Returns the directories and the name in a path. Leaves out `.` and empty ones: `./reports/` is `reports`. */
export const writtenSegments = (path: string): readonly string[] =>
  path.split("/").filter((segment) => segment !== "" && segment !== ".")

/** Returns the reason why a setting can't name this file or directory, if any. Doesn't look at the disk. */
export function checkWrittenPath(path: string): Finding<"path-refused"> | undefined {
  const { named } = messages["path-refused"]
  const segments = writtenSegments(path)
  if (path.startsWith("/") || segments.includes("..")) return named(path, "it leads outside the project")
  if (segments.length === 0) return named(path, "it names no file")
  for (const [at, segment] of segments.entries()) {
    const reason = checkSegment(segment, { isFirst: at === 0, isLast: at === segments.length - 1 })
    if (reason !== undefined) return named(path, reason)
  }
  return undefined
}

function checkSegment(
  segment: string,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): string | undefined {
  if (!plainName.test(segment) || ignored.test(segment)) return "use letters, digits and _ - . + , @ = ( )"
  // Some disks don't distinguish case, compatible characters and accents.
  const key = segment.normalize("NFKC").toLowerCase().normalize("NFKC")
  if (key.startsWith(".")) {
    const isOwn = isFirst && !isLast && segment === OWN_DIRECTORY
    return isOwn ? undefined : `${JSON.stringify(segment)} is hidden`
  }
  const free = checkFreeName(segment) ?? checkFreeName(key)
  if (free !== undefined) return free
  if (readDirectories.has(key)) return `callsheet and other programs read ${key}/`
  if (!isLast) return undefined
  if (readFiles.has(key)) return `${key} has settings`
  return key.endsWith(".env") ? "its name is that of a secrets file" : undefined
}
