// The places that use something. Their list is loaded on first use.

import { lazy, Suspense } from "react"
import type { Used } from "@callsheet/server/calls"

const UseList = lazy(async () => ({ default: (await import("./use-list.tsx")).UseList }))

export const UsedBy = ({ of }: { readonly of: Used }) => (
  <Suspense fallback={<p className="waiting">Searching the project…</p>}>
    <UseList of={of} />
  </Suspense>
)
