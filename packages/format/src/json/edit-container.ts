// Inserts or removes a member or item in JSON text, with the commas and lines that belong to it.

import { isEqual } from "../workflow/equal.ts"
import { colonOf, lineMargin, lineStart, marginAt, type Layout, type Style } from "./layout.ts"
import { firstMember, noPlace, valueEnd, type Container, type Member } from "./members.ts"
import { parseJson } from "./parse-json.ts"
import { skipBlanks } from "./scan.ts"
import type { JsonValue } from "./value.ts"

export interface Target {
  readonly container: Container
  /** The offset of the member that contains the container, or undefined for the root. */
  readonly ownerAt: number | undefined
  readonly index: number
  readonly layout: Layout
}

/** One member of an object, or consecutive items of an array. */
export interface NewMember {
  readonly key?: string | undefined
  /** The parsed values of `text`. A member has exactly one. */
  readonly values: readonly JsonValue[]
  readonly write: (style: Style) => string
}

interface Replacement {
  readonly from: number
  readonly to: number
  readonly content: string
}

export function insertInto(text: string, target: Target, member: NewMember): string {
  const { members } = target.container
  if (target.index < 0 || target.index > members.length) throw noPlace(target.index)
  const beside = members[target.index] ?? members.at(-1)
  const replacement =
    beside === undefined ? openedUp(text, target, member) : putBeside(text, target, beside, member)
  return checked(text, target, replacement, member)
}

/** Removes consecutive members. Removes whole lines if nothing else is on them, otherwise the members and a comma. */
export function removeFrom(text: string, container: Container, index: number, count: number): string {
  return checked(text, { container, index }, removal(text, container, index, count), count)
}

function openedUp(text: string, { container, ownerAt, layout }: Target, member: NewMember): Replacement {
  const { open, close, isArray } = container
  const isInline = ownerAt !== undefined && marginAt(text, ownerAt) === undefined
  const indent = isInline ? undefined : layout.indent
  const margin = lineMargin(text, open)
  const inner = write(member, { ...layout, indent, margin: margin + (indent ?? "") })
  const [before, after] = isArray ? ["[", "]"] : ["{", "}"]
  const content =
    indent === undefined
      ? before + inner + after
      : `${before}${layout.eol}${margin}${indent}${inner}${layout.eol}${margin}${after}`
  return { from: open, to: close + 1, content }
}

function putBeside(text: string, target: Target, beside: Member, member: NewMember): Replacement {
  const { at, end } = beside
  const style = styleBeside(text, beside, target.layout)
  const margin = marginAt(text, at)
  const gap = margin === undefined ? gapBetween(text, target, style) : style.eol + margin
  const written = write(member, style)
  if (target.index < target.container.members.length)
    return { from: at, to: at, content: `${written},${gap}` }
  const lines = ownLines(text, beside)
  if (margin === undefined || lines === undefined) return { from: end, to: end, content: `,${gap}${written}` }
  // Ends the new line with the line end of the previous one.
  const rest = text.slice(end, lines.to)
  const content = `,${rest}${margin}${written}${rest.replace(/^[ \t]+/, "")}`
  return { from: end, to: lines.to, content }
}

const write = ({ key, write }: NewMember, style: Style): string =>
  (key === undefined ? "" : JSON.stringify(key) + style.colon) + write(style)

function styleBeside(text: string, other: Member, layout: Layout): Style {
  const margin = marginAt(text, other.at)
  const colon = colonBeside(text, other, layout)
  if (margin !== undefined) return { ...layout, colon, margin }
  const isOverLines = other.key === undefined && /[\r\n]/.test(text.slice(other.valueAt, other.end))
  if (isOverLines) return { ...layout, colon, margin: lineMargin(text, other.at) }
  return { ...layout, colon, indent: undefined, margin: lineMargin(text, other.at) }
}

function colonBeside(text: string, other: Member, { colon }: Layout): string {
  if (other.key !== undefined) return colonOf(text, other)
  const inner = text[other.valueAt] === "{" ? firstMember(text, other.valueAt) : undefined
  return inner === undefined ? colon : colonOf(text, inner)
}

