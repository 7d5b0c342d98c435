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

export class ReceivedResponses {
  readonly #names = new Map<number, (id: string) => string>()
  readonly #open = new Map<string, OpenBlock>()
  readonly #kept = new Map<string, Kept>()
  #maskAgain: MaskAgain = (event) => event

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
      yield { file, response, operation }
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
    if (open?.received === undefined) return
    // Other failures mean that the response didn't arrive in full.
    if (event.status === "failed" && event.error?.code !== "contract-broken") return
    if (event.status === "skipped") return
    this.#kept.set(open.file, { started: open.started, received: open.received })
  }
}

const keyOf = ({ run, block }: { readonly run: number; readonly block: number }): string => `${run} ${block}`
