// A response and its request: side by side, or below each other in a narrow pane.

import { Terminal } from "lucide-react"
import { type ReactNode, useMemo, useState } from "react"
import {
  ownOf,
  foldRedirects,
  timesText,
  type BlockReport,
  type BodyType,
  type ContractProblem,
  type ContractView,
  type Headers,
  type JsonValue,
  type RequestView,
  type ResponseView,
} from "@callsheet/format"
import { MethodBadge } from "../../ui/badges.tsx"
import { HttpStatus } from "../marks/status-mark.tsx"
import { later } from "../../ui/later.tsx"
import { LongText, ShownText } from "../../ui/shown-text.tsx"
import { visibleText } from "../../ui/visible-text.ts"
import { ValueButton, ValueSourceProvider, ValueSteps } from "../../kinds/values/value-button.tsx"
import { isFormatted } from "./body-content.ts"
import { BodyViewer } from "./body-viewer.tsx"
import { ContractProblems, verdicts } from "./contract-problems.tsx"
import { listedItems, type ListedItems } from "./listed-items.ts"
import { curlLine } from "../save/curl-line.ts"
import { TickBox } from "../ticks/tick-box.tsx"
import { TickBar } from "../ticks/tick-bar.tsx"
import { firstTicks, type TickPlace } from "../ticks/tick-place.ts"
import { ticksIn, useTicks, type Ticks } from "../ticks/use-ticks.ts"
import { duration, size } from "../../ui/formats.ts"
import { Tabs, type Tab } from "../../ui/tabs.tsx"
import { ToolButton } from "../../ui/toolbar.tsx"

// Most responses list nothing.
const [ItemList] = later(async () => (await import("./item-list.tsx")).ItemList)

interface Props {
  readonly block: BlockReport
  readonly bodyType?: BodyType | undefined
  readonly actions?: ReactNode
  /** The steps to the value in the response that a failed assertion read, which is marked. */
  readonly read?: readonly string[] | undefined
  /** Where assertions on ticked values go. Absent if there is no such place. */
  readonly place?: TickPlace | undefined
}

export function ExchangeView(props: Props) {
  const { block, place } = props
  const { response } = block
  const ticks = useTicks(firstTicks(place))
  const result = useMemo(
    () => (response === undefined ? undefined : { response: valuesOf(response) }),
    [response],
  )
  return (
    <div className="ticked">
      <Exchange {...props} ticks={place === undefined ? undefined : ticksIn(ticks, ["response"])} />
      {place === undefined || result === undefined ? null : <TickBar {...{ ticks, result, place }} />}
    </div>
  )
}

/** The values of a response that a block can read. */
const valuesOf = ({ status, headers, body, durationMs }: ResponseView): JsonValue => ({
  status,
  durationMs,
  ...(headers === undefined ? {} : { headers }),
  ...(body === undefined ? {} : { body }),
})

interface ExchangeProps extends Omit<Props, "place"> {
  /** The ticks of the response's values. */
  readonly ticks: Ticks | undefined
}

function Exchange({ block, bodyType, actions, read, ticks }: ExchangeProps) {
  const { request, response, requestProblems = [], contract, requestUnchecked } = block
  if (request === undefined) return null
  const listed = listedItems(block)
  return (
    <div className="exchange">
      {response === undefined && listed === undefined ? null : (
        <ValueSteps steps="response">
          <ResponseSide response={response} {...{ listed, contract, read, ticks }} />
        </ValueSteps>
      )}
      <ValueSourceProvider value={undefined}>
        <RequestSide
          request={request}
          problems={requestProblems}
          unchecked={requestUnchecked}
          bodyType={bodyType}
          actions={actions}
        />
      </ValueSourceProvider>
    </div>
  )
}

const noOperation = "the document has no operation for this request"

