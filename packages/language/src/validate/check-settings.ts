// Checks `callsheet.json` against the rest of the project.

import {
  type EntryList,
  type EntrySettings,
  extendsChain,
  type Finding,
  formatMessages,
  getOrCreate,
  hasTokens,
  type InputDeclaration,
  type JsonPointer,
  type JsonValue,
  levelOf,
  ownOf,
  type Problem,
  type Project,
  soundSettings,
  startsWith,
  suggest,
  typedInput,
  valueStrings,
  withReplacement,
} from "@callsheet/format"
import { messages } from "../messages.ts"
import { unknownApi } from "../names/unknown-api.ts"
import { reportTo, type CheckFile, type CheckRows, type Report } from "../names/scripts.ts"
import type { ApiSource } from "../requests/target.ts"
import { checkHelpers } from "../suites/find-helpers.ts"
import { resolveSuite, type Suite, type SuiteEntry } from "../suites/resolve-suite.ts"
import { SuiteNames, type SuiteReader } from "../suites/suite-names.ts"
import { describeKinds } from "../types/describe-type.ts"

interface SettingsCheck {
  readonly project: Pick<Project, "apiNames" | "settingsFile" | "workflowNames" | "workflows">
  readonly apis: ReadonlyMap<string, ApiSource>
  /** Checks data files. Absent for a run, which checks them when it reads their rows. */
  readonly checkData?: { readonly file: CheckFile; readonly rows?: CheckRows | undefined }
  /** All suites of the file, if its settings have only some. */
  readonly suiteNames?: readonly string[] | undefined
  readonly add: (problem: Problem) => void
}

/** Reports the problems of the file, its defaults and its suites. */
export async function checkSettings(check: SettingsCheck): Promise<void> {
  const { settingsFile, workflowNames } = check.project
  settingsFile?.problems.forEach(check.add)
  const sound = settingsFile && soundSettings(settingsFile)
  if (settingsFile === undefined || sound === undefined) return
  const { settings, broken } = sound
  const { suiteNames } = check
  const report = withoutConsequences(reportTo(settingsFile, check.add), broken)
  const checker = new SettingsChecker(check, report)
  checker.environments(settings.defaults?.env, ["defaults", "env"])
  checker.productionDefaults(settings.defaults?.env)
  checker.sources(settings.sources)
  checkHelpers(settings, workflowNames, report)
  for (const [name, suite] of Object.entries(settings.suites ?? {})) {
    const at = ["suites", name]
    checker.environments(suite.env, [...at, "env"])
    for (const field of ["before", "workflows", "finally"] as const)
      checker.forms(suite[field], [...at, field], field === "workflows")
    if (suite.workflows.length === 0) {
      const { emptyList } = messages["field-value"]
      report([...at, "workflows"], "value", emptyList("workflows", "the suite runs nothing"))
    }
    const { suite: resolved, hasErrors } = resolveSuite({ settings, name, workflowNames, suiteNames, report })
    checker.suite(resolved, hasErrors || broken.some((pointer) => startsWith(pointer, at)))
    await checker.rows(resolved.main)
  }
}

/** Leaves out findings about the stand-ins for broken values, and inputs that a broken value might set. */
function withoutConsequences(report: Report, broken: readonly JsonPointer[]): Report {
  if (broken.length === 0) return report
  return (pointer, at, finding, within) => {
    const isConsequence = broken.some(
      (part) => startsWith(pointer, part) || (finding.code === "input-missing" && startsWith(part, pointer)),
    )
    if (!isConsequence) report(pointer, at, finding, within)
  }
}

class SettingsChecker {
  readonly #check: SettingsCheck
  readonly #report: Report
  readonly #names: SuiteNames
  readonly #checkedRows = new Set<string>()

  constructor(check: SettingsCheck, report: Report) {
    this.#check = check
    this.#report = report
    this.#names = new SuiteNames(check)
  }

