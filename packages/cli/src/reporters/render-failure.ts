// Shows a failed block in full: expected and received values, the exchange and the logs.

import {
  foldRedirects,
  timesText,
  traceOf,
  essence,
  isJsonType,
  isTextType,
  isEquality,
  newProblems,
  wordsOf,
  type AssertionView,
  type BlockError,
  type BlockReport,
  type ContractView,
  type Exchange,
  type Headers,
  type JsonValue,
  type MessageView,
  type RequestView,
  type ResponseView,
  type RunReport,
  streamSummary,
} from "@callsheet/format"
import type { Style } from "../screen.ts"
import { formatDuration, formatSize, plural } from "../text/measures.ts"
import { previewBody, previewJson, shorten, type PreviewLimits } from "../text/preview.ts"
import { printable } from "../text/printable.ts"
import { differingTexts } from "../text/value-texts.ts"
import { assertedDifferences, type ShownDifferences } from "./differences.ts"
import { knownTexts } from "./known-text.ts"
import { requestProblemLines } from "./request-problem.ts"

export interface FailedBlock {
  /** The path of the block, safe to print. */
  readonly path: string
  readonly report: BlockReport
  /** The run, which may be traced. */
  readonly run: RunReport
  readonly ending: { readonly error?: BlockError; readonly exchanges?: readonly Exchange[] }
}

const WIDTH = 100
/** The maximum number of characters of each of two texts that differ. In more, nobody finds the difference. */
const MAX_DIFFERING = 300
const MAX_PROBLEMS = 20
const MAX_EXCHANGES = 5

/** Returns the lines of a failure, without indentation. Call it at once, so that the block need not be kept. */
export function renderFailure({ path, report, run, ending }: FailedBlock, style: Style): string[] {
  const { error, exchanges = [] } = ending
  const { assertions = [], contract, requestProblems = [], logs = [] } = report
  const more = exchanges.length - MAX_EXCHANGES
  const parts = [
    [
      `${style("red", "✗")} ${style("bold", path)}${error === undefined ? "" : `  ${style("dim", error.code)}`}${placeText(error, style)}`,
      ...(error === undefined ? [] : indent(errorLines(error, style))),
      ...indent(traceLines(traceOf(run, report), style)),
    ],
    indent(assertionLines(assertions, style)),
    indent(contractLines(contract, style)),
    // Problems of the request come first, because they often cause the other failures.
    indent(requestProblemLines(requestProblems, style).map((line) => `${style("yellow", "!")} ${line}`)),
    ...exchanges.slice(0, MAX_EXCHANGES).map((exchange) => indent(exchangeLines(exchange, style))),
    more > 0 ? [style("dim", `  … ${plural(more, "more exchange")}`)] : [],
    indent(logLines(logs, style)),
  ]
  return parts.filter((lines) => lines.length > 0).flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]))
}

const placeText = (
  { file, line, column }: Pick<AssertionView, "file" | "line" | "column"> = {},
  style: Style,
): string => (file === undefined ? "" : `  ${style("dim", printable(`${file}:${line}:${column}`))}`)

const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === "" ? "" : `  ${line}`))

function errorLines({ message, hint }: BlockError, style: Style): string[] {
  const [first = "", ...rest] = printable(message, "lines").split("\n").slice(0, 30)
  const lines = [first, ...rest.map(quotedLine)]
  return hint === undefined ? lines : [...lines, `${style("cyan", "hint:")} ${printable(hint)}`]
}

/** Returns the line that finds the failure in a tracing system. */
function traceLines(trace: ReturnType<typeof traceOf>, style: Style): string[] {
  if (trace === undefined) return []
  const { traceId, url } = trace
  return [
    `${style("dim", "trace:")} ${printable(traceId)}${url === undefined ? "" : ` ${style("dim", shorten(url, 500))}`}`,
  ]
}

