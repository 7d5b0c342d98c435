// Adds steps to the path of the shown value.

import { useMemo, type ReactNode } from "react"
import { useValueSource, ValueSourceProvider } from "./value-source.ts"

export function ValueSteps({ steps, children }: { readonly steps: string; readonly children: ReactNode }) {
  const source = useValueSource()
  const inner = useMemo(
    () => (source === undefined ? undefined : { ...source, steps: [...source.steps, ...steps.split(".")] }),
    [source, steps],
  )
  return <ValueSourceProvider value={inner}>{children}</ValueSourceProvider>
}
