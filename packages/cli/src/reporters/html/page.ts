// The page: its head, the summary, and its sections in order of interest.

import { createHash } from "node:crypto"
import type { Coverage, Leftover, ReportWarning, RunStatus, SessionStatus } from "@callsheet/format"
import { formatDuration, plural } from "../../text/measures.ts"
import { shorten } from "../../text/preview.ts"
import { shareText } from "../coverage.ts"
import { coverageMarkup } from "./coverage-table.ts"
import { moreOf, placeMarkup } from "./failure.ts"
import { markup, Markup } from "./markup.ts"
import { icons } from "./row.ts"
import { environmentMarkup, timeMarkup, type RunSection } from "./run-section.ts"
import { script } from "./script.ts"
import { style } from "./style.ts"

export interface Page {
  readonly status: SessionStatus
  /** Set if an option failed a session whose runs passed. */
  readonly verdict: "failed" | undefined
  readonly sections: readonly RunSection[]
  readonly warnings: readonly ReportWarning[]
  readonly leftovers: readonly Leftover[] | undefined
  readonly coverage: Coverage
}

const MAX_LISTED = 100
const MAX_ENVIRONMENTS = 20
const COVERAGE_BYTES = 200_000

interface Section {
  readonly id: string
  readonly title: string
  readonly count?: number | undefined
  readonly content: readonly (Markup | undefined)[]
}

/** Yields the text of the page. */
export function* pagePieces(page: Page): Generator<string, void> {
  const sections = sectionsOf(page)
  const title = titleOf(page)
  yield `<!doctype html>\n${headMarkup(title, page).text}\n`
  yield `${summaryMarkup(title, page).text}\n`
  yield `${barMarkup(title, page, sections).text}\n<main id="main">\n`
  for (const { id, title: name, count, content } of sections) {
    yield markup`<section id="${id}"><h2>${name}${count === undefined ? undefined : markup` <small>${count}</small>`}</h2>\n`
      .text
    for (const part of content) {
      if (part === undefined) continue
      yield* part.pieces()
      yield "\n"
    }
    yield "</section>\n"
  }
  yield `</main>\n<script>${script}</script>\n</body>\n</html>\n`
}

const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`

function headMarkup(title: string, { status }: Page): Markup {
  // "1 of 10 workflows failed" is a sentence.
  const separator = /^[0-9]+ of /.test(title) ? "" : ":"
  const policy = `default-src 'none'; style-src ${hashOf(style)}; script-src ${hashOf(script)}; img-src data:; base-uri 'none'; form-action 'none'`
  const color = status === "passed" ? "#1c6b45" : "#b3261e"
  const dot = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><circle cx="1" cy="1" r="1" fill="${color}"/></svg>`
  return markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="callsheet">
<title>${title}${separator} ${statusWords[status]}</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(dot)}">
<style>${new Markup(style)}</style>
</head>
<body>`
}

const statusWords: { readonly [S in RunStatus]: string } = {
  passed: "passed",
  failed: "failed",
  error: "could not start",
  skipped: "skipped",
}

function titleOf({ sections }: Page): string {
  const [first, ...others] = sections.map(({ report }) => report)
  if (first === undefined) return "No runs"
  if (first.suite !== undefined) return shorten(first.suite, 200)
  const isOne = others.every(({ workflow }) => workflow === first.workflow)
  if (isOne) return shorten(first.workflow, 200)
  const namesOf = (listed: readonly RunSection[]) => new Set(listed.map(({ report }) => report.workflow))
  const all = plural(namesOf(sections).size, "workflow")
  const failed = namesOf(sections.filter(({ isRetried, status }) => !isRetried && isBad[status])).size
  return failed === 0 ? all : `${failed} of ${all}`
}

const isBad: { readonly [S in RunStatus]: boolean } = {
  passed: false,
  failed: true,
  error: true,
  skipped: false,
}

function summaryMarkup(title: string, page: Page): Markup {
  const { sections, status, verdict } = page
  return markup`<header>
