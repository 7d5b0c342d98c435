// Shows the dialog that adds requests from files. Its code is loaded on first use.

import { lazy, Suspense } from "react"
import { LoadingDialog } from "../parts/dialog.tsx"
import { showImport, useImport } from "./import-state.ts"

const ImportDialog = lazy(async () => ({ default: (await import("./import-dialog.tsx")).ImportDialog }))

export function ImportOverlay() {
  const shown = useImport((state) => state.shown)
  if (shown === undefined) return null
  const close = (): void => showImport(undefined)
  return (
    <Suspense fallback={<LoadingDialog onClose={close} />}>
      <ImportDialog kind={shown} onClose={close} />
    </Suspense>
  )
}
