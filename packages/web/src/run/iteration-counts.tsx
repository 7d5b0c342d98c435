// How the iterations of a loop came out.

import type { IterationReport } from "@callsheet/format"
import { count } from "../text/count.ts"

export function IterationCounts({ iterations }: { readonly iterations: readonly IterationReport[] }) {
  const failed = iterations.reduce((sum, { status }) => (status === "failed" ? sum + 1 : sum), 0)
  return (
    <p className="block-description">
      {count(iterations.length, "iteration")}, {failed === 0 ? "none" : failed.toLocaleString("en")} failed
    </p>
  )
}
