// Resolves a suite of `callsheet.json` to its entries: expands patterns, names each entry, and binds its environments.

import {
  CallsheetError,
  createMatcher,
  type EntryList,
  type EntrySettings,
  type Finding,
  formatPlace,
  isPattern,
  type JsonPointer,
  type JsonValue,
  type MockSettings,
  NO_WORKFLOW,
  ownOf,
  type Project,
  type ProjectSettings,
  suggestOrList,
  withReplacement,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import type { Report } from "../names/scripts.ts"
import { findHelpers } from "./find-helpers.ts"

/** One use of a workflow in a suite. */
export interface SuiteEntry {
  /** The value of `as`; by default, the workflow's name. */
  readonly name: string
  readonly workflow: string
  /** Strings may contain placeholders, which are resolved just before the entry runs. */
  readonly inputs: Readonly<Record<string, JsonValue>>
  /**
   * The environments by API. Those of the entry come first, then those of the entry that it cleans up after, then those
   * of the suite.
   */
  readonly env: Readonly<Record<string, string>>
  readonly data?: string | undefined
  readonly retries?: number | undefined
  readonly locks: readonly string[]
  /** The APIs that callsheet mocks. An entry of `finally` also has those of the entry that it cleans up after. */
  readonly mocks: readonly MockSettings[]
  readonly finally: readonly SuiteEntry[]
  /** The entry's position in callsheet.json. */
  readonly pointer: JsonPointer
}

/** Returns the files that an entry names: its rows, and the records that its mocks repeat. */
export const filesOfEntry = ({ data, mocks }: Pick<SuiteEntry, "data" | "mocks">): readonly string[] =>
  [data, ...mocks.map(({ from }) => from)].filter((file) => file !== undefined)

export interface Suite {
  readonly name: string
  readonly before: readonly SuiteEntry[]
  readonly main: readonly SuiteEntry[]
  readonly finally: readonly SuiteEntry[]
}

interface SuiteRequest {
  readonly settings: ProjectSettings
  readonly name: string
  readonly workflowNames: readonly string[]
  /** All suites of the file, if `settings` has only some. */
  readonly suiteNames?: readonly string[] | undefined
  /** Receives errors in `callsheet.json`. */
  readonly report: Report
}

/** Returns the suite without entries that have errors. Reports these errors. Throws `suite-unknown`. */
export function resolveSuite(request: SuiteRequest) {
  const { settings, name } = request
  const suite = ownOf(settings.suites ?? {}, name)
  if (suite === undefined) throw new CallsheetError(unknownSuite(name, Object.keys(settings.suites ?? {})))
  const resolver = new Resolver({ ...request, helpers: findHelpers(settings, request.workflowNames) })
  const shared = { entries: newEntries(), env: suite.env ?? {}, mocks: noMocks }
  const at = ["suites", name]
  const before = resolver.list(suite.before, { ...shared, pointer: [...at, "before"] })
  const main = resolver.list(suite.workflows, { ...shared, pointer: [...at, "workflows"] })
  const last = { ...shared, entries: newEntries(), pointer: [...at, "finally"] }
  const resolved: Suite = { name, before, main, finally: resolver.list(suite.finally, last) }
  return { suite: resolved, hasErrors: resolver.hasErrors }
}

const unknownSuite = (name: string, known: readonly string[]): Finding =>
  messages["suite-unknown"].unknown(
    name,
    known.length === 0
      ? 'add it to "suites" in callsheet.json'
      : suggestOrList(name, known, "callsheet.json"),
  )

/** The entries whose names must differ, by name, and the first entry of each workflow. */
interface Entries {
  readonly byName: Map<string, JsonPointer>
  readonly byWorkflow: Map<string, { readonly pointer: JsonPointer; readonly isPattern: boolean }>
}

const newEntries = (): Entries => ({ byName: new Map(), byWorkflow: new Map() })

interface List {
  readonly pointer: JsonPointer
  readonly entries: Entries
  readonly env: Readonly<Record<string, string>>
  readonly mocks: readonly MockSettings[]
}

const noMocks: readonly MockSettings[] = []

/** Limits the searches for similar names, which are slow in a file with thousands of mistakes. */
const MAX_SUGGESTIONS = 20

interface Ground extends SuiteRequest {
  readonly helpers: ReadonlySet<string>
}

const MAX_LISTED = 5

class Resolver {
  hasErrors = false
  readonly #names: readonly string[]
  readonly #known: ReadonlySet<string>
  readonly #match: (pattern: string) => readonly string[]
  readonly #suites: ReadonlySet<string>
  /** The workflows that patterns skip. */
  readonly #helpers: readonly string[]
  readonly #report: Report
  #unknown = 0

  constructor({ settings, workflowNames, suiteNames, helpers, report }: Ground) {
    this.#names = [...workflowNames].sort()
    this.#known = new Set(workflowNames)
    this.#suites = new Set(suiteNames ?? Object.keys(settings.suites ?? {}))
    this.#match = createMatcher(this.#names.filter((name) => !helpers.has(name)))
    this.#helpers = [...helpers].sort()
    this.#report = report
  }

  list(forms: EntryList = [], list: List): readonly SuiteEntry[] {
    return forms.flatMap((form, index) => {
      const pointer = [...list.pointer, index]
      return typeof form === "string"
        ? this.#add({ workflow: form }, pointer, { ...list, pointer })
        : this.#add(form, [...pointer, "workflow"], { ...list, pointer })
    })
  }

  /**
   * Adds the entries of an item of a list. `at` is the position of the workflow's name, `list.pointer` that of the
   * list.
   */
  #add(form: EntrySettings, at: JsonPointer, list: List): readonly SuiteEntry[] {
    const { workflow, as } = form
    const { entries, pointer } = list
    const { entry, pattern, taken } = messages["id-duplicate"]
    const isOpen = isPattern(workflow)
    if (isOpen && as !== undefined) this.#error([...pointer, "as"], pattern(workflow))
    const own = this.#make(form, list)
    return this.#workflowsOf(workflow, at).flatMap((found) => {
      const name = as ?? found
      const first = entries.byWorkflow.get(found)
      // A pattern omits workflows of earlier entries. So does a bare name that an earlier pattern matches.
      if (first !== undefined && (isOpen || (first.isPattern && at === pointer))) return []
      const earlier = entries.byName.get(name)
      if (earlier !== undefined) {
        const place = formatPlace(earlier)
        const isTaken = first?.isPattern === true && as === undefined
        this.#error(
          as === undefined ? at : [...pointer, "as"],
          isTaken ? taken(found, place) : entry(name, place),
        )
        return []
      }
      entries.byName.set(name, pointer)
      if (first === undefined) entries.byWorkflow.set(found, { pointer, isPattern: isOpen })
      return [{ ...own, name, workflow: found }]
    })
  }

  #make(form: EntrySettings, list: List): Omit<SuiteEntry, "name" | "workflow"> {
    const { pointer, env: inherited } = list
    // Entries without environments of their own share an object, because a suite may have thousands of entries.
    const env = form.env === undefined ? inherited : { ...inherited, ...form.env }
    const { inputs = {}, data, retries, locks = [] } = form
    const mocks = form.mocks === undefined ? list.mocks : joinMocks(list.mocks, form.mocks)
    const own = { env, mocks, entries: newEntries(), pointer: [...pointer, "finally"] }
    return { inputs, env, data, retries, locks, mocks, finally: this.list(form.finally, own), pointer }
  }

  #workflowsOf(text: string, at: JsonPointer): readonly string[] {
    const { noMatch, onlyHelpers, unknown, isSuite } = messages["workflow-unknown"]
    // The entry has its own error.
    if (text === NO_WORKFLOW) {
      this.hasErrors = true
      return []
    }
    if (isPattern(text)) {
      const found = this.#match(text)
      if (found.length > 0) return found
      const helpers = createMatcher(this.#helpers)(text).slice(0, MAX_LISTED)
      this.#error(at, helpers.length > 0 ? onlyHelpers(text, helpers) : noMatch(text, this.#suggest(text)))
      return []
    }
    if (this.#known.has(text)) return [text]
    if (this.#suites.has(text)) {
      this.#error(at, isSuite(text))
      return []
    }
    const finding = unknown(text, this.#suggest(text))
    const isSearched = this.#unknown <= MAX_SUGGESTIONS
    this.#error(
      at,
      isSearched ? withReplacement(finding, { is: "value", from: text, known: this.#names }) : finding,
    )
    return []
  }

  #suggest(text: string): string | undefined {
    return ++this.#unknown <= MAX_SUGGESTIONS ? suggestOrList(text, this.#names, "the project") : undefined
  }

  #error(pointer: JsonPointer, finding: Finding): void {
    this.hasErrors = true
    this.#report(pointer, "value", finding)
  }
}

