// Choices and inputs for the next run of each workflow. Kept while the page is open.

import { createKeyedStore } from "../connection/keyed-store.ts"

export interface Draft {
  readonly environments: ReadonlyMap<string, string>
  /** The inputs by name, as typed. */
  readonly inputs: ReadonlyMap<string, string>
}

const empty: Draft = { environments: new Map(), inputs: new Map() }

const drafts = createKeyedStore(empty)
export const { use: useDraft, now: draftOf } = drafts

export function changeDraft(
  workflow: string,
  part: keyof Draft,
  [name, value]: readonly [string, string],
): void {
  const draft = draftOf(workflow)
  drafts.set(workflow, { ...draft, [part]: new Map(draft[part]).set(name, value) })
}
