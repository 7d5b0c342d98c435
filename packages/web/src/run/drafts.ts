// Choices and inputs for the next run of each workflow. Kept while the page is open.

import { create } from "zustand"

export interface Draft {
  readonly environments: ReadonlyMap<string, string>
  /** The inputs by name, as typed. */
  readonly inputs: ReadonlyMap<string, string>
}

const empty: Draft = { environments: new Map(), inputs: new Map() }

const useDrafts = create<{ readonly drafts: ReadonlyMap<string, Draft> }>(() => ({ drafts: new Map() }))

export const draftOf = (workflow: string): Draft => useDrafts.getState().drafts.get(workflow) ?? empty

export const useDraft = (workflow: string): Draft => useDrafts(({ drafts }) => drafts.get(workflow) ?? empty)

export function changeDraft(
  workflow: string,
  part: keyof Draft,
  [name, value]: readonly [string, string],
): void {
  useDrafts.setState(({ drafts }) => {
    const draft = drafts.get(workflow) ?? empty
    const changed = { ...draft, [part]: new Map(draft[part]).set(name, value) }
    return { drafts: new Map(drafts).set(workflow, changed) }
  })
}
