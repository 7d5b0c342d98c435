// The page of a request: the bar that sends it, its form, and the response beside it.

import { useQuery } from "@tanstack/react-query"
import { useRef, type ReactNode } from "react"
import type { JsonValue } from "@callsheet/format"
import { useConnection } from "../connection/connection.ts"
import { environmentsQuery } from "../connection/queries.ts"
import { Split, useNarrowWindow } from "../ui/split.tsx"
import { chooseEnvironment } from "../environments/environment-choices.ts"
import { FixedUrl, SendBar, SentResult, useSending, type SendGuard, type Sent } from "../runs/send-part.tsx"
import { knownValues, resolvedUrl } from "./resolved-url.ts"
import { UrlBar, type UrlBarProps } from "./url-bar.tsx"

interface Props {
  readonly sent: Sent
  readonly method: string | undefined
  readonly path: string
  readonly params: JsonValue | undefined
  /** Set if the user can edit the method and the URL. */
  readonly edited?: Pick<UrlBarProps, "file" | "request" | "detail"> | undefined
  /** Names the request. */
  readonly head: ReactNode
  readonly children: ReactNode
}

export function RequestBench({ sent, method, path, params, edited, head, children }: Props) {
  const guard: SendGuard = useRef(undefined)
  const sending = useSending(sent)
  const isNarrow = useNarrowWindow(1279)
  const isOpen = useConnection(({ status }) => status === "open")
  const { data: view } = useQuery({ ...environmentsQuery(sent.api), enabled: isOpen })
  const { environment, form, run, failure, isBusy } = sending
  const hasResult = run !== undefined || failure !== undefined || isBusy
  return (
    <div className="bench">
      {head}
      <SendBar sending={sending} guard={guard}>
        {edited === undefined ? (
          <FixedUrl method={method} url={resolvedUrl(path, params, knownValues(view, environment))} />
        ) : (
          <UrlBar
            {...edited}
            {...{ environment, view, guard }}
            onEnvironment={(name) => chooseEnvironment(form === undefined ? [] : [form], undefined, name)}
          />
        )}
      </SendBar>
      <Split
        id="request"
        isVertical={isNarrow}
        // Half of a low window for a hint would leave no room for the form.
        isSecondEmpty={isNarrow && !hasResult}
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
