// The editable method and URL of a saved request, in the bar that sends it.

import { useLayoutEffect } from "react"
import { flushSync } from "react-dom"
import type { EnvironmentsView, FileName, OperationDetail } from "@callsheet/server/calls"
import type { JsonObject } from "@callsheet/format"
import { EditArea } from "../files/edit-area.tsx"
import { Select } from "../forms/choice-field.tsx"
import type { SendGuard } from "../runs/send-part.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { baseUrls, knownValues, resolvedUrl } from "./resolved-url.ts"
import { useUrlEdits } from "./url-edits.ts"
import { UrlNotice } from "./url-notice.tsx"
import { splitTypedUrl, writtenUrl } from "./typed-url.ts"

const methods: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]

export interface UrlBarProps {
  readonly file: FileName & { readonly kind: "request" }
  /** The value of the file. */
  readonly request: JsonObject
  readonly detail: OperationDetail | undefined
  /** The environment that the user has chosen. */
  readonly environment: string | undefined
  readonly onEnvironment: (name: string) => void
  readonly view: EnvironmentsView | undefined
  readonly guard: SendGuard
}

export function UrlBar(props: UrlBarProps) {
  const { file, request, detail, environment, view, guard } = props
  const { method = detail?.method, path = detail?.path } = request
  const target = {
    method: typeof method === "string" ? method : "GET",
    path: typeof path === "string" ? path : "",
  }
  const written = writtenUrl(target.path, request["params"])
  const bases = baseUrls(view)
  const edits = useUrlEdits(props, { ...target, written, bases })
  useLayoutEffect(() => {
    // What is typed is written first, so that it is what is sent.
    guard.current = () => flushSync(() => edits.settle())
    return () => {
      guard.current = undefined
    }
  })
  const base = bases.get(environment ?? "")
  const known = methods.includes(target.method) ? methods : [target.method, ...methods]
  return (
    // While the user types, undo applies to the field alone.
    <EditArea name={edits.typed === undefined ? file : "typed URL"} className="url-bar">
      <Select
        className={`url-method method-${target.method.toLowerCase()}`}
        aria-label="Method"
        value={target.method}
        choices={known.map((one) => [one, one] as const)}
        onChange={edits.chooseMethod}
      />
      {/* A URL with a server of its own doesn't follow it. */}
      {edits.typed !== undefined && splitTypedUrl(edits.typed).origin !== undefined ? null : (
        <span className="url-base" title={base === undefined ? undefined : visibleText(base)}>
          <bdi>{visibleText(base?.replace(/\/+$/, "") ?? "{{baseUrl}}")}</bdi>
        </span>
      )}
      <input
        type="text"
        className="form-input form-code url-text"
        aria-label="URL"
        autoComplete="off"
        spellCheck={false}
        placeholder="/path, a URL or a curl command"
        title={visibleText(resolvedUrl(target.path, request["params"], knownValues(view, environment)))}
        value={edits.typed ?? written}
        onChange={(event) => edits.type(event.target.value)}
        onBlur={() => void edits.settle()}
        onPaste={edits.onPaste}
        onKeyDown={edits.onKeyDown}
      />
      <UrlNotice {...props} edits={edits} />
    </EditArea>
  )
}
