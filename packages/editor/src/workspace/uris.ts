// Converts between URIs of the protocol and paths on this machine.

import { realpathSync } from "node:fs"
import * as system from "node:path"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { attempt, wayBetween } from "@callsheet/format"

/** Returns the path of a `file` URI. Other documents, such as those of git or never saved ones, have no path. */
export function pathOf(uri: string): string | undefined {
  return uri.startsWith("file:") ? attempt(() => fileURLToPath(uri)) : undefined
}

export const uriOf = (path: string): string => pathToFileURL(path).href

/** Returns the path with all links resolved. The file and its directories may not exist yet. */
export function realPathOf(path: string): string {
  const real = attempt(() => realpathSync(path))
  if (real !== undefined || dirname(path) === path) return real ?? path
  return join(realPathOf(dirname(path)), basename(path))
}

/** Returns the path from a project's root, with `/`. */
export const pathWithin = (root: string, path: string): string => wayBetween(system, root, path)
