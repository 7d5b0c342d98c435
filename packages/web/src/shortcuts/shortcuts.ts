// All shortcuts for the list; implemented in use-shortcuts.ts and the lists.

interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

export interface ShortcutGroup {
  readonly of: string
  readonly shortcuts: readonly Shortcut[]
}

export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    of: "Everywhere",
    shortcuts: [
      { keys: ["/"], does: "Search operations, environments, saved requests and workflows" },
      { keys: ["Ctrl", "K"], does: "Go to anything (on a Mac also Cmd K)" },
      { keys: ["?"], does: "Show this list" },
      { keys: ["F6"], does: "Next part of the page: search, outline, main part" },
      { keys: ["Esc"], does: "Clear the search, or close what lies over the page" },
    ],
  },
  {
    of: "Lists and outlines",
    shortcuts: [
      { keys: ["↑", "↓"], does: "Move in the outline, in a report and in what was found" },
      { keys: ["→", "←"], does: "Open and close in the outline and in a report" },
      { keys: ["Enter"], does: "Show what is active" },
    ],
  },
  {
    of: "Running",
    shortcuts: [
      { keys: ["Ctrl", "Enter"], does: "Run the workflow that is shown (on a Mac also Cmd Enter)" },
      { keys: ["Ctrl", "Shift", "Enter"], does: "Run the workflow up to the selected block" },
      { keys: ["Alt", "Enter"], does: "Run the selected block alone, with the results of the last run" },
    ],
  },
  {
    of: "Files",
    shortcuts: [
      { keys: ["Ctrl", "S"], does: "Save the file that is shown (on a Mac Cmd S)" },
      { keys: ["Ctrl", "Z"], does: "Undo the last edit of the file that is shown" },
      { keys: ["Ctrl", "Shift", "Z"], does: "Redo it (also Ctrl Y)" },
      { keys: ["Esc", "Tab"], does: "Leave the code editor, one after the other; Tab alone indents" },
    ],
  },
  {
    of: "Blocks",
    shortcuts: [
      { keys: ["a"], does: "Add a block below the selected one (Shift A: inside of it)" },
      { keys: ["Alt", "↑", "↓"], does: "Move the selected blocks up and down" },
      { keys: ["Alt", "→", "←"], does: "Move them into the block above, and out of the one around them" },
      { keys: ["Shift", "↑", "↓"], does: "Select several blocks (Ctrl A: all)" },
      { keys: ["Ctrl", "D"], does: "Duplicate the selected blocks" },
      { keys: ["w", "u"], does: "Wrap the selected blocks in a group, loop or condition; unwrap one" },
      { keys: ["Ctrl", "X", "C", "V"], does: "Cut, copy and paste blocks as JSON" },
      { keys: ["Del"], does: "Delete the selected blocks" },
      { keys: ["Enter"], does: "To the form of the selected block; Esc leads back" },
      { keys: ["Shift", "F10"], does: "Menu of the selected blocks" },
    ],
  },
  {
    of: "Environments",
    shortcuts: [
      { keys: ["Enter", "F2"], does: "Edit a cell; typing does so too" },
      { keys: ["Del"], does: "Reset a cell to what it inherits" },
      { keys: ["Ctrl", "C"], does: "Copy a cell, a secret without showing it" },
      { keys: ["Shift", "F10"], does: "Menu of a cell, a variable or an environment (also Space)" },
    ],
  },
]
