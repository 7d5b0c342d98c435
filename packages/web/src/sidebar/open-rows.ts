// The rows of the outline that the user expanded or collapsed. The others have a default.

import { create } from "zustand"

interface OpenRows {
  readonly chosen: ReadonlyMap<string, boolean>
  readonly choose: (id: string, isOpen: boolean) => void
}

export const useOpenRows = create<OpenRows>((set) => ({
  chosen: new Map(),
  choose: (id, isOpen) => set(({ chosen }) => ({ chosen: new Map(chosen).set(id, isOpen) })),
}))
