// Looks for secrets in a text that comes in pieces. It shares no code with the masker: one mistake must not hide the other.

import type { RunSecret } from "@callsheet/engine"
import { plain, readings, unescaped } from "./decode.ts"
import { createNeedleIndex } from "./needle-index.ts"
import type { Spool } from "./spool.ts"

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
  /** Looks through what is left, and again through what went by before a secret was known. */
  readonly end: () => LeakFindings
}

export interface LeakFindings {
  readonly found: ReadonlySet<LookedFor>
  /** False where a secret became known so late that nobody can tell whether it went by before. */
  readonly isWhole: boolean
}

const WINDOW = 1024 * 1024
/** Characters that one of a secret becomes at most: `&#x1F600;` inside JSON inside a URL, and base64 of UTF-16. */
const MOST_GROWTH = 24
/** A line of a secret of several lines is a secret: a key is printed line by line. */
const SHORTEST_LINE = 8

/**
 * Starts a search. `secrets` is asked again and again for a list that only grows: undefined until there is one. What goes
 * by is kept in `spool` for those that come late; without one all have to be known at the first megabyte.
 */
export function createLeakSearch(secrets: () => readonly LookedFor[] | undefined, spool?: Spool): LeakSearch {
  const needles = createNeedles()
  let held = ""
  let next = WINDOW
  /** How many secrets were known when text was let go for the first time. */
  let knownThen: number | undefined
  const look = (): void => {
    const wanted = secrets()
    if (wanted === undefined) return
    needles.learn(wanted)
    needles.lookIn(held)
  }
  const letGo = (): void => {
    if (secrets() === undefined) return
    knownThen ??= needles.known()
    // What follows may go on with what stands at the end.
    const end = Math.max(0, held.length - needles.longest() * MOST_GROWTH)
    spool?.write(held.slice(0, end))
    held = held.slice(end)
  }
  return {
    push: (text) => {
      held += text
      if (held.length < next) return
      look()
      letGo()
      next = held.length + WINDOW
    },
    end: () => {
      look()
      const rest = held
      held = ""
      const { found } = needles
      const late = secrets()?.slice(knownThen ?? needles.known()) ?? []
      if (late.length === 0) return { found, isWhole: true }
      const gone = spool?.read()
      if (gone === undefined) return { found, isWhole: false }
      const again = createLeakSearch(() => late)
      for (const text of gone) again.push(text)
      again.push(rest)
      return { found: new Set([...found, ...again.end().found]), isWhole: true }
    },
  }
}

function createNeedles() {
  const found = new Set<LookedFor>()
  const texts = createNeedleIndex<LookedFor>()
  let known = 0
  let longest = 0
  return {
    /** Takes what is new in a list that only grows. */
    learn: (wanted: readonly LookedFor[]): void => {
      for (const secret of wanted.slice(known)) {
        for (const text of needlesOf(secret)) texts.add(text, secret)
        longest = Math.max(longest, secret.value.length)
      }
      known = wanted.length
    },
    lookIn: (text: string): void => {
      if (known === 0) return
      for (const reading of readings(text)) for (const secret of texts.find(reading)) found.add(secret)
    },
    found,
    known: () => known,
    /** Characters of the longest secret. */
    longest: () => longest,
  }
}

function needlesOf({ value }: LookedFor): readonly string[] {
  const lines = value.split(/[\r\n]+/).filter((line) => line.length >= SHORTEST_LINE)
  const whole = [value, value.trim(), ...(lines.length > 1 ? lines : [])]
  const texts = whole.flatMap(unescaped).map(plain)
  // A header says UTF-8 as Latin-1.
  const bytewise = texts.map((text) => Buffer.from(text).toString("latin1"))
  return [...new Set([...texts, ...bytewise])].filter((text) => text.length >= SHORTEST)
}
