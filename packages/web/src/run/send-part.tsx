// Sends a single request from a page: the environment, the exchange, and actions on both.

import { useEffect, useRef, type ReactNode } from "react"
import { isJsonObject, parseJson, type BodyType } from "@callsheet/format"
import type { RunFormApi, SendOrder } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { readFaultOf, faultOf, type Fault } from "../connection/fault-of.ts"
import { LongText } from "../text/long-text.tsx"
import { Section } from "../views/section.tsx"
import { useDraft } from "./drafts.ts"
import { FailureLine } from "./failure-line.tsx"
import { chosenEnvironment } from "./order-of.ts"
import { startAsking } from "./questions.ts"
import { EnvironmentField } from "./run-fields.tsx"
import { useRuns, watchRun } from "./run-store.ts"
import { SentExchange } from "./sent-exchange.tsx"
import { setStart, useChosenRun, useStart, chooseRun, startOf } from "./starts.ts"
import { useSendForm } from "./use-run-queries.ts"

interface Props {
  readonly api: string
  readonly resource: string
  readonly request: string
  /** The text to send, with unsaved changes. */
  readonly text: string
  /** The key of the exchange. By default, the request's name. */
  readonly keptAs?: string
  readonly actions: ReactNode
  readonly children?: ReactNode
}

export function SendPart({ children, ...props }: Props) {
  const { data: form, error } = useSendForm(props.api)
  return (
    <Section title="Send">
      {children}
      {form === undefined ? (
        <p className="run-form faint">
          {error === null ? "Loading the environments…" : <LongText text={readFaultOf(error)} />}
        </p>
      ) : (
        <Sender {...props} form={form} />
      )}
    </Section>
  )
}

type SenderProps = Omit<Props, "children"> & { readonly form: RunFormApi }

function useSending({ form, ...sent }: SenderProps) {
  const { api, resource, request, text, keptAs } = sent
  const key = keptAs ?? sendKey(sent)
  // All requests of an API share one choice.
  const draftKey = `send ${api}`
  const environment = chosenEnvironment(form, useDraft(draftKey))
  const { faults, failure, isStarting } = useStart(key)
  const run = useChosenRun(key)?.run
  const known = useRuns((runs) => (run === undefined ? undefined : runs[run]))
  useEffect(() => watchRun(run), [run])
  useEffect(() => () => watchRun(undefined), [])
  const going = known?.isDone === true ? undefined : run
  const isBusy = isStarting || going !== undefined
  const send = (): void => {
    if (isBusy) return
    if (environment === undefined)
      setStart(key, { faults: { environment: "Choose an environment." }, isStarting: false })
    else void sendRequest({ api, resource, request, text, environment }, key)
  }
  const fault = environment === undefined ? faults["environment"] : undefined
  return { draftKey, run, known, going, isBusy, fault, failure, send }
}

function Sender(props: SenderProps) {
  const { form, text, actions } = props
  const { draftKey, run, known, going, isBusy, fault, failure, send } = useSending(props)
  const element = useRef<HTMLFormElement>(null)
  useSendKey(element)
  return (
    <>
      <div className="run-form send-line">
        <form
          ref={element}
          className="send-form"
          aria-label="Send"
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            send()
          }}
        >
          <EnvironmentField workflow={draftKey} api={form} fault={fault} />
          <div className="run-actions">
            <button type="submit" className="button button-main run-button" aria-disabled={isBusy}>
              {isBusy ? "Sending…" : "Send"}
            </button>
            {going === undefined ? (
              <span className="field-note">
                <kbd>Ctrl</kbd> <kbd>Enter</kbd>
              </span>
            ) : (
              <button type="button" className="button" onClick={() => void stop(going)}>
                Cancel
              </button>
            )}
            <FailureLine failure={failure} />
          </div>
        </form>
        <div className="send-actions">{actions}</div>
      </div>
      {run === undefined ? null : <SentExchange known={known} bodyType={bodyTypeOf(text)} />}
    </>
  )
}

const stop = (run: string): Promise<unknown> => call("runs.stop", { run }).catch(() => undefined)

function bodyTypeOf(text: string): BodyType | undefined {
  const parsed = parseJson(text)
  const type = parsed.ok && isJsonObject(parsed.value) ? parsed.value["bodyType"] : undefined
  return bodyTypes.find((each) => each === type)
}

const bodyTypes: readonly BodyType[] = ["json", "form", "multipart", "text", "file"]

/** Sends on Ctrl-Enter or Cmd-Enter, wherever the focus is. A held key sends once. */
function useSendKey(form: { readonly current: HTMLFormElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event
      if (key !== "Enter" || !(ctrlKey || metaKey) || shiftKey || altKey) return
      if (document.querySelector("dialog[open]") !== null) return
      event.preventDefault()
      if (!event.repeat) form.current?.requestSubmit()
    }
    window.addEventListener("keydown", onKeyDown)
    return () => window.removeEventListener("keydown", onKeyDown)
  }, [form])
}

/** The key of a request's exchange. No workflow can have this name. */
const sendKey = ({ api, resource, request }: Pick<SendOrder, "api" | "resource" | "request">): string =>
  `${api}/${resource}/${request}`

/** Sends after the server's questions are answered. Stores the exchange under the key. */
async function sendRequest(order: SendOrder, key: string): Promise<void> {
  if (startOf(key).isStarting) return
  const update = (isStarting: boolean, failure?: Fault): void =>
    setStart(key, { faults: {}, isStarting, failure })
  update(true)
  try {
    const run = await startAsking("send", (answers) => call("requests.send", { ...order, ...answers }))
    if (run !== undefined) chooseRun(key, { run, isOwn: true })
    update(false)
  } catch (error) {
    update(false, faultOf(error, "The request may have been sent."))
  }
}