function assertionLines(assertions: readonly AssertionView[], style: Style): string[] {
  const failed = assertions.filter(({ status }) => status === "failed")
  // If there is only one, its position is already in the first line.
  const placeOf = (assertion: AssertionView): string => (failed.length > 1 ? placeText(assertion, style) : "")
  const lines = failed.slice(0, MAX_PROBLEMS).flatMap((assertion) => {
    const [first = "", ...rest] = assertionBlock(assertion, style)
    return [first + placeOf(assertion), ...rest]
  })
  if (failed.length > MAX_PROBLEMS) lines.push(style("dim", `… ${failed.length - MAX_PROBLEMS} more failed`))
  const passed = assertions.length - failed.length
  if (passed > 0 && failed.length > 0)
    lines.push(style("dim", `✓ ${plural(passed, "other assertion")} passed`))
  return lines
}

function assertionBlock(assertion: AssertionView, style: Style): string[] {
  const { source, operator, message } = assertion
  const lines = [`${style("red", "✗")} ${style("bold", shorten(source, WIDTH))} ${wordsOf(operator).phrase}`]
  const differing = assertedDifferences(assertion, { count: 10, path: WIDTH, value: 60 })
  if (differing !== undefined) return [...lines, ...indent(indent(differenceLines(differing, style)))]
  const { wanted, received } = comparedLines(assertion, { width: WIDTH - 20, lines: 12 })
  return [
    ...lines,
    ...indent(indent(labeled("expected", wanted, style, "green"))),
    ...indent(indent(labeled("received", received, style, "red"))),
    ...(message === undefined ? [] : [`    ${style("dim", shorten(message, 400))}`]),
  ]
}

/** Returns what an assertion expected and received, as lines. */
export function comparedLines({ operator, expected, actual }: AssertionView, limits: PreviewLimits) {
  if (isEquality(operator) && isScalar(expected) && isScalar(actual)) {
    const [wanted, received] = differingTexts(
      expected,
      actual,
      Math.min(limits.string ?? limits.width, MAX_DIFFERING),
    )
    return { wanted: [wanted], received: [received] }
  }
  const { takesValue, lead } = wordsOf(operator)
  const wanted =
    takesValue && expected !== undefined
      ? previewJson(expected, limits).map((line, at) => (at === 0 ? `${lead}${line}` : line))
      : [takesValue ? "a value" : lead]
  return { wanted, received: actual === undefined ? ["nothing"] : previewJson(actual, limits) }
}

const isScalar = (value: JsonValue | undefined): boolean => value !== undefined && typeof value !== "object"

const labeled = (label: string, lines: readonly string[], style: Style, color: "green" | "red"): string[] =>
  lines.map((line, at) => `${at === 0 ? style("dim", label) : " ".repeat(8)}  ${style(color, line)}`)

function differenceLines({ found, more }: ShownDifferences, style: Style): string[] {
  const lines = found.map(({ path, texts: [wanted = "nothing", received = "nothing"] }) => {
    const sides = `${style("dim", "expected")} ${style("green", wanted)}${style("dim", ", received")} ${style("red", received)}`
    return path === "" ? sides : `${path}  ${sides}`
  })
  return more ? [...lines, style("dim", "… and more")] : lines
}

function contractLines(contract: ContractView | undefined, style: Style): string[] {
  if (contract === undefined || contract.problems.length === 0) return []
  const failing = newProblems({ contract })
  const lines = failing
    .slice(0, MAX_PROBLEMS)
    .flatMap(({ path, message, file, line }) => [
      `${style("red", "✗")} ${style("bold", shorten(path, WIDTH))}  ${shorten(message, 400)}`,
      ...(file === undefined ? [] : [style("dim", `  documented at ${shorten(`${file}:${line}`, WIDTH)}`)]),
    ])
  const more = failing.length - MAX_PROBLEMS
  if (more > 0) lines.push(style("dim", `… ${more} more`))
  return [...lines, ...knownTexts({ contract }).map((text) => style("dim", `~ ${text}`))]
}

function exchangeLines({ block, request, response }: Exchange, style: Style): string[] {
  return [
    style("dim", `${shorten(block, WIDTH)} sent`),
    ...requestLines(request, failureLimits, style),
    ...(response === undefined
      ? [style("dim", "received no response")]
      : [style("dim", "received"), ...responseLines(response, failureLimits, style)]),
  ]
}

export interface ExchangeLimits {
  /** The maximum number of characters of a URL or a header. */
  readonly text: number
  readonly headers: number
  /** Undefined if bodies are left out. */
  readonly body: PreviewLimits | undefined
  /** The limits of the body of an error, which says why the request failed. By default, `body`. */
  readonly errorBody?: PreviewLimits
}

