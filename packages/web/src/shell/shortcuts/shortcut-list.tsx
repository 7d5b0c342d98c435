// The list of all shortcuts, by part of the page.

import { useId } from "react"
import { Dialog } from "../../ui/dialog.tsx"

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

interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

interface ShortcutGroup {
  readonly of: string
  readonly shortcuts: readonly Shortcut[]
}

const shortcutGroups: readonly ShortcutGroup[] = [
  {
    of: "Everywhere",
    shortcuts: [
      { keys: ["/"], does: "Search operations, environments, saved requests and workflows" },
      { keys: ["Ctrl", "K"], does: "Go to anything (on a Mac also Cmd K)" },
      { keys: ["?"], does: "Show this list" },
      { keys: ["F6"], does: "Next part of the page: search, outline, main part (or blocks, form, result)" },
      { keys: ["Esc"], does: "Clear the search, or close the dialog or menu" },
    ],
  },
  {
    of: "Lists and outlines",
    shortcuts: [
      { keys: ["↑", "↓"], does: "Move in the outline, a report or the search results" },
      { keys: ["→", "←"], does: "Open and close items in the outline or a report" },
      { keys: ["Enter"], does: "Open the active item" },
      { keys: ["F2"], does: "Rename the active file of the outline (Del: delete it)" },
      { keys: ["Shift", "F10"], does: "Menu of the active row of the outline" },
    ],
  },
  {
    of: "Tabs",
    shortcuts: [
      {
        keys: ["Alt", "PageUp", "PageDown"],
        does: "Previous or next tab (also Ctrl Tab if the browser allows it)",
      },
      { keys: ["Ctrl", "Shift", "PageUp", "PageDown"], does: "Move the tab that is shown" },
      { keys: ["Ctrl", "click"], does: "Open a row of the outline in a new tab (also a double-click)" },
      { keys: ["Del"], does: "Close the focused tab (also a middle click)" },
    ],
  },
  {
    of: "Running",
    shortcuts: [
      { keys: ["Ctrl", "Enter"], does: "Run the workflow that is shown (on a Mac also Cmd Enter)" },
      { keys: ["Ctrl", "Shift", "Enter"], does: "Run the workflow up to the selected block" },
      { keys: ["Alt", "Enter"], does: "Run only the selected block, with the results of the last run" },
      { keys: ["F8"], does: "Show the next failure of the report (Shift F8: the previous one)" },
    ],
  },
  {
    of: "Files",
    shortcuts: [
      { keys: ["Ctrl", "S"], does: "Save the file that is shown (on a Mac Cmd S)" },
      { keys: ["Ctrl", "Z"], does: "Undo the last edit of the file that is shown" },
      { keys: ["Ctrl", "Shift", "Z"], does: "Redo it (also Ctrl Y)" },
      { keys: ["Ctrl", "I"], does: "Show the values of the placeholder at the cursor" },
      { keys: ["Ctrl", "B"], does: "Go to its definition (also Ctrl click)" },
      {
        keys: ["Esc", "Tab"],
        does: "Leave the code editor: press one after the other. Tab without Esc indents",
      },
    ],
  },
  {
    of: "Blocks",
    shortcuts: [
      { keys: ["a"], does: "Add a block below the selected one (Shift A: inside it)" },
      { keys: ["Alt", "↑", "↓"], does: "Move the selected blocks up and down" },
      { keys: ["Alt", "→", "←"], does: "Move them into the block above, or out of their parent block" },
      { keys: ["Shift", "↑", "↓"], does: "Select several blocks (Ctrl A: all)" },
      { keys: ["Ctrl", "D"], does: "Duplicate the selected blocks" },
      { keys: ["w", "u"], does: "Wrap the selected blocks in a group, loop or condition, or unwrap one" },
      { keys: ["Ctrl", "X", "C", "V"], does: "Cut, copy and paste blocks as JSON" },
      { keys: ["Del"], does: "Delete the selected blocks" },
      { keys: ["Enter"], does: "Go to the form of the selected block (Esc: back)" },
      { keys: ["Shift", "F10"], does: "Open the menu of the selected blocks" },
    ],
  },
  {
    of: "Environments",
    shortcuts: [
      { keys: ["Enter", "F2"], does: "Edit a cell (or start typing)" },
      { keys: ["Del"], does: "Reset a cell to what it inherits" },
      { keys: ["Ctrl", "C"], does: "Copy a cell (a secret is not shown)" },
      { keys: ["Shift", "F10"], does: "Open the menu of a cell, a variable or an environment (also Space)" },
    ],
  },
]
