// The open overlay: the palette, the list of shortcuts, or none.

import { create } from "zustand"

export const useOverlay = create<{ readonly shown: "palette" | "shortcuts" | undefined }>(() => ({
  shown: undefined,
}))

export const showOverlay = (shown: "palette" | "shortcuts" | undefined): void =>
  useOverlay.setState({ shown })