function gapBetween(text: string, { container: { members }, index }: Target, { colon }: Style): string {
  const at = Math.max(1, Math.min(index, members.length - 1))
  const [before, after] = [members[at - 1], members[at]]
  if (before === undefined || after === undefined) return colon.endsWith(" ") ? " " : ""
  return text.slice(text.indexOf(",", before.end) + 1, after.at)
}

export function runOf(members: readonly Member[], index: number, count: number) {
  const [first, last] = [members[index], members[index + count - 1]]
  if (count < 1 || first === undefined || last === undefined)
    throw new Error("no item to move, copy or remove")
  return { first, last }
}

function removal(text: string, { open, close, members }: Container, index: number, count: number) {
  const { first, last } = runOf(members, index, count)
  const member = { ...first, end: last.end }
  const before = members[index - 1]
  const after = members[index + count]
  if (before === undefined && after === undefined) return { from: open + 1, to: close, content: "" }
  const lines = ownLines(text, member)
  if (after !== undefined) {
    return lines?.hasComma === true
      ? { from: lines.from, to: lines.to, content: "" }
      : { from: member.at, to: after.at, content: "" }
  }
  const left = before?.end ?? open + 1
  const comma = text.indexOf(",", left)
  // If the comma is on the member's own line, the previous member doesn't change.
  if (lines === undefined || comma >= lines.from) return { from: left, to: member.end, content: "" }
  return {
    from: left,
    to: lines.to,
    content: text.slice(left, comma) + text.slice(comma + 1, lines.from),
  }
}

/** Returns the member's lines, or undefined if they contain anything but the member and the comma after it. */
function ownLines(text: string, { at, end }: Member) {
  if (marginAt(text, at) === undefined) return undefined
  const rest = /[ \t]*(,?)[ \t]*(?:\r\n|\n|\r)/y
  rest.lastIndex = end
  const found = rest.exec(text)
  return found === null
    ? undefined
    : { from: lineStart(text, at), to: rest.lastIndex, hasComma: found[1] === "," }
}

/** Makes the replacement and checks that only the new values, or none after a removal, are between the neighbors. */
function checked(
  text: string,
  { container, index }: Pick<Target, "container" | "index">,
  { from, to, content }: Replacement,
  change: NewMember | number,
): string {
  const edited = text.slice(0, from) + content + text.slice(to)
  const isRemoval = typeof change === "number"
  const before = container.members[index - 1]
  const after = container.members[isRemoval ? index + change : index]
  const left = before?.end ?? container.open + 1
  const right = (after?.at ?? container.close) + edited.length - text.length
  let at = skipBlanks(edited, left)
  const passComma = (): void => {
    if (edited[at] !== ",") throw wrong()
    at = skipBlanks(edited, at + 1)
  }
  if (before !== undefined && (!isRemoval || after !== undefined)) passComma()
  if (!isRemoval) {
    at = skipBlanks(edited, passMember(edited, at, change))
    if (after !== undefined) passComma()
  }
  const isInside = from >= container.open && to <= container.close + 1
  if (at !== right || !isInside || edited.slice(0, left) !== text.slice(0, left)) throw wrong()
  return edited
}

function passMember(text: string, at: number, { key, values }: NewMember): number {
  let start = at
  if (key !== undefined) {
    const keyEnd = valueEnd(text, at)
    const colon = skipBlanks(text, keyEnd)
    if (JSON.parse(text.slice(at, keyEnd)) !== key || text[colon] !== ":") throw wrong()
    start = skipBlanks(text, colon + 1)
  }
  let end = valueEnd(text, start)
  for (let others = values.length - 1; others > 0; others--)
    end = valueEnd(text, skipBlanks(text, skipBlanks(text, end) + 1))
  const parsed = parseJson(`[${text.slice(start, end)}]`)
  if (!parsed.ok || !isEqual(parsed.value, values)) throw wrong()
  return end
}

const wrong = (): Error => new Error("an edited JSON text does not read back as expected")