<h1>${icons[status]} ${title} <span class="${status === "passed" ? "good" : "bad"}">${statusWords[status]}</span></h1>
${verdict !== undefined && status === "failed" ? markup`<p>An option such as <code>--max-warnings</code> failed this session.</p>` : undefined}
<dl class="tiles">${tilesOf(page).map(([name, value]) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
${environmentsMarkup(sections)}
</header>`
}

function tilesOf({ sections, coverage }: Page): (readonly [string, string | Markup])[] {
  const [first] = sections
  const final = sections.filter(({ isRetried }) => !isRetried)
  const total = (count: (section: RunSection) => number): number =>
    final.reduce((sum, one) => sum + count(one), 0)
  const runs = (["passed", "failed", "error", "skipped"] as const).map(
    (status) => [status, total((one) => (one.status === status ? 1 : 0))] as const,
  )
  const blocks = (["passed", "failed", "skipped"] as const).map(
    (status) => [status, total(({ report }) => report.counts[status])] as const,
  )
  const unchecked = total(({ report }) => report.counts.unchecked ?? 0)
  const known = total(({ report }) => report.counts.known ?? 0)
  const flaky = total(({ report }) => (report.flaky === true ? 1 : 0))
  const duration = sections.reduce((sum, { report }) => sum + report.durationMs, 0)
  const tiles: (readonly [string, string | Markup])[] = [
    [
      "Runs",
      markup`${countList(runs)}${flaky > 0 ? markup` <span class="warn">↻ ${flaky} flaky</span>` : undefined}`,
    ],
    [
      "Blocks",
      markup`${countList(blocks)}${unchecked > 0 ? markup` <span class="muted">${unchecked} unchecked</span>` : undefined}`,
    ],
    ["Requests", String(sections.reduce((sum, { requests }) => sum + requests, 0))],
    ["Duration", formatDuration(duration)],
    ["Started", first === undefined ? "" : timeMarkup(first.report.startedAt)],
  ]
  if (known > 0) tiles.push(["Known violations", String(known)])
  if (coverage.apis.length > 0) tiles.push(["Operations covered", shareText(coverage.operations)])
  return tiles
}

const countList = (counts: readonly (readonly [RunStatus, number])[]): Markup =>
  markup`${counts.filter(([, count]) => count > 0).map(([status, count]) => markup`<span class="${colors[status]}">${marks[status]} ${count} ${statusWords[status]}</span> `)}`

const colors: { readonly [S in RunStatus]: string } = {
  passed: "good",
  failed: "bad",
  error: "bad",
  skipped: "muted",
}
const marks: { readonly [S in RunStatus]: string } = { passed: "✓", failed: "✗", error: "✗", skipped: "−" }

/** The bar stays at the top. Its filter needs a script, so the script shows it. */
function barMarkup(title: string, { status }: Page, sections: readonly Section[]): Markup {
  const links = sections.map(
    ({ id, title: name, count }) =>
      markup`<li><a href="#${id}">${name}${count === undefined ? undefined : markup` <small>${count}</small>`}</a></li>`,
  )
  return markup`<div class="bar"><nav aria-label="Sections"><ul><li><a href="#top" class="${colors[status]}">${marks[status]} ${shorten(title, 40)}</a></li>${links}</ul></nav>
<form role="search" hidden><input type="search" aria-label="Search" placeholder="Search" autocomplete="off"><select aria-label="Status"><option value="">All</option><option value="failed">Failed</option><option value="passed">Passed</option><option value="skipped">Skipped</option></select><span role="status"></span></form></div>`
}

function sectionsOf(page: Page): readonly Section[] {
  const { sections, coverage } = page
  const final = sections.filter(({ isRetried }) => !isRetried)
  const retried = sections.filter(({ isRetried }) => isRetried)
  const spans = sections.map(({ span }) => span)
  const session = spans.reduce(
    (all, { startMs, endMs }) => ({
      startMs: Math.min(all.startMs, startMs),
      endMs: Math.max(all.endMs, endMs),
    }),
    { startMs: Infinity, endMs: 0 },
  )
  const timelines = sections.flatMap((section) => section.timeline(session, sections.length === 1) ?? [])
  const all: Section[] = [
    failureSection("failures", "Failures", final),
    failureSection("retried", "Failures before a retry", retried),
    warningSection(page.warnings),
    leftoverSection(page.leftovers),
    { id: "runs", title: "Runs", count: sections.length, content: runParts(sections) },
    { id: "timeline", title: "Timeline", content: timelines },
    { id: "coverage", title: "Coverage", content: coverageMarkup(coverage, COVERAGE_BYTES) },
  ]
  return all.filter(({ content }) => content.length > 0)
}

function failureSection(id: string, title: string, sections: readonly RunSection[]): Section {
  const articles = sections.flatMap(({ failures }) => failures)
  const more = sections.reduce((sum, { moreFailures }) => sum + moreFailures, 0)
  const note = moreOf(more, "failures, left out to keep this page small. The JSON report has them.")
  return {
    id,
    title,
    count: articles.length + more,
    content: note === undefined ? articles : [...articles, note],
  }
}

function runParts(sections: readonly RunSection[]): readonly Markup[] {
  // Add failed runs first, because passed ones could use up the limit.
  const shown = new Map<RunSection, Markup | undefined>()
  for (const isPassed of [false, true])
    for (const section of sections)
      if ((section.status === "passed") === isPassed)
        shown.set(section, section.section(sections.length === 1 || !isPassed))
  const parts = sections.flatMap((section) => shown.get(section) ?? [])
  const note = moreOf(sections.length - parts.length, "runs, left out to keep this page small")
  return note === undefined ? parts : [...parts, note]
}

/** Lists each API with its environment. Runs of one session may use several. */
function environmentsMarkup(sections: readonly RunSection[]): Markup {
  const known = new Map<string, Markup>()
  for (const { report } of sections)
    for (const [api, environment] of Object.entries(report.environments)) {
      const row = markup`<div><dt>${shorten(api, 100)}</dt><dd>${environmentMarkup(environment)}</dd></div>`
      known.set(row.text, row)
    }
  const more = moreOf(known.size - MAX_ENVIRONMENTS, "environments")
  return markup`<dl class="facts">${[...known.values()].slice(0, MAX_ENVIRONMENTS)}</dl>${more}`
}

function warningSection(warnings: readonly ReportWarning[]): Section {
  const items = warnings
    .slice(0, MAX_LISTED)
    .map(
      ({ code, message, ...place }) =>
        markup`<li><span class="warn">!</span> ${shorten(message, 600)} <code>${code}</code> ${placeMarkup(place)}</li>`,
    )
  const content =
    items.length === 0
      ? []
      : [markup`<ul class="list">${items}</ul>`, moreOf(warnings.length - items.length, "warnings")]
  return { id: "warnings", title: "Warnings", count: warnings.length, content }
}

function leftoverSection(leftovers: readonly Leftover[] | undefined): Section {
  const id = "leftovers"
  const title = "Leftovers"
  if (leftovers === undefined) return { id, title, content: [] }
  if (leftovers.length === 0)
    return {
      id,
      title,
      count: 0,
      content: [markup`<p><span class="good">✓</span> The run deleted everything that it created.</p>`],
    }
  const rows = leftovers
    .slice(0, MAX_LISTED)
    .map(
      ({ api, url, operation, unknown }) =>
        markup`<tr><td>${shorten(api, 100)}</td><td><code>${shorten(operation, 200)}</code></td><td><code>${shorten(url, 500)}</code>${unknown === true ? " (its id is unknown)" : undefined}</td></tr>`,
    )
  const table = markup`<table><caption>Created and not deleted</caption><thead><tr><th scope="col">API</th><th scope="col">Created by</th><th scope="col">URL</th></tr></thead><tbody>${rows}</tbody></table>`
  return {
    id,
    title,
    count: leftovers.length,
    content: [table, moreOf(leftovers.length - rows.length, "leftovers")],
  }
}
