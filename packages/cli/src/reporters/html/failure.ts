// Shows the details of failed and passed blocks.

import {
  areAlike,
  knownProblems,
  newProblems,
  traceOf,
  wordsOf,
  type AssertionView,
  type BlockReport,
  type ContractProblem,
  type EventOf,
  type ExchangeDifference,
  type JsonValue,
  type RunError,
  type RunReport,
} from "@callsheet/format"
import { previewBody, shorten } from "../../text/preview.ts"
import { assertedDifferences, shownDifferences, type ShownDifferences } from "../differences.ts"
import { valueText } from "../../text/value-texts.ts"
import { comparedLines } from "../render-failure.ts"
import { uncheckedTexts } from "../unchecked-text.ts"
import { exchangeMarkup, foldedExchange, MAX_BODY } from "./exchange.ts"
import { markup, type Markup } from "./markup.ts"

const MAX_PROBLEMS = 50
const MAX_EXCHANGES = 5
const MAX_TEXT = 4000
const MAX_LOGS = 60

/** Returns the details of a failed block. */
export function failureMarkup(
  report: BlockReport,
  { error, exchanges = [] }: EventOf<"block.finished">,
  run: RunReport,
) {
  const { assertions = [], requestProblems = [], logs } = report
  const failed = assertions.filter(({ status }) => status === "failed")
  const passed = assertions.length - failed.length
  const more = exchanges.length - MAX_EXCHANGES
  const trace = traceOf(run, report)
  return markup`${error && errorMarkup(error)}${trace && markup`<p class="muted">Trace ${traceMarkup(trace)}</p>`}${failed.slice(0, MAX_PROBLEMS).map(assertionMarkup)}${moreOf(failed.length - MAX_PROBLEMS, "assertions failed")}${passed > 0 && failed.length > 0 ? markup`<p class="muted">✓ ${passed} other ${passed === 1 ? "assertion" : "assertions"} passed</p>` : undefined}${problemTable("Contract violations of the response", newProblems(report))}${knownTable(report)}${problemTable("Contract violations of the request", requestProblems)}${uncheckedMarkup(report)}${exchanges.slice(0, MAX_EXCHANGES).map(foldedExchange)}${moreOf(more, "exchanges")}${logMarkup(logs)}`
}

