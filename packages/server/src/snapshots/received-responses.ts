// Keeps the last response of each request block until the end of a session, when all its secrets are known.

import type { LiveListener, MaskAgain } from "@callsheet/engine"
import {
  createSnapshotNames,
  kindHasResponse,
  type AnsweredOperation,
  type EventOf,
  type ResponseView,
} from "@callsheet/format"

/** A response to store. */
export interface KeptResponse {
  readonly file: string
  /** The id of the block. */
  readonly block: string
  readonly response: ResponseView
  readonly operation: AnsweredOperation | undefined
}

interface OpenBlock {
  readonly file: string
  readonly started: EventOf<"block.started">
  received?: EventOf<"response.received">
}

interface Kept {
  readonly started: EventOf<"block.started">
  readonly received: EventOf<"response.received">
}

/**
 * What to do with the response of a finished block. `leave` keeps that of an earlier attempt, and `forget` none.
 * `code` is the reason why the block failed.
 */
type Judge = (file: string, code: string | undefined) => "keep" | "leave" | "forget"

/** A failed contract doesn't change a response. Other failures mean that it didn't arrive in full. */
export const keepWhole: Judge = (_, code) =>
  code === undefined || code === "contract-broken" ? "keep" : "leave"

export class ReceivedResponses {
  readonly #judge: Judge
  readonly #names = new Map<number, (id: string) => string>()
  readonly #open = new Map<string, OpenBlock>()
  readonly #kept = new Map<string, Kept>()
  #maskAgain: MaskAgain = (event) => event

  constructor(judge: Judge = keepWhole) {
    this.#judge = judge
  }

  readonly hear: LiveListener = (event, maskAgain) => {
    this.#maskAgain = maskAgain
    switch (event.type) {
      case "run.started":
        this.#names.set(event.run, createSnapshotNames(event))
        break
      case "block.started":
        this.#start(event)
        break
      case "response.received": {
        const open = this.#open.get(keyOf(event))
        if (open !== undefined) open.received = event
        break
      }
      case "block.finished":
        this.#finish(event)
        break
      case "run.finished":
        this.#names.delete(event.run)
        break
      default:
        break
    }
  };

  /** Yields the last response of each block, masked with every secret of the session. */
  *all(): Generator<KeptResponse, void> {
    for (const [file, { started, received }] of this.#kept) {
      // The name of the file would show a secret.
      if (this.#maskAgain(started).id !== started.id) continue
      const { response, answers: operation } = this.#maskAgain(received)
      yield { file, block: started.id, response, operation }
    }
  }

  #start(started: EventOf<"block.started">): void {
    const file = kindHasResponse(started.kind) ? this.#names.get(started.run)?.(started.id) : undefined
    if (file !== undefined) this.#open.set(keyOf(started), { file, started })
  }

  #finish(event: EventOf<"block.finished">): void {
    const key = keyOf(event)
    const open = this.#open.get(key)
    this.#open.delete(key)
    if (open?.received === undefined || event.status === "skipped") return
    const { file, started, received } = open
    const does = this.#judge(file, event.status === "failed" ? (event.error?.code ?? "") : undefined)
    if (does === "keep") this.#kept.set(file, { started, received })
    if (does === "forget") this.#kept.delete(file)
  }
}

const keyOf = ({ run, block }: { readonly run: number; readonly block: number }): string => `${run} ${block}`
