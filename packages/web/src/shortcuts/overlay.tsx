// The palette or the list of shortcuts, where one was called, and the button that tells of them.

import type { ProjectView } from "@callsheet/server/calls"
import { Palette } from "../palette/palette.tsx"
import { showOverlay, useOverlay } from "./overlay-state.ts"
import { ShortcutList } from "./shortcut-list.tsx"

export function Overlay({ project }: { readonly project: ProjectView }) {
  const shown = useOverlay((state) => state.shown)
  const close = (): void => showOverlay(undefined)
  if (shown === "palette") return <Palette project={project} onClose={close} />
  return shown === "shortcuts" ? <ShortcutList onClose={close} /> : null
}
