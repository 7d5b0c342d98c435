// A diff of two texts by line. Its code is loaded on first use.

import { later } from "../ui/later.tsx"

export const [TextDiff] = later(
  async () => (await import("./diff-list.tsx")).DiffList,
  () => <div className="diff" aria-busy="true" />,
)
