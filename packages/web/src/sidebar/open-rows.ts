// The rows of the outline that the user expanded or collapsed. The others have a default.

import { create } from "zustand"
import { keep, readKept } from "../data/window-storage.ts"

interface OpenRows {
  readonly chosen: ReadonlyMap<string, boolean>
  readonly choose: (id: string, isOpen: boolean) => void
}

/** The key under which a reload finds the closed groups of workflows. */
const storageKey = "callsheet closed groups"

export const useOpenRows = create<OpenRows>((set) => ({
  chosen: new Map((readKept(storageKey) ?? "").split("\n").map((id) => [id, false])),
  choose: (id, isOpen) => set(({ chosen }) => ({ chosen: new Map(chosen).set(id, isOpen) })),
}))

// Only these groups, because a row that loads its rows later would move those below it after a reload.
useOpenRows.subscribe(({ chosen }) =>
  keep(
    storageKey,
    [...chosen].flatMap(([id, isOpen]) => (!isOpen && id.startsWith("workflows/") ? [id] : [])).join("\n"),
  ),
)