/** Returns the details of a block that passed. Returns undefined if its row shows everything. */
export function passedMarkup(report: BlockReport): Markup | undefined {
  const { request, response, assertions = [], outputs, logs, description, requestProblems = [] } = report
  const parts = [
    description === undefined ? undefined : markup`<p>${shorten(description, MAX_TEXT)}</p>`,
    problemTable("Contract violations of the request", requestProblems),
    knownTable(report),
    uncheckedMarkup(report),
    assertions.length === 0
      ? undefined
      : markup`<ul class="checks">${assertions.slice(0, MAX_PROBLEMS).map(passedAssertion)}</ul>${moreOf(assertions.length - MAX_PROBLEMS, "assertions")}`,
    request && exchangeMarkup(request, response, MAX_BODY.passed),
    outputs && markup`<p class="label"><b>Outputs</b></p><pre>${jsonText(outputs, 20)}</pre>`,
    logMarkup(logs),
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? undefined : markup`${parts}`
}

export const placeMarkup = ({ file, line, column }: Place): Markup | undefined =>
  file === undefined
    ? undefined
    : markup`<code class="place">${shorten([file, line, column].filter((part) => part !== undefined).join(":"), 500)}</code>`

/** Returns the problems that kept a run from starting, or the reason why it ended. */
export function runErrorMarkup({ message, code, problems }: RunError): Markup {
  const listed = problems.slice(0, MAX_PROBLEMS).map(errorMarkup)
  return problems.length === 0
    ? errorMarkup({ message, code })
    : markup`${listed}${moreOf(problems.length - MAX_PROBLEMS, "problems")}`
}

/** Shows the exchange that differed when the run was repeated. */
export function differsMarkup({ block, first, second }: ExchangeDifference): Markup {
  const [expected, actual] = [first.response?.body, second.response?.body]
  const table =
    expected !== undefined && actual !== undefined && areAlike(expected, actual)
      ? differenceTable(shownDifferences(expected, actual, differenceLimits), [
          "First attempt",
          "Last attempt",
        ])
      : undefined
  return markup`<details><summary>What differed between the attempts: ${shorten(block, 200)}</summary><p>The first attempt received ${first.response?.status ?? "no response"}, the last one ${second.response?.status ?? "no response"}.</p>${table}<p class="label"><b>First attempt</b></p>${exchangeMarkup(first.request, first.response, MAX_BODY.passed)}<p class="label"><b>Last attempt</b></p>${exchangeMarkup(second.request, second.response, MAX_BODY.passed)}</details>`
}

export const jsonText = (value: JsonValue, lines: number): string =>
  previewBody(value, { width: 100, string: 2000, lines }).join("\n")

export const moreOf = (count: number, what: string): Markup | undefined =>
  count > 0 ? markup`<p class="muted">… ${count} more ${what}</p>` : undefined

/** Shows the id of a trace, as a link if its address is known. */
export function traceMarkup({ traceId, url }: NonNullable<ReturnType<typeof traceOf>>): Markup {
  const id = markup`<code>${shorten(traceId, 100)}</code>`
  return url === undefined ? id : markup`<a href="${url}" rel="noreferrer">${id}</a>`
}

interface Place {
  readonly file?: string | undefined
  readonly line?: number | undefined
  readonly column?: number | undefined
}

interface Explained extends Place {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
}

function errorMarkup({ message, hint, code, ...place }: Explained): Markup {
  const text = message.length > MAX_TEXT ? `${message.slice(0, MAX_TEXT)}…` : message
  return markup`<p class="where">${placeMarkup(place)} <code>${code}</code></p><p class="message">${text}</p>${hint === undefined ? undefined : markup`<p class="hint"><b>Hint:</b> ${shorten(hint, MAX_TEXT)}</p>`}`
}

function assertionMarkup(assertion: AssertionView): Markup {
  const { source, operator, message } = assertion
  const head = markup`<p><span class="bad">✗</span> <code>${shorten(source, 300)}</code> ${wordsOf(operator).phrase} ${placeMarkup(assertion)}</p>`
  const differing = assertedDifferences(assertion, differenceLimits)
  if (differing !== undefined)
    return markup`<div class="assertion">${head}${differenceTable(differing, ["Expected", "Received"])}</div>`
  const { wanted, received } = comparedLines(assertion, { width: 100, string: 1000, lines: 40 })
  return markup`<div class="assertion">${head}<dl class="compared"><div><dt>Expected</dt><dd><pre class="wanted">${wanted.join("\n")}</pre></dd></div><div><dt>Received</dt><dd><pre class="received">${received.join("\n")}</pre></dd></div></dl>${message === undefined ? undefined : markup`<p class="muted">${shorten(message, 400)}</p>`}</div>`
}

const passedAssertion = ({ source, operator, expected }: AssertionView): Markup =>
  markup`<li><span class="good">✓</span> <code>${shorten(source, 200)}</code> ${wordsOf(operator).phrase}${wordsOf(operator).takesValue && expected !== undefined ? markup` <code>${valueText(expected, 60)}</code>` : undefined}</li>`

const differenceLimits = { count: 50, path: 300, value: 300 }

function differenceTable(
  { found, more }: ShownDifferences,
  [left, right]: readonly [string, string],
): Markup | undefined {
  if (found.length === 0) return undefined
  const rows = found.map(
    ({ path, texts: [wanted, received] }) =>
      markup`<tr><th scope="row"><code>${path === "" ? "(whole value)" : path}</code></th><td class="wanted">${sideMarkup(wanted)}</td><td class="received">${sideMarkup(received)}</td></tr>`,
  )
  return markup`<table class="diff"><caption>Differences</caption><thead><tr><th scope="col">Path</th><th scope="col">${left}</th><th scope="col">${right}</th></tr></thead><tbody>${rows}</tbody></table>${more ? markup`<p class="muted">… and more</p>` : undefined}`
}

const sideMarkup = (text: string | undefined): Markup =>
  text === undefined ? markup`<i>nothing</i>` : markup`<code>${text}</code>`

function problemTable(title: string, problems: readonly ContractProblem[]): Markup | undefined {
  if (problems.length === 0) return undefined
  const rows = problems
    .slice(0, MAX_PROBLEMS)
    .map(
      ({ path, message, file, line }) =>
        markup`<tr><th scope="row"><code>${shorten(path === "" ? "/" : path, 300)}</code></th><td>${shorten(message, 600)}</td><td>${file === undefined ? undefined : markup`<code class="place">${shorten(`${file}:${line}`, 300)}</code>`}</td></tr>`,
    )
  return markup`<table class="problems"><caption>${title}</caption><thead><tr><th scope="col">At</th><th scope="col">Problem</th><th scope="col">Documented in</th></tr></thead><tbody>${rows}</tbody></table>${moreOf(problems.length - MAX_PROBLEMS, "violations")}`
}

const knownTable = (report: BlockReport): Markup | undefined =>
  problemTable("Known violations of the response, in the baseline", knownProblems(report))

function uncheckedMarkup(report: BlockReport): Markup | undefined {
  const texts = uncheckedTexts(report)
  return texts.length === 0 ? undefined : markup`${texts.map((text) => markup`<p class="muted">${text}</p>`)}`
}

function logMarkup(logs: readonly string[] = []): Markup | undefined {
  if (logs.length === 0) return undefined
  const lines = logs.flatMap((text) => text.split("\n"))
  const shown = lines.slice(0, MAX_LOGS).map((line) => shorten(line, MAX_TEXT))
  return markup`<p class="label"><b>Logs</b></p><pre>${shown.join("\n")}</pre>${moreOf(lines.length - MAX_LOGS, "lines")}`
}
