// The foot of the sidebar: where the palette and the shortcuts are found by who does not know their keys.

import { showOverlay } from "../shortcuts/overlay-state.ts"

export function Foot() {
  return (
    <div className="sidebar-foot">
      <button type="button" className="foot-button" onClick={() => showOverlay("palette")}>
        Go to… <kbd>Ctrl K</kbd>
      </button>
      <button type="button" className="foot-button" onClick={() => showOverlay("shortcuts")}>
        Shortcuts <kbd>?</kbd>
      </button>
    </div>
  )
}
