// Completes the paths in texts: names of blocks, inputs, variables and iterators, and the parts of their values.

import { attempt, createStringOffsets } from "@callsheet/format"
import { completePath, pathAt, pathRoots, type Suggestion } from "@callsheet/language"
import type { CompletionItem } from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import { valuePointer, type JsonSpot } from "../known/json-file.ts"
import { pathGround } from "../known/path-ground.ts"
import { itemKinds, sortTextAt, toItem } from "./choice.ts"

interface PathItems {
  readonly items: readonly CompletionItem[]
  /** True inside a placeholder, where nothing but names fits. */
  readonly isOnlyPaths: boolean
}

interface Written {
  /** The decoded text. */
  readonly text: string
  readonly caret: number
  /** Returns the offset in the file of a position in `text`. */
  readonly offsetOf: (position: number) => number
}

export async function pathItems(
  spot: JsonSpot,
  { context, hasSnippets }: { readonly context: Context; readonly hasSnippets: boolean },
): Promise<PathItems> {
  const nothing = { items: [], isOnlyPaths: false }
  const written = writtenText(spot)
  const ground = pathGround(spot, valuePointer(spot), context)
  if (written === undefined || ground === undefined) return nothing
  const { reads, reading, sources } = ground
  const path = pathAt(written.text, written.caret, reads)
  if (path === undefined) return nothing
  const roots = await pathRoots(reading, sources)
  const found = await completePath(written.text, written.caret, { reads, roots })
  const { text } = spot.view.masker()
  const { place, file } = spot
  const isInQuotes = !place.insert.openQuote && place.token === "string"
  const items = found.items
    // A name that contains a secret would be written masked.
    .filter((item) => text(item.text) === item.text)
    .map((item, index): CompletionItem => {
      const detail = item.note === undefined ? undefined : text(item.note)
      const kind = item.goesOn === true ? itemKinds.module : itemKinds.variable
      if (!isInQuotes)
        return toItem({ label: item.text, kind, detail, write: { is: "value", value: item.text } }, index, {
          spot,
          hasSnippets,
        })
      const { newText, isSnippet } = inserted(item, hasSnippets)
      const [from, to] = [written.offsetOf(found.from), written.offsetOf(found.to)]
      return {
        label: item.text,
        kind,
        ...(detail === undefined ? {} : { detail }),
        sortText: sortTextAt(index),
        filterText: item.text,
        insertTextFormat: isSnippet ? 2 : 1,
        textEdit: { range: file.rangeOf(from, to), newText: `${newText}${closing(spot, found.to, written)}` },
      }
    })
  return { items, isOnlyPaths: path.isToken }
}

/** A half-written string also needs its end. */
function closing({ place, file }: JsonSpot, to: number, written: Written): string {
  const isAtEnd = to === written.text.length
  const comma = place.insert.commaAfter && file.text[place.range.to] !== '"' ? "," : ""
  return isAtEnd && place.insert.closeQuote ? `"${comma}` : ""
}

/**
 * Returns the text to insert. A name with members ends without a dot, which the user types next, so that the client asks
 * again.
 */
function inserted({ text, insert = text, goesOn }: Suggestion, hasSnippets: boolean) {
  const isOpen = goesOn === true
  const end = isOpen && insert.endsWith("}}") ? "}}" : ""
  const own = isOpen ? text : insert
  const quoted = JSON.stringify(own).slice(1, -1)
  if (!isOpen || end === "" || !hasSnippets) return { newText: quoted, isSnippet: false }
  return { newText: `${quoted.replaceAll(/[\\$}]/g, String.raw`\$&`)}\${0}${end}`, isSnippet: true }
}

function writtenText({ place, file, offset }: JsonSpot): Written | undefined {
  const { range, token, at } = place
  if (at !== "value" || (token !== undefined && token !== "string" && token !== "word")) return undefined
  const raw = file.text.slice(range.from, range.to)
  if (place.insert.openQuote || token !== "string") {
    const text = raw.replaceAll('"', "")
    return { text, caret: text.length, offsetOf: () => range.from }
  }
  const before = decode(file.text.slice(range.from, offset))
  const text = before + decode(file.text.slice(offset, range.to))
  return {
    text,
    caret: before.length,
    offsetOf: (position) => createStringOffsets(file.text, range.from - 1)(position),
  }
}

const decode = (raw: string): string => {
  const value: unknown = attempt(() => JSON.parse(`"${raw}"`) as unknown)
  return typeof value === "string" ? value : raw
}