  environments(env: Readonly<Record<string, string>> = {}, pointer: JsonPointer): void {
    const { project, apis } = this.#check
    for (const [api, name] of Object.entries(env)) {
      const at = [...pointer, api]
      const files = apis.get(api)?.api.environments
      if (!project.apiNames.includes(api)) this.#report(at, "key", unknownApi(api, project.apiNames, "key"))
      else if (files?.environments.has(name) === false) {
        const known = [...files.environments.keys()]
        const finding = formatMessages["env-missing"].unknown(api, name, known)
        this.#report(at, "value", withReplacement(finding, { is: "value", from: name, known }))
      }
    }
  }

  productionDefaults(env: Readonly<Record<string, string>> = {}): void {
    for (const [api, name] of Object.entries(env)) {
      const files = this.#check.apis.get(api)?.api.environments
      if (files === undefined || levelOf(extendsChain(files.environments, name)) !== "production") continue
      const { productionDefault } = messages["field-value"]
      this.#report(["defaults", "env", api], "value", productionDefault(api, name))
    }
  }

  /** Only the app reads these addresses, so a wrong name must not stop a run. */
  sources(sources: Readonly<Record<string, string>> = {}): void {
    const { apiNames } = this.#check.project
    for (const api of Object.keys(sources)) {
      if (apiNames.includes(api)) continue
      this.#report(["sources", api], "key", { ...unknownApi(api, apiNames, "key"), severity: "warning" })
    }
  }

  /** Checks the environments and data files of entries. */
  forms(list: EntryList = [], pointer: JsonPointer, mayHaveData: boolean): void {
    for (const [index, form] of list.entries()) {
      if (typeof form === "string") continue
      const at = [...pointer, index]
      this.environments(form.env, [...at, "env"])
      this.#mocks(form.mocks ?? [], [...at, "mocks"])
      const finding =
        form.data === undefined || mayHaveData
          ? this.#fileFinding(form.data)
          : messages["field-value"].dataOfCleanup()
      if (finding !== undefined) this.#report([...at, "data"], "value", finding)
      this.forms(form.finally, [...at, "finally"], false)
    }
  }

