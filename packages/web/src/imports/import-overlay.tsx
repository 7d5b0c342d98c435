// Shows the dialog that adds requests from files. Its code is loaded on first use.

import { lazy, Suspense } from "react"
import { showImport, useImport } from "./import-state.ts"

const ImportDialog = lazy(async () => ({ default: (await import("./import-dialog.tsx")).ImportDialog }))

export function ImportOverlay() {
  const shown = useImport((state) => state.shown)
  if (shown === undefined) return null
  return (
    <Suspense>
      <ImportDialog kind={shown} onClose={() => showImport(undefined)} />
    </Suspense>
  )
}
