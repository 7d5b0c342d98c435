// A diff of two texts by line. Its code is loaded on first use.

import { lazy, Suspense } from "react"
import type { DiffProps } from "./diff-list.tsx"

const DiffList = lazy(async () => ({ default: (await import("./diff-list.tsx")).DiffList }))

export function TextDiff(props: DiffProps) {
  return (
    <Suspense fallback={<div className="diff" aria-busy="true" />}>
      <DiffList {...props} />
    </Suspense>
  )
}
