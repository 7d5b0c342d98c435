// Resolves a `$ref` to a file and a fragment, or reports why it can't be read. Opens no file.

import { decodePercent, type Finding } from "@callsheet/format"
import { messages } from "./messages.ts"

/** `file` is a path from the project root. `fragment` is decoded: a JSON pointer, an anchor, or empty for the whole file. */
type ReadTarget =
  | { readonly ok: true; readonly file: string; readonly fragment: string }
  | { readonly ok: false; readonly problem: Finding }

/** Reads a reference in `file`. It must be relative, to this file or another one within the project. */
export function readTarget(reference: string, file: string): ReadTarget {
  const hash = reference.indexOf("#")
  const path = decodePercent(hash === -1 ? reference : reference.slice(0, hash))
  const fragment = decodePercent(hash === -1 ? "" : reference.slice(hash + 1))
  if (path === undefined || fragment === undefined) return refuse(invalid.badEscape())
  if (path === "") return { ok: true, file, fragment }
  if (path.startsWith("/") || path.startsWith("\\") || /^[a-z]:[\\/]/i.test(path) || path.includes("\0"))
    return refuse(outside.outside())
  if (/^[a-z][a-z0-9+.-]*:/i.test(path)) return refuse(outside.address())
  if (path.includes("\\")) return refuse(invalid.backslash())
  const target = join(file, path)
  return target === undefined ? refuse(outside.outside()) : { ok: true, file: target, fragment }
}

function join(file: string, path: string): string | undefined {
  const steps = file.split("/").slice(0, -1)
  for (const step of path.split("/")) {
    if (step === "" || step === ".") continue
    if (step !== "..") steps.push(step)
    else if (steps.pop() === undefined) return undefined
  }
  return steps.join("/")
}

const { "document-invalid": invalid, "link-outside": outside } = messages

const refuse = (problem: Finding): ReadTarget => ({ ok: false, problem })
