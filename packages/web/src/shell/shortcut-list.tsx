// The list of all shortcuts, by part of the page.

import { useId } from "react"
import { Dialog } from "../ui/dialog.tsx"
import { shortcutGroups, type ShortcutGroup } from "./shortcuts.ts"

export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog label="Keyboard shortcuts" className="dialog-shortcuts" onClose={onClose}>
      <header className="shortcuts-head">
        <h2>Keyboard shortcuts</h2>
        <button type="button" className="button" onClick={onClose}>
          Close
        </button>
      </header>
      <div className="shortcuts">
        {shortcutGroups.map((group) => (
          <Group key={group.of} group={group} />
        ))}
      </div>
    </Dialog>
  )
}

function Group({ group: { of, shortcuts } }: { readonly group: ShortcutGroup }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{of}</h3>
      <dl>
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
