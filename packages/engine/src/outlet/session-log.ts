// The events of a session, kept to be read later. A value may become secret after it was reported, so reading masks each
// event again.

import type { RunEvent } from "@callsheet/format"

/** Receives each event when it is emitted. To show it later, keep it in a `SessionLog`, or mask it again. */
export type LiveListener = (event: RunEvent, maskAgain: MaskAgain) => void

/** Masks an event again, with every secret that the session has learned by now. */
export type MaskAgain = <E extends RunEvent>(event: E) => E

/** Where the events of a log wait. An array is one. */
export interface EventStore extends Iterable<RunEvent> {
  readonly push: (event: RunEvent) => void
}

export class SessionLog implements Iterable<RunEvent> {
  #store: EventStore
  #maskAgain: MaskAgain = (event) => event

  constructor(store: EventStore = new Array<RunEvent>()) {
    this.#store = store
  }

  readonly append: LiveListener = (event, maskAgain) => {
    this.#maskAgain = maskAgain
    this.#store.push(event)
  };

  /** Yields the events, masked with every secret that the session has learned by now. */
  *[Symbol.iterator](): Generator<RunEvent, void> {
    for (const event of this.#store) yield this.#maskAgain(event)
  }

  /** Moves the events, masked again, to an empty store. */
  moveTo(store: EventStore): void {
    for (const event of this) store.push(event)
    this.#store = store
  }
}
