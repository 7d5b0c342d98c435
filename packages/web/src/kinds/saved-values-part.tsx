// Shows the overrides of a block together with the values of its saved request.

import { useMemo, type ReactNode } from "react"
import type { JsonObject, JsonPointer } from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"
import { useOpenFile } from "../files/open-files.ts"
import { pointerKey } from "../files/text/field-problems.ts"
import { InheritanceProvider } from "../forms/inheritance.ts"
import { savedValues } from "./saved-values.ts"

interface Props {
  /** The file of the saved request. Undefined if the block sends an operation. */
  readonly file: FileName | undefined
  readonly pointer: JsonPointer
  readonly overrides: JsonObject
  /** Renders the values to show, which have the form of overrides. */
  readonly children: (shown: JsonObject) => ReactNode
}

export function SavedValuesPart({ file, ...props }: Props) {
  if (file === undefined) return props.children(props.overrides)
  return <WithSaved file={file} {...props} />
}

function WithSaved({ file, pointer, overrides, children }: Props & { readonly file: FileName }) {
  const { value } = useOpenFile(file)
  const { shown, inheritance } = useMemo(() => {
    const { shown, inherited, own } = savedValues(overrides, value)
    const keys = (pointers: readonly JsonPointer[]) =>
      new Set(pointers.map((inner) => pointerKey([...pointer, ...inner])))
    return { shown, inheritance: { inherited: keys(inherited), own: keys(own), upTo: pointer } }
  }, [overrides, value, pointer])
  return <InheritanceProvider value={inheritance}>{children(shown)}</InheritanceProvider>
}
