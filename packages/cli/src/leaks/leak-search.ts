// Looks for secrets in a text that comes in pieces. It shares no code with the masker: one mistake must not hide the other.

import type { RunSecret } from "@callsheet/engine"
import { readings } from "./decode.ts"

export interface LookedFor {
  /** What a leak is told by: `shop.apiKey`. */
  readonly name: string
  readonly value: string
}

/** Shorter text is a secret as a whole value alone, and numbers and booleans are: they stand in any text. */
const SHORTEST = 4

/** The secrets that can be looked for in a text. */
export const lookedFor = (secrets: readonly RunSecret[]): readonly LookedFor[] =>
  secrets.flatMap(({ name, value }) =>
    typeof value === "string" && value.length >= SHORTEST ? [{ name, value }] : [],
  )

export interface LeakSearch {
  /** Takes the next piece; pieces may end anywhere. */
  readonly push: (text: string) => void
  /** Looks through what is left. Returns the names of the secrets that were found. */
  readonly end: () => ReadonlySet<string>
}

const WINDOW = 1024 * 1024
/** Characters that one of a secret becomes at most: `&#x1F600;` inside JSON inside a URL, and base64 of UTF-16. */
const MOST_GROWTH = 24
/** A line of a secret of several lines is a secret: a key is printed line by line. */
const SHORTEST_LINE = 8
/** Fewer digits of base64 stand in any text by chance. */
const SHORTEST_BASE64 = 5

/** Starts a search. `secrets` is asked when a window of text is full, so that they need not be known at the start. */
export function createLeakSearch(secrets: () => readonly LookedFor[] | undefined): LeakSearch {
  const found = new Set<string>()
  let held = ""
  let needles: readonly Needle[] | undefined
  let known: readonly LookedFor[] | undefined
  const look = (): void => {
    const wanted = secrets()
    if (wanted === undefined) return
    if (wanted !== known) needles = wanted.map(needleOf)
    known = wanted
    const longest = Math.max(0, ...wanted.map(({ value }) => value.length))
    for (const name of findIn(held, needles ?? [], found)) found.add(name)
    // What follows may go on with what stands at the end.
    held = held.slice(Math.max(0, held.length - longest * MOST_GROWTH))
  }
  let next = WINDOW
  return {
    push: (text) => {
      held += text
      if (held.length < next) return
      look()
      next = held.length + WINDOW
    },
    end: () => {
      look()
      held = ""
      return found
    },
  }
}

interface Needle {
  readonly name: string
  readonly texts: readonly string[]
  readonly base64: readonly string[]
}

function needleOf({ name, value }: LookedFor): Needle {
  const lines = value.split(/[\r\n]+/).filter((line) => line.length >= SHORTEST_LINE)
  const texts = new Set(
    [value, value.trim(), ...(lines.length > 1 ? lines : [])].filter((text) => text.length >= SHORTEST),
  )
  // A header says UTF-8 as Latin-1.
  const bytewise = [...texts].map((text) => Buffer.from(text).toString("latin1"))
  return { name, texts: [...texts, ...bytewise], base64: [...texts].flatMap((text) => [...base64Of(text)]) }
}

/** The digits of base64 that a text decides alone, wherever it stands in the bytes; UTF-16 too. */
function* base64Of(text: string): Generator<string> {
  const wide = Buffer.from(text, "utf16le")
  for (const bytes of [Buffer.from(text), wide, Buffer.from(wide).swap16()]) {
    for (const before of [0, 1, 2]) {
      const digits = Buffer.concat([Buffer.alloc(before), bytes])
        .toString("base64")
        .replaceAll("=", "")
      const whole = Math.floor(((before + bytes.length) * 8) / 6)
      const own = digits.slice([0, 2, 3][before], whole)
      if (own.length >= SHORTEST_BASE64) yield own
    }
  }
}

function* findIn(text: string, needles: readonly Needle[], found: ReadonlySet<string>): Generator<string> {
  const left = needles.filter(({ name }) => !found.has(name))
  if (left.length === 0) return
  const texts = [...readings(text)]
  const digits = [
    ...new Set(texts.flatMap((reading) => [standardDigits(reading), standardDigits(joined(reading))])),
  ]
  for (const { name, texts: wanted, base64 } of left) {
    const isIn = (own: string) => texts.some((reading) => reading.includes(own))
    if (wanted.some(isIn) || base64.some((own) => digits.some((reading) => reading.includes(own)))) yield name
  }
}

/** base64url as base64. */
const standardDigits = (text: string): string => text.replaceAll("-", "+").replaceAll("_", "/")

/** Base64 is broken into lines by mail and by PEM. */
const joined = (text: string): string => text.replaceAll(/[\r\n][\t\r\n ]*/g, "")
