// The field to begin with: it sends a URL or a curl command, and fetches an OpenAPI document.

import { useEffect, useId, useRef, type KeyboardEvent } from "react"
import { FileDown, SendHorizontal } from "lucide-react"
import { useStart } from "../../runs/state/starts.ts"
import { later } from "../../ui/later.tsx"
import { showImport } from "./import-state.ts"
import { kindOfStart, urlOf, type StartKind } from "./start-text.ts"
import { tryKey, tryRequest, useTrying } from "./try-request.ts"

// Not part of what opens the page.
const [TriedResult] = later(async () => (await import("./tried-result.tsx")).TriedResult)

const MAX_LINES = 8

export function StartField() {
  const id = useId()
  const text = useTrying((state) => state.text)
  const { isStarting } = useStart(tryKey)
  const kind = kindOfStart(text)
  const submit = (): void => begin(kind, text)
  const field = useRef<HTMLTextAreaElement>(null)
  // So that the user can paste at once.
  useEffect(() => {
    if (document.activeElement === document.body) field.current?.focus()
  }, [])
  return (
    <>
      <form
        className="start-form"
        aria-label="Start"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <label className="only-read" htmlFor={id}>
          URL, curl command, or address of an OpenAPI document
        </label>
        <textarea
          ref={field}
          id={id}
          className="start-text form-input field-code"
          rows={Math.min(MAX_LINES, text.split("\n").length)}
          placeholder="Paste a URL, a curl command, or the address of an OpenAPI document"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-describedby={`${id}-note`}
          value={text}
          onChange={({ target }) => useTrying.setState({ text: target.value })}
          onKeyDown={(event) => submitOnEnter(event, submit)}
        />
        <button type="submit" className="button button-main send-button" aria-disabled={isStarting}>
          {kind === "address" || kind === "document" ? (
            <FileDown aria-hidden="true" />
          ) : (
            <SendHorizontal aria-hidden="true" />
          )}
          {isStarting ? "Sending…" : doesOf(kind)}
        </button>
      </form>
      <p id={`${id}-note`} className="field-note start-note">
        <Note kind={kind} text={text} />
      </p>
      <TriedResult />
    </>
  )
}

/** Shift-Enter makes a new line. */
function submitOnEnter(event: KeyboardEvent, submit: () => void): void {
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return
  event.preventDefault()
  if (!event.repeat) submit()
}

const doesOf = (kind: StartKind): string =>
  kind === "address" ? "Fetch document" : kind === "document" ? "Preview" : "Send"

function begin(kind: StartKind, text: string): void {
  if (kind === "address") showImport("document", { address: urlOf(text) ?? text.trim() })
  else if (kind === "document") showImport("document", { pasted: text })
  else if (kind !== "nothing") void tryRequest(kind === "url" ? (urlOf(text) ?? text) : text)
}

function Note({ kind, text }: { readonly kind: StartKind; readonly text: string }) {
  const url = urlOf(text) ?? text
  if (kind === "address")
    return (
      <>
        Fetches an OpenAPI document, and shows what it adds.{" "}
        <button type="button" className="link" onClick={() => void tryRequest(url)}>
          Send it as a request
        </button>
      </>
    )
  if (kind === "url")
    return (
      <>
        Sends GET and saves nothing.{" "}
        <button type="button" className="link" onClick={() => showImport("document", { address: url })}>
          Fetch it as an OpenAPI document
        </button>
      </>
    )
  if (kind === "curl") return "Sends the request at once and saves nothing."
  if (kind === "document") return "An OpenAPI document. The preview shows what it adds."
  return "Nothing is saved until you choose to. Press Enter to send."
}
