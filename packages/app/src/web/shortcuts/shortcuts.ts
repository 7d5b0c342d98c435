// Every shortcut there is, as the list shows them; use-shortcuts.ts and the lists do what they say.

export interface Shortcut {
  readonly keys: readonly string[]
  readonly does: string
}

export const shortcuts: readonly Shortcut[] = [
  { keys: ["/"], does: "Search operations, environments, saved requests and workflows" },
  { keys: ["Ctrl", "K"], does: "Go to anything (on a Mac also Cmd K)" },
  { keys: ["?"], does: "Show this list" },
  { keys: ["F6"], does: "Next part of the page: search, outline, main part" },
  { keys: ["↑", "↓"], does: "Move in the outline, in a report and in what was found" },
  { keys: ["→", "←"], does: "Open and close in the outline and in a report" },
  { keys: ["Enter"], does: "Show what is active" },
  { keys: ["Ctrl", "Enter"], does: "Run the workflow that is shown (on a Mac also Cmd Enter)" },
  { keys: ["Esc"], does: "Clear the search, or close what lies over the page" },
]
