// Whether runs compare responses with their snapshots, until the user chooses otherwise.

import { create } from "zustand"
import { lasting } from "../../connection/window-storage.ts"

const storageKey = "callsheet compare snapshots"

export const useSnapshotChoice = create<{ readonly isOn: boolean }>(() => ({
  isOn: lasting.getItem(storageKey) === "yes",
}))

export function chooseSnapshots(isOn: boolean): void {
  lasting.setItem(storageKey, isOn ? "yes" : "no")
  useSnapshotChoice.setState({ isOn })
}
