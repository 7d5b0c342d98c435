// Prints what the changes of documents mean for the project: as text, JSON, GitHub annotations or Markdown.

import { stringifyJson } from "@callsheet/format"
import { impactTexts, type ImpactClass, type ImpactUse } from "@callsheet/language"
import type { ApiChange } from "@callsheet/server"
import { notices } from "../messages.ts"
import { chunks } from "../reporters/chunks.ts"
import { createRepositoryPath } from "../problem-formats/repository-path.ts"
import type { Screen, Style } from "../screen.ts"
import { breakCommandsInJson } from "../text/log-commands.ts"
import { printable } from "../text/printable.ts"
import { annotation, hiddenNotice } from "../text/workflow-command.ts"
import type { RecordedViolation } from "./check-records.ts"

export interface ProjectChange extends ApiChange {
  /** Set if the command compared the documents of several projects. */
  readonly project?: string
}

interface ImpactResult {
  readonly against: string
  readonly changes: readonly ProjectChange[]
  /** What recorded responses break now. Undefined without records. */
  readonly violations: readonly RecordedViolation[] | undefined
  readonly counts: Readonly<Record<ImpactClass, number>>
  /** The class from which on a change fails the command. */
  readonly failOn: "breaks" | "unused" | "none"
}

interface PrintContext {
  readonly root: string
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
  readonly screen: Screen
  /** Masks the secrets of the project in the message of a change. */
  readonly mask: (text: string) => string
}

type Print = (result: ImpactResult, context: PrintContext) => void

export const impactFormats = ["text", "json", "github", "markdown"] as const
export type ImpactFormat = (typeof impactFormats)[number]

const printJson: Print = (result, { screen, mask }) => {
  for (const chunk of chunks(jsonPieces(result, mask))) screen.out.write(breakCommandsInJson(chunk), "exact")
}

/** Yields a JSON document change by change, because a common schema may have changed in thousands of operations. */
function* jsonPieces({ against, changes, violations, counts }: ImpactResult, mask: PrintContext["mask"]) {
  yield `{\n  "against": ${stringifyJson(against)},\n  "changes": [`
  for (const [at, { project, api, change, class: is, before, after, uses }] of changes.entries()) {
    const { operation, side, kind, path, status, mediaType } = change
    const text = stringifyJson(
      // JSON leaves out what is undefined.
      {
        project,
        api,
        operation,
        side,
        kind,
        path,
        status,
        mediaType,
        class: is,
        message: mask(change.message),
        before,
        after,
        uses,
      },
      { indent: 2 },
    )
    yield `${at === 0 ? "" : ","}\n    ${text.replaceAll("\n", "\n    ")}`
  }
  const rest = stringifyJson({ violations, counts }, { indent: 2 }).slice("{".length)
  yield `${changes.length === 0 ? "" : "\n  "}],${rest}\n`
}

/** The maximum number of changes of a class that people read. */
const MAX_CHANGES = 50
const MAX_USES = 10

const placeOf = ({ before, after }: ApiChange): string => {
  const place = after ?? before
  return place === undefined ? "" : `${place.file}:${place.line}`
}

const apiTitle = ({ project, api }: ProjectChange): string =>
  project === undefined ? api : `${project} › ${api}`

const blockTitle = ({ project, workflow, block }: RecordedViolation): string =>
  `${project === undefined ? "" : `${project} › `}${workflow} › ${block}`

const useText = ({ workflow, block, file, line, column }: ImpactUse): string =>
  `${workflow} › ${block}  ${file}:${line}:${column}`

const printText: Print = (result, { screen: { out }, mask }) => {
  for (const is of ["breaks", "unused"] as const)
    for (const line of classLines(result, is, { style: out.style, mask })) out.write(`${line}\n`)
  for (const line of violationLines(result)) out.write(`${line}\n`)
  const { counts, against } = result
  out.write(`${impactTexts.counts(counts, printable(against))}\n`)
}

