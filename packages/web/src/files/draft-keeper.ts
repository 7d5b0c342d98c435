// Keeps unsaved changes on the server, so that they survive a reload, a restart and a lost connection.

import { createStore, type StoreApi } from "zustand/vanilla"
import type { DraftStorage, FileName, Input } from "@callsheet/server/calls"
import type { call } from "../connection/call.ts"
import { isSentLast, Refused } from "../connection/send.ts"
import { fileKey } from "./file-key.ts"

/** The unsaved changes of a file, and the version on which they are based. */
interface Unsaved {
  readonly text: string
  readonly etag: string | null
}

export interface DraftKeeper {
  /**
   * The keys of files whose drafts are only in memory. Such a draft contains a secret or couldn't be written to disk.
   */
  readonly inMemory: StoreApi<ReadonlySet<string>>
  /** Records the unsaved text of a file. Undefined means that there is none. */
  readonly note: (name: FileName, unsaved: Unsaved | undefined) => void
  /** Records the draft that the server has. Undefined means that it has none. `unknown` means that this isn't clear. */
  readonly learn: (name: FileName, kept: Unsaved | undefined | "unknown") => void
  readonly flush: (isLast?: boolean) => void
  /** Returns whether any text would be lost if the page closed now. */
  readonly isAtRisk: () => boolean
  /** Returns whether the server hasn't yet confirmed some unsaved text. */
  readonly isUnkept: () => boolean
}

interface Entry {
  readonly name: FileName
  wanted: Unsaved | undefined
  /** The draft on the server. `unknown` after a failed call. */
  kept: Unsaved | undefined | "unknown"
  /** A draft that the server refused. It isn't sent again until it changes. */
  refused: Unsaved | undefined
  sending: { readonly unsaved: Unsaved | undefined; readonly isLast: boolean } | undefined
  timer: ReturnType<typeof setTimeout> | undefined
  since: number
}

const pauseMs = 500
/** The maximum delay of a draft in milliseconds while the user types without a pause. */
const longestPauseMs = 3000

export function createDraftKeeper(ask: typeof call, now: () => number): DraftKeeper {
  const drafts = new Drafts(ask, now)
  return {
    inMemory: drafts.inMemory,
    note: (name, unsaved) => drafts.note(name, unsaved),
    learn: (name, kept) => drafts.learn(name, kept),
    flush: (isLast = false) => drafts.flush(isLast),
    isUnkept: () => drafts.some((entry) => entry.wanted !== undefined && !isKept(entry)),
    isAtRisk: () => drafts.some(isEntryAtRisk),
  }
}

class Drafts {
  readonly inMemory = createStore<ReadonlySet<string>>(() => new Set())
  readonly #entries = new Map<string, Entry>()
  readonly #ask: typeof call
  readonly #now: () => number

  constructor(ask: typeof call, now: () => number) {
    this.#ask = ask
    this.#now = now
  }

  note(name: FileName, unsaved: Unsaved | undefined): void {
    const entry = this.#entryOf(name)
    if (isSame(entry.wanted, unsaved)) return
    entry.wanted = unsaved
    if (isPending(entry)) this.#schedule(entry)
  }

  learn(name: FileName, kept: Unsaved | undefined | "unknown"): void {
    const entry = this.#entryOf(name)
    entry.kept = kept
    if (isPending(entry)) this.#schedule(entry)
  }

  flush(isLast: boolean): void {
    for (const entry of this.#entries.values()) void this.#settle(entry, isLast)
  }

  some(holds: (entry: Entry) => boolean): boolean {
    return [...this.#entries.values()].some(holds)
  }

  async #settle(entry: Entry, isLast: boolean): Promise<void> {
    clearTimeout(entry.timer)
    entry.timer = undefined
    // A closing page may abort a request in flight, so send the draft again.
    if ((entry.sending !== undefined && !isLast) || !isPending(entry)) return
    const { wanted } = entry
    const sending = { unsaved: wanted, isLast }
    entry.sending = sending
    try {
      this.#noteMemory(entry.name, await this.#send(entry.name, wanted, isLast))
      entry.kept = wanted
      entry.refused = undefined
    } catch (error) {
      entry.kept = "unknown"
      // Without a response, `flush` runs again when the server is reachable.
      if (!(error instanceof Refused) || error.status === 401) return
      if (wanted === undefined) entry.kept = undefined
      else entry.refused = wanted
    } finally {
      if (entry.sending === sending) entry.sending = undefined
    }
    if (isPending(entry)) this.#schedule(entry)
  }

  async #send(file: FileName, wanted: Unsaved | undefined, isLast: boolean): Promise<DraftStorage["kept"]> {
    if (wanted !== undefined) return (await this.#ask("drafts.keep", inputOf(file, wanted), { isLast })).kept
    await this.#ask("drafts.drop", { file }, { isLast })
    return "disk"
  }

  #noteMemory(name: FileName, kept: DraftStorage["kept"]): void {
    const key = fileKey(name)
    const known = this.inMemory.getState()
    if (known.has(key) === (kept === "memory")) return
    const others = [...known].filter((other) => other !== key)
    this.inMemory.setState(new Set(kept === "memory" ? [...others, key] : others), true)
  }

  #schedule(entry: Entry): void {
    const time = this.#now()
    if (entry.timer === undefined) entry.since = time
    clearTimeout(entry.timer)
    const wait = Math.max(0, Math.min(pauseMs, entry.since + longestPauseMs - time))
    entry.timer = setTimeout(() => void this.#settle(entry, false), wait)
  }

  #entryOf(name: FileName): Entry {
    const key = fileKey(name)
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry: Entry = {
      name,
      wanted: undefined,
      kept: undefined,
      refused: undefined,
      sending: undefined,
      timer: undefined,
      since: 0,
    }
    this.#entries.set(key, entry)
    return entry
  }
}

function isEntryAtRisk(entry: Entry): boolean {
  if (entry.wanted === undefined || isKept(entry)) return false
  const { sending } = entry
  if (sending?.unsaved === undefined || !sending.isLast) return true
  return !isSame(sending.unsaved, entry.wanted) || !isSentLast(inputOf(entry.name, sending.unsaved))
}

const inputOf = (file: FileName, { etag, text }: Unsaved): Input<"drafts.keep"> => ({ file, etag, text })

const isKept = ({ kept, wanted }: Entry): boolean => kept !== "unknown" && isSame(kept, wanted)

const isPending = (entry: Entry): boolean =>
  !isKept(entry) && (entry.wanted === undefined || !isSame(entry.refused, entry.wanted))

const isSame = (a: Unsaved | undefined, b: Unsaved | undefined): boolean =>
  a?.text === b?.text && a?.etag === b?.etag
