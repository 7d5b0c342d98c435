// The shape of `callsheet.json`: defaults for options, and suites of workflows.

import { ownOf } from "../json/value.ts"
import { messages } from "../messages.ts"
import {
  addressPattern,
  flagOf,
  runOptionRows,
  type FileOption,
  type RunOptionRow,
  type RunOptionValues,
} from "../run-option-rows.ts"
import {
  any,
  array,
  boolean,
  defaulted,
  either,
  enumOf,
  map,
  milliseconds,
  number,
  object,
  optional,
  required,
  string,
  textCheck,
  version,
  type Field,
  type Shape,
  type TypeOf,
} from "../shape/shape.ts"
import { placesShape } from "../snapshots/snapshot-file.ts"
import { onlySimilar, suggest } from "../text/did-you-mean.ts"
import { checkId } from "../workflow/names.ts"

export const reporterNames = [
  "pretty",
  "json",
  "junit",
  "coverage",
  "html",
  "github",
  "ndjson",
  "ctrf",
  "har",
  "allure",
] as const

export type ReporterName = (typeof reporterNames)[number]

const { address, documentFolder, reporter, size, sourceAddress, suiteName, traceUrl, workflowPattern } =
  messages["field-value"]

/** Splits `<name>` or `<name>=<file>`. */
export function splitReporter(text: string): { readonly name: string; readonly file?: string } {
  const equals = text.indexOf("=")
  return equals === -1 ? { name: text } : { name: text.slice(0, equals), file: text.slice(equals + 1) }
}

/** The reporter that sends to a collector, as `otlp=<url>`, instead of writing. */
export const COLLECTOR = "otlp"

const collectorPattern = "[Hh][Tt][Tt][Pp][Ss]?://[^\\s/?#@\\\\]+(?:[/?#]\\S*)?"

/** Returns the address of a collector. Undefined for anything but a URL without a name or password. */
export function parseCollector(text: string): URL | undefined {
  const isAddress = new RegExp(`^${collectorPattern}$`, "u").test(text)
  return isAddress && URL.canParse(text) ? new URL(text) : undefined
}

const checkReporter = textCheck(
  new RegExp(`^(?:(?:${reporterNames.join("|")})(?:=[\\s\\S]+)?|${COLLECTOR}=${collectorPattern})$`, "u"),
  `a reporter (${reporterNames.join(", ")}), "<reporter>=<file>", or "${COLLECTOR}=<url>"`,
  (text) => {
    // Doesn't quote the URL, which may contain a password.
    const { name } = splitReporter(text)
    if (name === COLLECTOR) return messages["field-value"].collector()
    const finding = reporter(text, reporterNames, suggest(name, reporterNames))
    const to = onlySimilar(name, reporterNames)
    if (to === undefined) return finding
    return { ...finding, replacement: { is: "value", from: text, to: to + text.slice(name.length) } }
  },
)

const units: Readonly<Record<string, number>> = { "": 1, kib: 1024, mib: 1024 * 1024 }
const checkSize = textCheck(
  /^(?=0*[1-9])(?:[0-9]{1,12}|[0-9]{1,9}[KkMm][Ii][Bb])$/u,
  "a number of bytes, or a number followed by KiB or MiB",
  size,
)

/** Converts `1000`, `64KiB` or `2MiB` to bytes. Undefined for other text and for 0. */
export function parseSize(text: string): number | undefined {
  if (checkSize(text) !== undefined) return undefined
  const [, digits = "", unit = ""] = /^([0-9]+)(.*)$/.exec(text) ?? []
  return Number(digits) * (ownOf(units, unit.toLowerCase()) ?? 1)
}

const checkSuiteName = textCheck(
  /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$/u,
  'letters, digits, ".", "_" and "-", the first a letter or a digit',
  suiteName,
)

export const isSuiteName = (text: string): boolean => checkSuiteName(text) === undefined