function classLines(
  { changes }: ImpactResult,
  is: "breaks" | "unused",
  { style, mask }: Pick<PrintContext, "mask"> & { readonly style: Style },
): readonly string[] {
  const found = changes.filter((change) => change.class === is)
  if (found.length === 0) return []
  const lines = found.slice(0, MAX_CHANGES).flatMap((change) => {
    const { uses } = change
    const more = uses.length - MAX_USES
    return [
      `  ${apiTitle(change)}  ${change.change.operation}  ${mask(change.change.message)}  ${style("dim", placeOf(change))}`,
      ...uses.slice(0, MAX_USES).map((use) => `    ${useText(use)}`),
      ...(more > 0 ? [`    ${impactTexts.moreUses(more)}`] : []),
    ].map((line) => printable(line))
  })
  const more = found.length - MAX_CHANGES
  return [
    style(is === "breaks" ? "red" : "yellow", impactTexts.heading(is)),
    ...lines,
    ...(more > 0 ? [`  ${notices.moreChanges(more)}`] : []),
    "",
  ]
}

function violationLines({ violations }: ImpactResult): readonly string[] {
  if (violations === undefined || violations.length === 0) return []
  const lines = violations
    .slice(0, MAX_CHANGES)
    .map((each) => printable(`  ${blockTitle(each)}  ${each.path}: ${each.message}`))
  const more = violations.length - MAX_CHANGES
  return [notices.recordedViolations(), ...lines, ...(more > 0 ? [`  ${notices.moreChanges(more)}`] : []), ""]
}

const printGithub: Print = ({ changes, counts, against, violations = [], failOn }, context) => {
  const { out } = context.screen
  const pathOf = createRepositoryPath(context)
  const counted = { errors: 0, warnings: 0 }
  for (const each of changes) {
    const { change, class: is, before, after, uses } = each
    if (is === "compatible") continue
    const kind = is === "breaks" || failOn === "unused" ? "error" : "warning"
    const message = printable(`${apiTitle(each)}: ${change.operation}: ${context.mask(change.message)}`)
    const places = uses.length > 0 ? uses : [{ ...(after ?? before), column: undefined }]
    for (const { file, line, column } of places) {
      counted[kind === "error" ? "errors" : "warnings"]++
      const path = file === undefined ? undefined : pathOf(file)
      out.write(
        annotation({ kind, title: `impact: ${change.kind}`, message, file: path, line, column }),
        "exact",
      )
    }
  }
  for (const violation of violations) {
    counted.errors++
    const text = printable(`${blockTitle(violation)}: ${violation.path}: ${violation.message}`)
    out.write(annotation({ kind: "error", title: "impact: recorded response", message: text }), "exact")
  }
  out.write(hiddenNotice("callsheet impact", counted), "exact")
  out.write(`${impactTexts.counts(counts, printable(against))}\n`)
}

const printMarkdown: Print = ({ changes, counts, against, violations = [] }, { screen: { out }, mask }) => {
  out.write(`### ${cell(impactTexts.counts(counts, against))}\n`)
  for (const is of ["breaks", "unused"] as const) {
    const found = changes.filter((change) => change.class === is)
    if (found.length === 0) continue
    out.write(`\n**${impactTexts.heading(is)}**\n\n| Operation | Change | Used in |\n| --- | --- | --- |\n`)
    for (const each of found.slice(0, MAX_CHANGES)) {
      const { change, uses } = each
      const places = uses.slice(0, MAX_USES).map((use) => cell(useText(use)))
      out.write(
        `| ${cell(`${apiTitle(each)} ${change.operation}`)} | ${cell(mask(change.message))} | ${places.join("<br>")} |\n`,
      )
    }
    if (found.length > MAX_CHANGES) out.write(`\n${notices.moreChanges(found.length - MAX_CHANGES)}\n`)
  }
  if (violations.length === 0) return
  out.write(`\n**${notices.recordedViolations()}**\n\n`)
  for (const each of violations.slice(0, MAX_CHANGES))
    out.write(`- ${cell(`${blockTitle(each)}: ${each.path}: ${each.message}`)}\n`)
}

/** Escapes what Markdown would read as markup. A document may contain anything. */
const cell = (text: string): string => printable(text).replaceAll(/[\\`*_{}[\]()<>#+!|@~&]/g, String.raw`\$&`)

export const impactPrinters: Readonly<Record<ImpactFormat, Print>> = {
  text: printText,
  json: printJson,
  github: printGithub,
  markdown: printMarkdown,
}