const failureLimits: ExchangeLimits = {
  text: 500,
  headers: 40,
  body: { width: WIDTH, string: 1000, lines: 24 },
  errorBody: { width: WIDTH, string: 5000, lines: 60 },
}

export function requestLines(
  { method, url, headers, body, bodyText }: RequestView,
  limits: ExchangeLimits,
  style: Style,
): string[] {
  const arrow = style("cyan", ">")
  return [
    `${arrow} ${style("bold", printable(method))} ${shorten(url, limits.text)}`,
    ...headerLines(headers, limits, arrow, style),
    ...bodyLines(bodyText ?? body, limits.body, arrow),
  ]
}

export function responseLines(response: ResponseView, limits: ExchangeLimits, style: Style): string[] {
  const { status, headers, body, durationMs, sizeBytes, redirects = [] } = response
  const arrow = style("magenta", "<")
  const stream = streamSummary(response) ?? []
  const measures = style("dim", [formatDuration(durationMs), formatSize(sizeBytes), stream].flat().join(", "))
  const type = essence([headers?.["content-type"] ?? ""].flat()[0] ?? "")
  const shown = status >= 400 ? (limits.errorBody ?? limits.body) : limits.body
  const isBinary = typeof body === "string" && type !== "" && !isJsonType(type) && !isTextType(type)
  return [
    ...foldRedirects(redirects).map(
      ({ status, method, url, dropped = [], times }) =>
        `${arrow} ${status} to ${method === undefined ? "" : `${printable(method)} `}${shorten(url, limits.text)}${timesText(times)}${dropped.length === 0 ? "" : style("yellow", ` without ${shorten(dropped.join(", "), 200)}`)}`,
    ),
    `${arrow} ${style(status >= 400 ? "yellow" : "bold", String(status))}  ${measures}`,
    ...headerLines(headers, limits, arrow, style),
    ...bodyLines(isBinary ? `(${formatSize(sizeBytes)} of ${type})` : body, shown, arrow),
  ]
}

/** Returns the lines of an item of a stream. */
export const itemLines = (item: JsonValue, limits: ExchangeLimits, style: Style): string[] =>
  bodyLines(item, limits.body, style("magenta", "<"))

/** Returns a message of the inbox. */
export function messageLines(
  { method, path, headers, body, contract }: MessageView,
  limits: ExchangeLimits,
  style: Style,
): string[] {
  const arrow = style("magenta", "<")
  const problems = contract?.problems ?? []
  return [
    `${arrow} ${style("bold", printable(method))} ${shorten(path, limits.text)}`,
    ...headerLines(headers, limits, arrow, style),
    ...bodyLines(body, limits.body, arrow),
    ...problems.map(
      (problem) => `${style("yellow", "!")} ${shorten(`${problem.path}: ${problem.message}`, limits.text)}`,
    ),
  ]
}

function headerLines(
  headers: Headers | undefined,
  limits: ExchangeLimits,
  arrow: string,
  style: Style,
): string[] {
  if (headers === undefined) return []
  const rows = Object.entries(headers).flatMap(([name, value]) =>
    (typeof value === "string" ? [value] : value).map(
      (text) => `${arrow} ${style("dim", `${printable(name)}:`)} ${shorten(text, limits.text)}`,
    ),
  )
  const more = rows.length - limits.headers
  return more > 0 ? [...rows.slice(0, limits.headers), `${arrow} … ${more} more headers`] : rows
}

const bodyLines = (body: JsonValue | undefined, limits: PreviewLimits | undefined, arrow: string): string[] =>
  body === undefined || body === "" || limits === undefined
    ? []
    : [arrow, ...previewBody(body, limits).map((line) => (line === "" ? arrow : `${arrow} ${line}`))]

const logLines = (logs: readonly string[], style: Style): string[] =>
  logs.length === 0
    ? []
    : [
        style("dim", "logs"),
        ...logs
          .flatMap((text) => printable(text, "lines").split("\n"))
          .slice(0, 60)
          .map(quotedLine),
      ]

/** Marks a line of text from outside, which a CI system might otherwise read as a command. */
const quotedLine = (line: string): string => `│ ${line}`