function RequestSide({
  request,
  problems,
  unchecked,
  bodyType,
  actions,
}: {
  readonly request: RequestView
  readonly actions: ReactNode
  readonly bodyType: BodyType | undefined
  readonly problems: readonly ContractProblem[]
  readonly unchecked: string | undefined
}) {
  return (
    <section className="exchange-side" aria-label="Request">
      <h3>Request</h3>
      <span className="exchange-actions">
        <CurlButton request={request} bodyType={bodyType} />
        {actions}
      </span>
      <p className="exchange-url">
        <MethodBadge method={request.method} />{" "}
        <code className="wrap">
          <LongText text={request.url} />
        </code>
      </p>
      <ContractProblems problems={problems} isWarning />
      <Unchecked reason={unchecked} />
      <Tabs label="Request" tabs={tabsOf({ what: "request body", ...request, problems })} />
    </section>
  )
}

interface ResponseProps extends Omit<StatusProps, "response"> {
  /** Absent while a stream goes on. */
  readonly response: ResponseView | undefined
  readonly listed: ListedItems | undefined
}

/** Keeps the list of a stream's items when the stream ends. */
function ResponseSide({ response, listed, contract, read, ticks }: ResponseProps) {
  const { problems = [] } = contract ?? {}
  const unchecked = contract?.status === "unavailable" ? noOperation : contract?.unchecked
  const itemTab = listed === undefined ? [] : [itemTabOf(listed, problems, ticks)]
  return (
    <section className="exchange-side" aria-label="Response">
      <h3>Response</h3>
      {response === undefined ? null : <ResponseStatus {...{ response, contract, read, ticks }} />}
      {foldRedirects(response?.redirects ?? []).map((redirect, index) => (
        <p key={index} className="exchange-redirect faint">
          {redirect.status} to {redirect.method === undefined ? null : `${redirect.method} `}
          <LongText text={redirect.url} />
          {timesText(redirect.times)}
          {redirect.dropped === undefined ? null : `, without ${redirect.dropped.join(", ")}`}
        </p>
      ))}
      <ContractProblems problems={problems.filter(({ known }) => known !== true)} />
      <ContractProblems problems={problems.filter(({ known }) => known === true)} isKnown />
      <Unchecked reason={unchecked} />
      <Tabs
        label="Response"
        startsWith={startOf(read)}
        tabs={
          response === undefined
            ? itemTab
            : [
                ...itemTab,
                ...tabsOf({ what: "response body", ...response, problems, mayBeBytes: true, read, ticks }),
              ]
        }
      />
    </section>
  )
}

/** The first tab, unless a failed assertion read a header or a value of the body. */
function startOf(read: Props["read"]): string {
  if (read === undefined) return ""
  return read[0] === "headers" ? "Headers" : "Body"
}

const itemTabOf = (
  listed: ListedItems,
  problems: readonly ContractProblem[],
  ticks: Ticks | undefined,
): Tab => ({
  name: listed.what === "item" ? "Items" : "Messages",
  render: () => (
    <ValueSteps steps="body">
      <ItemList {...{ listed, problems }} ticks={ticks && ticksIn(ticks, ["body"])} />
    </ValueSteps>
  ),
})

interface StatusProps {
  readonly response: ResponseView
  readonly contract: ContractView | undefined
  readonly read: Props["read"]
  readonly ticks: Ticks | undefined
}

function ResponseStatus({ response, contract, read, ticks }: StatusProps) {
  const { status, durationMs, sizeBytes } = response
  return (
    <p className={read?.[0] === "status" ? "exchange-status value-read" : "exchange-status"}>
      <TickBox ticks={ticks} steps={["status"]} name="status">
        <HttpStatus status={status} />
      </TickBox>
      <TickBox ticks={ticks} steps={["durationMs"]} name="response time">
        <span className="faint">{duration(durationMs)}</span>
      </TickBox>
      <span className="faint">{size(sizeBytes)}</span>
      {contract === undefined ? null : <ContractBadge contract={contract} />}
      <ValueButton steps={["status"]} value={status} name="status" />
    </p>
  )
}

/** What the contract says of a response. A click shows the first violation. */
function ContractBadge({ contract: { status, unchecked } }: { readonly contract: ContractView }) {
  const [words, tone] = verdicts[status]
  if (status !== "failed" && status !== "known")
    return (
      <span
        className={`tag ${tone}`}
        title={unchecked === undefined ? `Contract: ${words}` : visibleText(unchecked)}
      >
        {words}
      </span>
    )
  return (
    <button
      type="button"
      className={`tag tag-link ${tone}`}
      title={`Contract: ${words}. Show where`}
      onClick={({ currentTarget }) =>
        currentTarget
          .closest(".exchange-side")
          ?.querySelector(".contract")
          ?.scrollIntoView({ block: "center" })
      }
    >
      {words}
    </button>
  )
}

