// The response that a failed assertion read, with the value marked.

import { createContext, useContext, useMemo } from "react"
import type { BlockReport } from "@callsheet/format"
import { useOpenFile } from "../../files/open-files.ts"
import { ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { ValueSourceProvider } from "../../kinds/values/value-button.tsx"
import { ExchangeView } from "../response/exchange-view.tsx"
import { readPart } from "./failures.ts"
import { usePlaceAfter } from "../ticks/tick-place.ts"
import { blockIds, writtenId } from "@callsheet/language"

const Context = createContext<readonly BlockReport[]>([])

/** Tells the views inside it the blocks of the shown run. */
export const RunBlocksProvider = Context

interface Props {
  readonly block: BlockReport
  readonly workflow: string
}

export function ReadExchange({ block, workflow }: Props) {
  const blocks = useContext(Context)
  const read = useMemo(() => readPart(blocks, block), [blocks, block])
  const { value } = useOpenFile({ kind: "workflow", workflow })
  const id = read?.block.id
  const written = useMemo(() => (id === undefined ? undefined : writtenId(id, blockIds(value))), [id, value])
  const source = useMemo(
    () => (written === undefined ? undefined : { workflow, block: written, steps: [] }),
    [workflow, written],
  )
  const place = usePlaceAfter(workflow, written)
  if (read === undefined) return null
  return (
    <section className="block-part" aria-label={`Exchange of ${visibleText(read.block.id.slice(0, 200))}`}>
      <h3>
        Read from <ShownText text={read.block.id} />
      </h3>
      <ValueSourceProvider value={source}>
        <ExchangeView block={read.block} read={read.steps} place={place} />
      </ValueSourceProvider>
    </section>
  )
}
