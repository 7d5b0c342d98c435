// Prints the differences of two sides: as JSON, or as text by workflow and block.

import { stringifyJson, type BlockDifference, type JsonValue } from "@callsheet/format"
import { notices } from "../messages.ts"
import { valueText } from "../text/value-texts.ts"
import type { Output, Style } from "../screen.ts"
import { formatDuration } from "../text/measures.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { shorten } from "../text/preview.ts"
import { printable } from "../text/printable.ts"
import type { ComparedBlock, Comparison } from "./compare-sides.ts"

export function printJson({ blocks, omitted }: Comparison, { write }: Output): void {
  write('{ "differences": [', "exact")
  let separator = "\n  "
  for (const { ran, differences } of blocks) {
    const { title: _, ...run } = ran.run
    const iteration = ran.iterations.at(-1)
    const place = {
      ...run,
      block: ran.block,
      ...(iteration === undefined ? {} : { iteration }),
      ...(ran.iterations.length > 1 ? { iterations: ran.iterations } : {}),
    }
    for (const difference of differences) {
      write(separator + breakCommandsInJson(stringifyJson({ ...place, ...difference })), "exact")
      separator = ",\n  "
    }
  }
  const more = omitted === 0 ? "" : `, "omitted": ${omitted}`
  write(`${separator === "\n  " ? "" : "\n"}]${more} }\n`, "exact")
}

/** The maximum number of lines per block, and of listed blocks. */
const MAX_LINES = 30
const MAX_BLOCKS = 1_000
const WIDTH = 60

export function printText({ blocks, compared, real, noise }: Comparison, output: Output): void {
  const { write, style } = output
  const shown = blocks.map((block) => ({ ...block, differences: block.differences.filter(isShown) }))
  const differing = shown.filter(({ differences }) => differences.length > 0)
  let title: string | undefined
  for (const block of differing.slice(0, MAX_BLOCKS)) {
    if (block.ran.run.title !== title) {
      if (title !== undefined) write("\n")
      write(`${style("bold", shorten(block.ran.run.title, 200))}\n`)
    }
    title = block.ran.run.title
    for (const line of blockLines(block, style)) write(`  ${line}\n`)
  }
  if (differing.length > MAX_BLOCKS)
    write(`${style("dim", notices.moreBlocks(differing.length - MAX_BLOCKS))}\n`)
  if (title !== undefined) write("\n")
  write(`${notices.compared(real, compared)}\n`)
  if (noise.size > 0) write(`${style("dim", notices.noise([...noise]))}\n`)
}

/** Durations are noise, but people want to see them. */
const isShown = ({ noise, what }: BlockDifference): boolean => !noise || what === "duration"

function blockLines({ ran, differences }: ComparedBlock, style: Style): readonly string[] {
  const lines = differences.slice(0, MAX_LINES).map((difference) => `  ${differenceLine(difference, style)}`)
  const more = differences.length - lines.length
  return [
    ...(ran.shown === "" ? [] : [ran.shown]),
    ...lines,
    ...(more > 0 ? [style("dim", `  ${notices.moreDifferences(more)}`)] : []),
  ]
}

function differenceLine({ what, path, left, right, absent }: BlockDifference, style: Style): string {
  const label = style("cyan", what)
  if (what === "missing" || what === "added")
    return `${label}  ${style("dim", what === "missing" ? `${show(left)} on the left` : `${show(right)} on the right`)}`
  const name = path === undefined ? label : `${label} ${shorten(path, 100)}`
  const format = what === "duration" ? (value: JsonValue) => formatDuration(Number(value)) : show
  const [own, other] = [
    absent === "left" ? "nothing" : format(left),
    absent === "right" ? "nothing" : format(right),
  ]
  return `${name}  ${style("red", own)} → ${style("green", other)}`
}

const show = (value: JsonValue): string => printable(valueText(value, WIDTH))
