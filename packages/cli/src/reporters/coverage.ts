// Reports contract coverage: a table for people, or JSON in a file.

import { createCoverageFold, type ApiCoverage, type OperationCoverage, type Share } from "@callsheet/format"
import type { Style } from "../screen.ts"
import { jsonDocument } from "../text/json-document.ts"
import { printable } from "../text/printable.ts"
import { tableText } from "../text/table.ts"
import { breakCommands } from "../text/log-commands.ts"
import type { FileReporter } from "./reporter.ts"

export const writeCoverage: FileReporter = function* (events, { output, isFile }) {
  const fold = createCoverageFold()
  for (const event of events) fold.apply(event)
  const coverage = fold.coverage()
  if (isFile) yield breakCommands(jsonDocument(coverage))
  else if (coverage.apis.length === 0) yield "no documented operation was run\n"
  else yield breakCommands(coverage.apis.map((api) => tableOf(api, output.style)).join("\n"))
}

function tableOf({ api, details, operations, statuses, mediaTypes }: ApiCoverage, style: Style): string {
  const rows = details.map((detail) => rowOf(detail))
  const heads = ["", "OPERATION", "METHOD", "PATH", "STATUSES", "BLOCKS"]
  const shares = [
    `operations ${shareText(operations)}`,
    `statuses ${shareText(statuses)}`,
    `media types ${shareText(mediaTypes)}`,
  ]
  return `${style("bold", printable(api))}\n${tableText(heads, rows, style)}${shares.join("  ")}\n`
}

export const shareText = ({ exercised, documented, percent }: Share): string =>
  `${exercised}/${documented} (${percent} %)`

function rowOf({ operation, method, path, blocks, answers, undocumented }: OperationCoverage): string[] {
  const known = answers.map(
    ({ status, blocks: by, unchecked }) =>
      `${by.length > 0 ? "✓" : "−"}${status}${unchecked === undefined ? "" : " (unchecked)"}`,
  )
  const statuses = [...known, ...undocumented.map((status) => `?${status}`)].join(" ")
  return [blocks.length > 0 ? "✓" : "−", operation, method, path, statuses, shortList(blocks)].map((cell) =>
    printable(cell),
  )
}

const MAX_BLOCKS = 3

const shortList = (blocks: readonly string[]): string =>
  blocks.length > MAX_BLOCKS
    ? `${blocks.slice(0, MAX_BLOCKS).join(", ")} and ${blocks.length - MAX_BLOCKS} more`
    : blocks.join(", ")
