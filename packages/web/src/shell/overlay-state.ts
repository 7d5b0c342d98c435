// The open overlay: the palette, the list of shortcuts, the sidebar of a narrow window, or none.

import { create } from "zustand"

type Overlay = "palette" | "shortcuts" | "sidebar"

export const useOverlay = create<{ readonly shown: Overlay | undefined }>(() => ({
  shown: undefined,
}))

export const showOverlay = (shown: Overlay | undefined): void => useOverlay.setState({ shown })
