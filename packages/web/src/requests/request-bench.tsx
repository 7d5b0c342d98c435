// The page of a request: the bar that sends it, its form, and the response beside it.

import { useQuery } from "@tanstack/react-query"
import type { ReactNode } from "react"
import type { JsonValue } from "@callsheet/format"
import { useConnection } from "../connection/connection.ts"
import { environmentsQuery } from "../connection/queries.ts"
import { Split, useNarrowWindow } from "../ui/split.tsx"
import { SendBar, SentResult, useSending, type Sent } from "../runs/send-part.tsx"
import { knownValues, resolvedUrl } from "./resolved-url.ts"

interface Props {
  readonly sent: Sent
  readonly method: string | undefined
  readonly path: string
  readonly params: JsonValue | undefined
  /** Names the request. */
  readonly head: ReactNode
  readonly children: ReactNode
}

export function RequestBench({ sent, method, path, params, head, children }: Props) {
  const sending = useSending(sent)
  const isNarrow = useNarrowWindow(1024)
  const isOpen = useConnection(({ status }) => status === "open")
  const { data: view } = useQuery({ ...environmentsQuery(sent.api), enabled: isOpen })
  const values = knownValues(view, sending.environment)
  return (
    <div className="bench">
      {head}
      <SendBar sending={sending} method={method} url={resolvedUrl(path, params, values)} />
      <Split
        id="request"
        isVertical={isNarrow}
        label="Resize the form and the response"
        panes={[
          { id: "request-form", minSize: "25%", size: "52%", content: children },
          {
            id: "request-result",
            minSize: "20%",
            content: <SentResult sending={sending} sent={sent} />,
          },
        ]}
      />
    </div>
  )
}
