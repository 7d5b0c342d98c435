// The response that a failed assertion read, with the value marked.

import { createContext, useContext, useMemo } from "react"
import type { BlockReport } from "@callsheet/format"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { ExchangeView } from "./exchange-view.tsx"
import { readPart } from "./failures.ts"

const Context = createContext<readonly BlockReport[]>([])

/** Tells the views inside it the blocks of the shown run. */
export const RunBlocksProvider = Context

export function ReadExchange({ block }: { readonly block: BlockReport }) {
  const blocks = useContext(Context)
  const read = useMemo(() => readPart(blocks, block), [blocks, block])
  if (read === undefined) return null
  return (
    <section className="block-part" aria-label={`Exchange of ${visibleText(read.block.id.slice(0, 200))}`}>
      <h3>
        Read from <ShownText text={read.block.id} />
      </h3>
      <ExchangeView block={read.block} read={read.steps} />
    </section>
  )
}
