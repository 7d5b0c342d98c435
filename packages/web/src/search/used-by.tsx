// The places that use something. Their list is loaded on first use.

import { later } from "../ui/later.tsx"

export const [UsedBy] = later(
  async () => (await import("./use-list.tsx")).UseList,
  () => <p className="waiting">Searching the project…</p>,
)
