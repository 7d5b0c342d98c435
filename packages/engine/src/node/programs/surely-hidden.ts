// Recognizes the usual repository, whose `.gitignore` covers secrets files, without asking git: starting git takes a
// third of the time of a small run.
// cspell:ignore DIRC sdir

import { lstatSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { attempt } from "@callsheet/format"

/** Returns whether git certainly tracks no secrets file and ignores the one at `file`. Both paths are absolute. */
export const isSurelyHidden = (top: string, file: string): boolean =>
  file.endsWith(".secrets.env") && isIgnored(top, dirname(file)) && tracksNothing(join(top, ".git", "index"))

const covers = new Set(["*.secrets.env", "**/*.secrets.env", "*.env"])

/** Returns whether a `.gitignore` has a usual line, and none has an exception. */
function isIgnored(top: string, folder: string): boolean {
  let isCovered = false
  for (let here = folder; ; here = dirname(here)) {
    const rules = join(here, ".gitignore")
    const lines = attempt(() => readFileSync(rules, "utf8").split(/\r?\n/)) ?? []
    // git doesn't follow a link.
    const isLink = lines.length > 0 && lstatSync(rules).isSymbolicLink()
    if (isLink || lines.some((line) => line.startsWith("!"))) return false
    isCovered ||= lines.some((line) => covers.has(line))
    if (here === top || here === dirname(here)) return isCovered
  }
}

/** Reads an index of version 2 or 3, which contains whole names unless it is split or sparse. */
function tracksNothing(file: string): boolean {
  const index = attempt(() => readFileSync(file))
  if (index === undefined || index.length < 12 || index.toString("latin1", 0, 4) !== "DIRC") return false
  const isPlain = index.readUInt32BE(4) < 4 && !index.includes("link\0") && !index.includes("sdir\0")
  return isPlain && !index.includes(".secrets.env")
}