/** The refusal doesn't quote the text, which may contain a password. */
const checkSourceAddress = textCheck(
  /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\]+(?:[/?#]\S*)?$/u,
  "an http or https URL without a name or password",
  sourceAddress,
)

/** A relative path with `/` that names at least one directory, none of them hidden. */
const checkDocumentFolder = textCheck(
  /^(?:\.\.\/|\.\/)*(?:[^./\\:][^/\\:]*\/)*[^./\\:][^/\\:]*\/?$/u,
  "the path of a directory, such as ../contracts",
  documentFolder,
)

/** The refusal doesn't quote the text, which may contain a password. */
const checkTraceUrl = textCheck(
  /^(?=.*\{traceId\})[Hh][Tt][Tt][Pp][Ss]?:\/\/[^\s/?#@\\{}]+(?:[/?#]\S*)?$/u,
  "an http or https URL with {traceId}, without a name or password",
  traceUrl,
)

/** Returns whether a text can be the address of an OpenAPI document. */
export const isSourceAddress = (text: string): boolean => checkSourceAddress(text) === undefined

/** The refusal doesn't quote the text, which may contain a password. */
const checkAddress = textCheck(
  addressPattern,
  "an http or https URL without a name, a password or a query",
  address,
)

/** The name of a workflow, or a pattern in which `*` matches any text and `?` matches one character. */
const checkWorkflowPattern = textCheck(
  /^[A-Za-z0-9._*?-]+$/u,
  "the name of a workflow; * matches any text, ? matches one character",
  workflowPattern,
)

const checkText = textCheck(/\S/u, "a name", messages["id-invalid"].empty)

const workflowPatternShape = string(checkWorkflowPattern)
const environments = (summary: string) => optional(map(string(checkText)), summary)
const count = (minimum: number, maximum?: number) =>
  number({ integer: true, minimum, ...(maximum === undefined ? {} : { maximum }) })

const mockShape = object({
  api: required(string(checkText), "The API."),
  state: optional(boolean, "If true, it keeps what the run creates, changes and deletes. It starts empty."),
  from: optional(string(checkText), "A record in the project. Its responses are sent again."),
  seed: optional(count(0), "Varies the generated values."),
})

export type MockSettings = TypeOf<typeof mockShape>

// An interface, because the compiler resolves it later than an alias: entries contain entries.
export interface EntryList extends ReadonlyArray<string | EntrySettings> {}

const entryShapeOf = (entries: Shape<EntryList>) => ({
  ...object({
    workflow: required(workflowPatternShape, "The workflow's name, or a pattern with `*` and `?`."),
    as: optional(string(checkId), "The entry's name, if it isn't the workflow's."),
    inputs: optional(
      map(any, checkId),
      "Input values by name. Strings may contain placeholders that read results of `before` entries.",
    ),
    data: optional(
      string(checkText),
      "A file of rows in the project, only in `workflows`. Each row runs the workflow once.",
    ),
    retries: optional(count(0), "How often a failed entry is tried again."),
    finally: optional(
      entries,
      "Entries that run after this one, whatever its result. They also read its blocks.",
    ),
    locks: optional(
      array(() => string(checkText)),
      "Entries that share a name in this list never run at the same time.",
    ),
    mocks: optional(
      array<string | MockSettings>(() =>
        either("the name of an API, or an object", string(checkText), mockShape),
      ),
      "APIs that callsheet mocks during the run, each as its name or an object. `finally` uses the same mocks.",
    ),
    env: environments("The environment by API. Overrides the suite's."),
  }),
  name: "entry",
})

export type EntrySettings = TypeOf<ReturnType<typeof entryShapeOf>>

const entriesShape: Shape<EntryList> = array<string | EntrySettings>(() => entryFormShape)
const entryShape = entryShapeOf(entriesShape)
const entryFormShape: Shape<string | EntrySettings> = either(
  "the name of a workflow, or an object",
  workflowPatternShape,
  entryShape,
)

const suiteShape = object({
  description: optional(string(), "Free text, shown by `callsheet list`."),
  before: optional(entriesShape, "Entries that run first, in order. Later entries read their results."),
  workflows: required(entriesShape, "The entries of the suite."),
  finally: optional(entriesShape, "Entries that run last, whatever happened before."),
  env: environments("The environment by API."),
})

export type SuiteSettings = TypeOf<typeof suiteShape>

const defaultsShape = object({
  env: environments("The environment by API, for `--env`. Never a production environment."),
  reporters: optional(
    array(() => string(checkReporter)),
    "Reporters, each as `<name>` or `<name>=<file>`, for `--reporter`. A file is in the project.",
  ),
  ...runOptionFields(),
  maxWarnings: optional(count(0), "For `--max-warnings`."),
  trace: optional(
    either('true, false or "production"', boolean, enumOf("production")),
    'For `--trace`: `true`, or `"production"` for `--trace=production`.',
  ),
})

/** Returns the fields of the run options that the file can set. */
function runOptionFields() {
  const fields = Object.values<RunOptionRow>(runOptionRows).map((row) => {
    const summary = `For \`${flagOf(row)}\`${row.is === "bytes" ? ", such as `64KiB`" : ""}.`
    return [row.inFile, optional(shapeOf(row), summary)] as const
  })
  const inFile = fields.filter(([name]) => name !== undefined)
  return Object.fromEntries(inFile) as Readonly<Record<FileOption, Field<string | number, false>>>
}

function shapeOf(row: RunOptionRow): Shape<string | number> {
  if (row.is === "count") return count(row.minimum, row.maximum)
  if (row.is === "choice") return enumOf(...row.choices)
  if (row.is === "address") return string(checkAddress)
  return row.is === "bytes" ? string(checkSize) : milliseconds(true)
}

/** Returns the values of the run options that the file sets. */
export function runOptionsIn(defaults: TypeOf<typeof defaultsShape>): RunOptionValues {
  const values = Object.entries<RunOptionRow>(runOptionRows).map(([name, { is, inFile = "" }]) => {
    const value = ownOf(defaults, inFile)
    return [name, is === "bytes" && typeof value === "string" ? parseSize(value) : value]
  })
  return Object.fromEntries(values) as RunOptionValues
}

export const streamsShape = object({
  idleMs: defaulted(milliseconds(true), "End it after this time without data, in milliseconds.", 2000),
  maxItems: defaulted(count(1), "End it after this many items.", 1000),
  until: defaulted(
    array(() => string(checkText)),
    "End it at an event with one of these names, or at an item with one of these texts.",
    ["done", "[DONE]"],
  ),
})

export type StreamSettings = TypeOf<typeof streamsShape>

export const projectFileShape = object({
  $schema: optional(string(), "JSON Schema for editors."),
  version: required(version, "File format version."),
  defaults: optional(defaultsShape, "Values for options of `callsheet run` that a call doesn't set."),
  maxDocumentSize: optional(
    string(checkSize),
    "The largest OpenAPI document to read, such as `256MiB`. The default is 128 MiB.",
  ),
  documents: optional(
    array(() => string(checkDocumentFolder)),
    "Directories outside `apis/` with OpenAPI documents, in the same repository: `../contracts`.",
  ),
  traceUrl: optional(
    string(checkTraceUrl),
    "The address of a trace in your tracing system, with `{traceId}`. Reports link to it.",
  ),
  sources: optional(
    map(string(checkSourceAddress)),
    "The address of an API's OpenAPI document by API, for **Update from source** in the app.",
  ),
  helpers: optional(
    array(() => workflowPatternShape),
    "Workflows that only other entries use, by name or pattern. `--all` and patterns of suites skip them.",
  ),
  snapshots: optional(
    object({
      ignore: optional(
        placesShape,
        "Places in bodies whose differences don't count, such as `/body/items/*/stock`.",
      ),
    }),
    "How `callsheet run --snapshots` compares responses.",
  ),
  streams: optional(streamsShape, "When to end a stream that the server doesn't end."),
  suites: optional(map(suiteShape, checkSuiteName), "Suites by name, for `callsheet run --suite`."),
})

export type ProjectSettings = TypeOf<typeof projectFileShape>