/** Adds the mocks of an entry to those of the entry that it cleans up after. */
function joinMocks(
  inherited: readonly MockSettings[],
  own: readonly (string | MockSettings)[],
): readonly MockSettings[] {
  const mocks = own.map((mock) => (typeof mock === "string" ? { api: mock } : mock))
  return [...inherited.filter(({ api }) => !mocks.some((mock) => mock.api === api)), ...mocks]
}

/** Returns the suites that would have more errors without a workflow: they name it, or a pattern matches nothing else. */
export function suitesNeeding(
  { settingsFile, workflowNames }: Pick<Project, "settingsFile" | "workflowNames">,
  workflow: string,
) {
  const settings = settingsFile?.settings ?? { version: 1 }
  const others = workflowNames.filter((name) => name !== workflow)
  return Object.keys(settings.suites ?? {}).filter((name) => {
    const errorsWith = (names: readonly string[]): number => {
      let errors = 0
      resolveSuite({ settings, name, workflowNames: names, report: () => void errors++ })
      return errors
    }
    return errorsWith(others) > errorsWith(workflowNames)
  })
}

/** Returns a suite of a project, without the entries that have errors. Throws `suite-unknown`. */
export function suiteIn(
  { settingsFile, workflowNames }: Pick<Project, "settingsFile" | "workflowNames">,
  name: string,
) {
  const { settings } = settingsFile ?? { settings: { version: 1 } as const }
  // The errors of a broken file matter more than an unknown suite.
  if (settings === undefined) return { suite: { name, before: [], main: [], finally: [] }, hasErrors: true }
  return resolveSuite({ settings, name, workflowNames, report: () => undefined })
}

/** Yields every entry of a suite, cleanup included. */
export function* entriesIn({ before, main, finally: last }: Suite): Generator<SuiteEntry, void> {
  for (const entry of [...before, ...main, ...last]) yield* withCleanup(entry)
}

function* withCleanup(entry: SuiteEntry): Generator<SuiteEntry, void> {
  yield entry
  for (const inner of entry.finally) yield* withCleanup(inner)
}

/** Returns the workflows that a suite runs, and the APIs whose environments it names. */
export function namesIn(suite: Suite) {
  const entries = [...entriesIn(suite)]
  return {
    workflows: [...new Set(entries.map(({ workflow }) => workflow))],
    apis: [
      ...new Set(entries.flatMap(({ env, mocks }) => [...Object.keys(env), ...mocks.map(({ api }) => api)])),
    ],
  }
}