interface Side {
  readonly what: string
  readonly body?: JsonValue
  readonly headers?: Headers
  readonly problems: readonly ContractProblem[]
  /** True if text may represent bytes, such as an image. */
  readonly mayBeBytes?: boolean
  readonly sizeBytes?: number | undefined
  readonly read?: Props["read"]
  readonly ticks?: Ticks | undefined
}

function tabsOf(side: Side): readonly Tab[] {
  const { what, body, headers = {}, problems, mayBeBytes = false, sizeBytes, read, ticks } = side
  const headerTab: Tab = {
    name: `Headers (${Object.keys(headers).length})`,
    render: () => (
      <ValueSteps steps="headers">
        <HeaderList
          headers={headers}
          read={read?.[0] === "headers" ? read[1] : undefined}
          ticks={ticks === undefined ? undefined : ticksIn(ticks, ["headers"])}
        />
      </ValueSteps>
    ),
  }
  if (body === undefined || body === "")
    return [{ name: "Body", render: () => <p className="faint">empty</p> }, headerTab]
  const content = { what, body, headers, problems, mayBeBytes, sizeBytes }
  return [
    {
      name: "Body",
      render: () => (
        <ValueSteps steps="body">
          <BodyViewer
            {...content}
            read={read?.[0] === "body" ? read.slice(1) : undefined}
            ticks={ticks === undefined ? undefined : ticksIn(ticks, ["body"])}
          />
        </ValueSteps>
      ),
    },
    ...(isFormatted(content) ? [{ name: "Raw", render: () => <BodyViewer {...content} isRaw /> }] : []),
    headerTab,
  ]
}

/** Says why a body wasn't checked against its schema. It isn't a violation. */
function Unchecked({ reason }: { readonly reason: string | undefined }) {
  return reason === undefined ? null : (
    <p className="faint">
      Unchecked: <ShownText text={reason} />
    </p>
  )
}

interface CurlProps {
  readonly request: RequestView
  readonly bodyType?: BodyType | undefined
}

const curlWords = {
  copied: "Copied.",
  masked: "Copied. Replace each *** with the secret.",
  impossible: "curl can't send this body from one line.",
  refused: "The browser blocked copying.",
} as const

/** Copies the request as a curl command, or says why it can't. */
function CurlButton({ request, bodyType }: CurlProps) {
  const [result, setResult] = useState<keyof typeof curlWords>()
  const copy = (): void => {
    const made = curlLine(request, bodyType)
    if (made === undefined) return setResult("impossible")
    navigator.clipboard.writeText(made.line).then(
      () => setResult(made.hasSecrets ? "masked" : "copied"),
      () => setResult("refused"),
    )
  }
  return (
    <span className="curl">
      <span className="field-note" role="status">
        {result === undefined ? "" : curlWords[result]}
      </span>
      <ToolButton label="Copy as cURL" icon={<Terminal aria-hidden="true" />} does={copy} />
    </span>
  )
}

interface HeaderProps {
  readonly headers: Headers
  readonly read: string | undefined
  readonly ticks: Ticks | undefined
}

function HeaderList({ headers, read, ticks }: HeaderProps) {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map((text) => [name, text] as const),
  )
  if (lines.length === 0) return <p className="faint">none</p>
  return (
    <dl className="header-list">
      {lines.map(([name, text], index) => (
        <div key={index} className={name === read ? "value-read" : undefined}>
          <dt>
            <TickBox ticks={ticks} steps={[name]} name={`header ${name}`}>
              <ShownText text={name} />
            </TickBox>
          </dt>
          <dd>
            <LongText text={text} />{" "}
            <ValueButton steps={[name]} value={ownOf(headers, name) ?? text} name={name} />
          </dd>
        </div>
      ))}
    </dl>
  )
}
