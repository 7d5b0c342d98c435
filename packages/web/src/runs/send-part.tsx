// Sends a single request from a page: the bar with its URL, and the response.

import { useEffect, useLayoutEffect, useRef, type ReactNode, type RefObject } from "react"
import { SendHorizontal, Square } from "lucide-react"
import {
  isJsonObject,
  parseJson,
  type BodyType,
  type JsonObject,
  type RunReport,
  ownOf,
} from "@callsheet/format"
import type { RunFormApi, SendOrder } from "@callsheet/server/calls"
import { call } from "../connection/call.ts"
import { readFaultOf, faultOf, type Fault } from "../connection/fault-of.ts"
import { usePageKeys } from "../ui/use-page-keys.ts"
import { ShownText } from "../ui/shown-text.tsx"
import { visibleText } from "../ui/visible-text.ts"
import { RefusalNote } from "../forms/authentication/refusal-note.tsx"
import { targetOf } from "../forms/request/operation-request.ts"
import { askForEnvironment } from "../environments/environment-commands.ts"
import { EnvironmentMenu } from "../environments/environment-menu.tsx"
import { useEnvironment } from "../environments/use-environment.ts"
import { FailureLine, BlockFault, ownError, RunFault } from "./marks/block-fault.tsx"
import { startAsking } from "./state/questions.ts"
import { useRuns, watchRun, type KnownRun } from "../connection/run-store.ts"
import { chooseRun, setStart, startOf, stopRun, useChosenRun, useStart } from "./state/starts.ts"
import { useSendForm } from "./state/use-run-queries.ts"
import { MethodBadge } from "../ui/badges.tsx"
import { ExchangeView } from "./response/exchange-view.tsx"
import { StatusMark } from "./marks/status-mark.tsx"
import { duration } from "../ui/formats.ts"
import type { AddedRequest } from "./ticks/add-request.ts"

export interface Sent {
  readonly api: string
  readonly resource: string
  readonly request: string
  /** The text to send, with unsaved changes. */
  readonly text: string
  /** The key of the exchange. By default, the request's name. */
  readonly keptAs?: string
  /** What a workflow gets that sends it. */
  readonly added: AddedRequest
}

interface Sending {
  readonly api: string
  readonly form: RunFormApi | undefined
  readonly environment: string | undefined
  readonly run: string | undefined
  readonly known: KnownRun | undefined
  /** Undefined if no request is being sent. */
  readonly going: string | undefined
  readonly isBusy: boolean
  readonly failure: Fault | undefined
  readonly send: () => void
}

export function useSending(sent: Sent): Sending {
  const { api, resource, request, text, keptAs } = sent
  const { data: form, error } = useSendForm(api)
  const key = keptAs ?? sendKey(sent)
  const environment = useEnvironment(api, undefined)
  const { faults, failure, isStarting } = useStart(key)
  const run = useChosenRun(key)?.run
  const known = useRuns((runs) => (run === undefined ? undefined : ownOf(runs, run)))
  useEffect(() => watchRun(run), [run])
  useEffect(() => () => watchRun(undefined), [])
  const going = known?.isDone === true ? undefined : run
  const isBusy = isStarting || going !== undefined
  const send = (): void => {
    if (isBusy || form === undefined) return
    if (environment === undefined) {
      setStart(key, { faults: { environment: "Choose an environment at the top right." }, isStarting: false })
      askForEnvironment()
    } else void sendRequest({ api, resource, request, text, environment }, key)
  }
  const fault = environment === undefined ? faults["environment"] : undefined
  const missing = fault === undefined ? undefined : { message: fault }
  return {
    api,
    form,
    environment,
    run,
    known,
    going,
    isBusy,
    failure: failure ?? missing ?? (error === null ? undefined : { message: readFaultOf(error) }),
    send,
  }
}

/** Settles what the user has typed into the bar. Returns false if it can't be sent yet. */
export type SendGuard = RefObject<(() => boolean) | undefined>

interface BarProps {
  readonly sending: Sending
  readonly guard?: SendGuard
  /** The method and the URL. */
  readonly children: ReactNode
}

/**
 * Shows what is sent and where, an environment of its own if it has one, and the button that sends it. Always above the
 * form and the response.
 */
export function SendBar({ sending, guard, children }: BarProps) {
  const { form, going, isBusy, send } = sending
  const element = useRef<HTMLFormElement>(null)
  // The guard may change the text to send, and renders again before it returns.
  const latest = useRef(send)
  useLayoutEffect(() => {
    latest.current = send
  })
  useSendKey(element)
  return (
    <form
      ref={element}
      className="bench-bar send-bar"
      aria-label="Send"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (guard?.current?.() !== false) latest.current()
      }}
    >
      {children}
      {form === undefined ? null : <EnvironmentMenu apis={[form]} subject={undefined} of={form.api} />}
      {going === undefined ? (
        <button
          type="submit"
          className="button button-main send-button"
          aria-disabled={isBusy}
          title="Send the request (Ctrl Enter)"
        >
          <SendHorizontal aria-hidden="true" />
          {isBusy ? "Sending…" : "Send"}
        </button>
      ) : (
        <button type="button" className="button send-button" onClick={() => void stopRun(going)}>
          <Square aria-hidden="true" />
          Cancel
        </button>
      )}
    </form>
  )
}

