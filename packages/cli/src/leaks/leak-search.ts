// Searches a stream of text for secrets. Shares no code with the masker, so that a bug can't affect both.

import type { RunSecret } from "@callsheet/engine"
import { plain, readings, unescaped } from "./decode.ts"
import type { Spool } from "./spool.ts"

export interface LookedFor {
  /** The name for reports of a leak: `shop.apiKey`. */
  readonly name: string
  readonly value: string
}

/** The minimum length of a secret to search for. Shorter text, numbers and booleans are too common. */
const SHORTEST = 4

export const lookedFor = (secrets: readonly RunSecret[]): readonly LookedFor[] =>
  secrets.flatMap(({ name, value }) =>
    typeof value === "string" && value.length >= SHORTEST ? [{ name, value }] : [],
  )

export interface LeakSearch {
  /** Searches the next piece of text. A piece may end anywhere. */
  readonly push: (text: string) => void
  /** Searches the rest. Then searches earlier text for secrets that became known later. */
  readonly end: () => LeakFindings
}

export interface LeakFindings {
  readonly found: ReadonlySet<LookedFor>
  /** False if earlier text couldn't be searched for secrets that became known later. */
  readonly isWhole: boolean
}

const WINDOW = 1024 * 1024
/**
 * The maximum number of characters for one encoded character, such as `&#x1F600;` in JSON in a URL, in base64 of
 * UTF-16.
 */
const MAX_GROWTH = 24
/** The minimum length of a line to search for. Keys are often printed line by line, so each line of a secret counts. */
const SHORTEST_LINE = 8

/**
 * Starts a search. `secrets` returns a growing list, or undefined until the list exists. `spool` keeps the text, so
 * that it can be searched for later secrets even if it is longer than a megabyte.
 */
export function createLeakSearch(secrets: () => readonly LookedFor[] | undefined, spool?: Spool): LeakSearch {
  const needles = createNeedles()
  let buffered = ""
  let next = WINDOW
  /** The number of known secrets when text first went to the spool. */
  let knownThen: number | undefined
  const look = (): void => {
    const wanted = secrets()
    if (wanted === undefined) return
    needles.learn(wanted)
    needles.lookIn(buffered)
  }
  const release = (): void => {
    if (secrets() === undefined) return
    knownThen ??= needles.known()
    // A secret may start at the end of this piece, so keep that part.
    const end = Math.max(0, buffered.length - needles.longest() * MAX_GROWTH)
    spool?.write(buffered.slice(0, end))
    buffered = buffered.slice(end)
  }
  return {
    push: (text) => {
      buffered += text
      if (buffered.length < next) return
      look()
      release()
      next = buffered.length + WINDOW
    },
    end: () => {
      look()
      const rest = buffered
      buffered = ""
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
    /** Adds the secrets that are new in the list. */
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
    longest: () => longest,
  }
}

function needlesOf({ value }: LookedFor): readonly string[] {
  const lines = value.split(/[\r\n]+/).filter((line) => line.length >= SHORTEST_LINE)
  const whole = [value, value.trim(), ...(lines.length > 1 ? lines : [])]
  const texts = whole.flatMap(unescaped).map(plain)
  // Headers contain UTF-8 that was decoded as Latin-1.
  const bytewise = texts.map((text) => Buffer.from(text).toString("latin1"))
  return [...new Set([...texts, ...bytewise])].filter((text) => text.length >= SHORTEST)
}

const TAIL = 4
/** The size of a table with an entry for each hash of a tail. At most positions, no needle ends. */
const HASHES = 1 << 18

/**
 * Creates an index that finds thousands of needles in one pass. It looks for their last characters, which differ the
 * most.
 */
function createNeedleIndex<T>() {
  const byTail = new Map<string, { readonly needle: string; readonly means: T }[]>()
  const hashes = new Uint8Array(HASHES)
  return {
    /** Adds a needle of four or more characters. Ignores shorter ones. */
    add: (needle: string, means: T): void => {
      if (needle.length < TAIL) return
      const tail = needle.slice(-TAIL)
      hashes[hashAt(tail, 0)] = 1
      const alike = byTail.get(tail)
      if (alike === undefined) byTail.set(tail, [{ needle, means }])
      else alike.push({ needle, means })
    },
    /** Yields the value of each needle that occurs in `text`. */
    find: function* (text: string): Generator<T, void> {
      for (let at = 0; at + TAIL <= text.length; at++) {
        if (hashes[hashAt(text, at)] === 0) continue
        for (const { needle, means } of byTail.get(text.slice(at, at + TAIL)) ?? []) {
          const start = at + TAIL - needle.length
          if (start >= 0 && text.startsWith(needle, start)) yield means
        }
      }
    },
  }
}

const hashAt = (text: string, at: number): number =>
  ((text.charCodeAt(at) * 4099) ^
    (text.charCodeAt(at + 1) * 257) ^
    (text.charCodeAt(at + 2) * 32771) ^
    (text.charCodeAt(at + 3) * 17)) &
  (HASHES - 1)