  #mocks(mocks: NonNullable<EntrySettings["mocks"]>, pointer: JsonPointer): void {
    const { apiNames } = this.#check.project
    for (const [index, mock] of mocks.entries()) {
      const at = [...pointer, index]
      const { api, from, state } = typeof mock === "string" ? { api: mock } : mock
      const place = typeof mock === "string" ? at : [...at, "api"]
      if (!apiNames.includes(api)) this.#report(place, "value", unknownApi(api, apiNames, "value"))
      const finding =
        from === undefined || state !== true
          ? this.#fileFinding(from)
          : messages["field-value"].mockOfRecord()
      if (finding !== undefined) this.#report([...at, "from"], "value", finding)
    }
  }

  /** Checks the rows of data files, each once for all entries that run the same workflow with the same inputs. */
  async rows(entries: readonly SuiteEntry[]): Promise<void> {
    for (const { workflow: name, data, inputs } of entries) {
      const workflow = this.#names.readable(name)?.workflow
      const { rows } = this.#check.checkData ?? {}
      if (data === undefined || workflow === undefined || rows === undefined) continue
      const given = Object.keys(inputs).sort()
      const key = JSON.stringify([data, name, given])
      if (this.#checkedRows.has(key) || this.#fileFinding(data) !== undefined) continue
      this.#checkedRows.add(key)
      for (const problem of await rows(data, {
        declarations: workflow.inputs ?? {},
        given: new Set(given),
      }))
        // The command may set the input, as for an entry without rows.
        this.#check.add(problem.code === "input-missing" ? { ...problem, severity: "warning" } : problem)
    }
  }

  #fileFinding(data: string | undefined): Finding | undefined {
    return data === undefined ? undefined : this.#check.checkData?.file(data)
  }

  /** Checks the inputs of all entries. If the suite has errors, an unknown name may belong to a missing entry. */
  suite({ before, main, finally: last }: Suite, hasErrors: boolean): void {
    const earlier = new Map<string, SuiteEntry>()
    const place = { earlier, owner: undefined, isMain: false, hasErrors }
    for (const group of groupsOf(before)) {
      this.#group(group, place)
      for (const entry of group) earlier.set(entry.name, entry)
    }
    for (const group of groupsOf(main)) this.#group(group, { ...place, isMain: true })
    for (const group of groupsOf(last)) this.#group(group, place)
  }

  #group(group: readonly SuiteEntry[], place: Place): void {
    this.#inputs(group, place)
    for (const entry of group) {
      if (entry.data === undefined) this.#missing(entry, place)
      // Placeholders in a `finally` read the blocks of the workflow that it belongs to.
      for (const inner of groupsOf(entry.finally))
        this.#group(inner, { ...place, owner: entry.workflow, isMain: false })
    }
  }

  /** Checks the inputs of the entries of one pattern. At least one of the workflows must declare each input. */
  #inputs(group: readonly SuiteEntry[], place: Place): void {
    const [first] = group
    if (first === undefined || Object.keys(first.inputs).length === 0) return
    const workflows = group.map(({ workflow }) => this.#names.readable(workflow)?.workflow)
    for (const [name, value] of Object.entries(first.inputs)) {
      const pointer = [...first.pointer, "inputs", name]
      const declarations = workflows.flatMap((workflow) => ownOf(workflow?.inputs ?? {}, name) ?? [])
      const known = workflows.flatMap((workflow) => Object.keys(workflow?.inputs ?? {}))
      if (declarations.length === 0 && !workflows.includes(undefined)) {
        const finding = messages["input-unknown"].unknown(first.workflow, name, suggest(name, known))
        this.#report(pointer, "key", withReplacement(finding, { is: "key", from: name, known }))
      }
      this.#value(value, declarations, { entry: first, pointer, place })
    }
  }

  #value(
    value: JsonValue,
    declarations: readonly InputDeclaration[],
    { entry, pointer, place }: Input,
  ): void {
    const strings = valueStrings(value, pointer).filter(({ text }) => hasTokens(text))
    const { wrong, document } = messages["input-type"]
    if (strings.length === 0) {
      const bad = declarations.find(({ type }) => typedInput(value, type) === undefined)
      if (bad !== undefined) this.#report(pointer, "value", wrong(String(pointer.at(-1)), bad.type))
      return
    }
    if (place.hasErrors) return
    const reader = { workflow: entry.workflow, owner: place.owner, earlier: place.earlier }
    for (const live of strings) {
      const type = this.#names.check(live.text, { reader, pointer: live.pointer, report: this.#report })
      if (typeof value !== "string" || type.kinds === undefined) continue
      // A run converts a string to the declared type.
      const bad = declarations.find(
        (declared) => !type.kinds?.has("string") && !type.kinds?.has(declared.type),
      )
      if (bad !== undefined)
        this.#report(pointer, "value", document(String(pointer.at(-1)), describeKinds(type), bad.type))
    }
  }

  #missing(entry: SuiteEntry, { isMain }: Place): void {
    const { workflow, brokenInputs } = this.#names.readable(entry.workflow) ?? {}
    for (const [name, { required, default: fallback }] of Object.entries(workflow?.inputs ?? {})) {
      if (required !== true || fallback !== undefined || Object.hasOwn(entry.inputs, name)) continue
      if (brokenInputs?.has(name) === true) continue
      const { main, other } = messages["input-missing"]
      this.#report(entry.pointer, "value", (isMain ? main : other)(entry.workflow, name))
    }
  }
}

interface Place extends Omit<SuiteReader, "workflow"> {
  /** True for entries that also receive inputs from the command line. */
  readonly isMain: boolean
  readonly hasErrors: boolean
}

interface Input {
  readonly entry: SuiteEntry
  readonly pointer: JsonPointer
  readonly place: Place
}

/** Groups the entries that one pattern adds. */
function groupsOf(entries: readonly SuiteEntry[]): Iterable<readonly SuiteEntry[]> {
  if (entries.length < 2) return entries.length === 0 ? [] : [entries]
  const groups = new Map<JsonPointer, SuiteEntry[]>()
  for (const entry of entries) getOrCreate(groups, entry.pointer, () => []).push(entry)
  return groups.values()
}