interface UrlProps {
  readonly method: string | undefined
  readonly url: string
}

/** A URL that can't be edited, because its operation decides it. */
export const FixedUrl = ({ method, url }: UrlProps) => (
  <p className="send-url">
    {method === undefined ? null : <MethodBadge method={method} />}
    <code title={visibleText(url)}>
      <ShownText text={url} />
    </code>
  </p>
)

/** The response to the last request, or why it couldn't be sent. */
interface ResultProps {
  readonly sending: Pick<Sending, "run" | "known" | "failure">
  /** Undefined for a request that belongs to no API, which can't be checked. */
  readonly sent: Sent | undefined
}

export function SentResult({ sending, sent }: ResultProps) {
  const { run, known, failure } = sending
  return (
    <div className="result">
      <h2 className="only-read">Result</h2>
      <FailureLine failure={failure} />
      {sent === undefined ? null : <SentRefusal known={known} sent={sent} />}
      {run !== undefined ? (
        <SentExchange known={known} sent={sent} />
      ) : failure === undefined ? (
        <p className="result-empty">
          Send the request to see its response.{" "}
          <span>
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </span>
        </p>
      ) : null}
    </div>
  )
}

interface RefusalProps {
  readonly known: KnownRun | undefined
  readonly sent: Sent
}

function SentRefusal({ known, sent: { api, text } }: RefusalProps) {
  const run = known?.report?.run
  if (run === undefined) return null
  const request = objectIn(text)
  return (
    <RefusalNote
      status={run.blocks[0]?.response?.status}
      api={api}
      operation={targetOf(request)}
      environment={ownOf(run.environments, api)?.name}
      params={request["params"]}
    />
  )
}

function objectIn(text: string): JsonObject {
  const parsed = parseJson(text)
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : {}
}

function bodyTypeOf(text: string): BodyType | undefined {
  const type = objectIn(text)["bodyType"]
  return bodyTypes.find((each) => each === type)
}

const bodyTypes: readonly BodyType[] = ["json", "form", "multipart", "text", "file"]

/** Sends on Ctrl-Enter or Cmd-Enter. A held key sends once. */
const useSendKey = (form: { readonly current: HTMLFormElement | null }): void =>
  usePageKeys(({ key, ctrlKey, metaKey, shiftKey, altKey, repeat }) =>
    key !== "Enter" || !(ctrlKey || metaKey) || shiftKey || altKey
      ? undefined
      : () => {
          if (!repeat) form.current?.requestSubmit()
        },
  )

/** The key of a request's exchange. No workflow can have this name. */
export const sendKey = ({
  api,
  resource,
  request,
}: Pick<SendOrder, "api" | "resource" | "request">): string => `${api}/${resource}/${request}`

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

interface Props {
  readonly known: KnownRun | undefined
  readonly sent: Sent | undefined
}

function SentExchange({ known, sent }: Props) {
  const run = known?.report?.run
  const isDone = known?.isDone === true
  if (run !== undefined) return <Exchange run={run} isDone={isDone} sent={sent} />
  return <p className="send-outcome faint">{isDone ? "This request is no longer available." : "Sending…"}</p>
}

interface ExchangeProps {
  readonly run: RunReport
  readonly isDone: boolean
  readonly sent: Sent | undefined
}

function Exchange({ run, isDone, sent }: ExchangeProps) {
  const { error, durationMs } = run
  const [block] = run.blocks
  const status = outcomeOf(run, isDone)
  const fault = block && ownError(block)
  return (
    <div className="send-result" role="region" aria-label="Sent request">
      {/* Beside a response, its status says the same. */}
      <p className={block?.response === undefined ? "send-outcome" : "only-read"} role="status">
        <span className={`outcome outcome-${status}`}>
          <StatusMark status={status} />
          {block?.response !== undefined && block.status === "passed"
            ? `answered with ${block.response.status}`
            : words[block?.reason === "cancelled" ? "cancelled" : status]}
        </span>
        {isDone ? <span className="run-times">{duration(durationMs)}</span> : null}
      </p>
      <RunFault error={error} />
      {fault === undefined ? null : <BlockFault error={fault} />}
      {block === undefined ? null : (
        <ExchangeView
          block={block}
          bodyType={bodyTypeOf(sent?.text ?? "")}
          place={sent === undefined ? undefined : { kind: "sent", sent: sent.added }}
        />
      )}
    </div>
  )
}

/** A response with an error status isn't shown as passed, although sending it succeeded. */
function outcomeOf({ status, blocks: [block] }: RunReport, isDone: boolean) {
  if (!isDone) return "running"
  const isRefused = (block?.response?.status ?? 0) >= 400
  return status === "error" || isRefused ? "failed" : (block?.status ?? "failed")
}

const words = {
  running: "Sending…",
  passed: "answered",
  failed: "failed",
  skipped: "not sent",
  cancelled: "canceled",
} as const
