// Works out what a rename changes, by the rules of the app's renames: texts, files, and places to check.

import {
  CallsheetError,
  checkId,
  isEnvironmentName,
  isSuiteName,
  locateJson,
  type Finding,
  parseJson,
  parseTemplate,
  renameJsonKey,
  rawBlocks,
  setJsonAt,
  type JsonPointer,
  type JsonValue,
  type Problem,
} from "@callsheet/format"
import {
  fixAllImports,
  isTaken,
  mentionsOf,
  openMeanings,
  renameBlock,
  renameFile,
  renameInput,
  renameMentions,
  renameVariable,
  renameWorkflow,
  requestFiles,
  scriptFile,
  scriptsFolder,
  type Named,
  type NamedInWorkflow,
  type PlacedMention,
  type RenamedText,
} from "@callsheet/language"
import { schemeVariable, securitySchemesOf } from "@callsheet/openapi"
import { makeSchemaChange, requireFreeName } from "@callsheet/project"
import { fileAt, placeOf, type FileName } from "@callsheet/server"
import type { View } from "../../project/view.ts"
import { messages } from "./messages.ts"

interface FileMove {
  readonly from: string
  readonly to: string
}

export interface RenamePlan {
  readonly texts: readonly RenamedText[]
  readonly moves: readonly FileMove[]
  readonly warnings: readonly Problem[]
  readonly notes: readonly string[]
  /** The mentions of the thing before the rename. */
  readonly mentions: readonly PlacedMention[]
}

type Of<K extends Named["is"]> = Extract<Named, { readonly is: K }>

/** Throws the reason if the thing can't have the name. */
export async function planRename(view: View, named: Named, to: string): Promise<RenamePlan> {
  switch (named.is) {
    case "block":
      return inWorkflow(view, { ...named, to }, (text) => blockText(text, named.name, to))
    case "input":
      return inWorkflow(
        view,
        { ...named, to },
        ({ text, value }) => renameInput({ text, value }, named.name, to)?.text,
      )
    case "iterator":
      return inWorkflow(view, { ...named, to }, () => undefined)
    case "variable":
      return planVariable(view, { api: named.api, name: named.name }, to)
    case "request":
      return planRequest(view, named, to)
    case "script":
      return planScript(view, { workflow: named.workflow, name: named.name }, to)
    case "workflow":
      return planWorkflow(view, named.name, to)
    case "environment":
      return planEnvironment(view, { api: named.api, name: named.name }, to)
    case "suite":
      return planSuite(view, named, to)
    default:
      throw new CallsheetError(refusalOf(named))
  }
}

/** Returns why a thing can't be renamed. Undefined if it can. */
export function refusalOfThing(named: Named): Finding | undefined {
  return refused.has(named.is) ? refusalOf(named) : undefined
}

const refused: ReadonlySet<Named["is"]> = new Set(["api", "operation", "export", "part", "file", "open"])

function refusalOf(named: Named): Finding {
  const { usage } = messages
  if (named.is === "api") return usage.api(named.name)
  if (named.is === "operation") return usage.operation()
  if (named.is === "export") return usage.exported()
  return named.is === "open" ? usage.several(named.name) : usage.nothing()
}

/** Returns the thing that a name in a saved request means, if it is the same for all workflows. */
export function settled(view: View, named: Named): Named {
  if (named.is !== "open") return named
  const meanings = openMeanings(view.project, named)
  return meanings.length === 1 && meanings[0] !== undefined ? meanings[0] : named
}

interface NameInWorkflow extends NamedInWorkflow {
  readonly to: string
}

interface ParsedWorkflow {
  readonly text: string
  readonly value: JsonValue
}

function inWorkflow(
  view: View,
  { to, ...named }: NameInWorkflow,
  change: (workflow: ParsedWorkflow) => string | undefined,
): RenamePlan {
  const source = view.project.workflows.get(named.workflow)
  if (source === undefined) throw new CallsheetError(messages.usage.unknown(named.name))
  const parsed = parseJson(source.text)
  if (!parsed.ok) throw new CallsheetError(messages.usage.broken(source.file))
  const refusal = checkName(to)
  if (refusal !== undefined) throw new CallsheetError(refusal)
  const workflow = { text: source.text, value: parsed.value }
  if (isTaken(workflow, to)) throw new CallsheetError(messages["id-duplicate"].taken(to))
  const mentions = mentionsOf(view, named)
  const after = change(workflow)
  const own = after === undefined ? [] : [{ file: source.file, before: source.text, after }]
  const others = mentions.filter(
    (mention) => (own.length === 0 || mention.file !== source.file) && isChangeable(view, mention, to),
  )
  return {
    texts: [...own, ...renameMentions(view, others, to)],
    moves: [],
    warnings: [],
    notes: [],
    mentions,
  }
}

/** Checks an id, a name of an input or of an iterator. Placeholders stand for any text. */
function checkName(name: string): Finding | undefined {
  const template = parseTemplate(name)
  if (!template.ok) return messages.usage.invalid(name, "a block")
  return checkId(template.parts.map((part) => (typeof part === "string" ? part : "x")).join(""))
}

function blockText({ text, value }: ParsedWorkflow, id: string, to: string): string {
  const found = [...rawBlocks(value)].find(({ block }) => block["id"] === id)
  const pointer: JsonPointer | undefined = found?.pointer()
  if (pointer === undefined) throw new CallsheetError(messages.usage.unknown(id))
  return renameBlock({ text, value }, pointer, to).text
}

/** Returns whether the mention certainly means the thing, and can contain the new name. */
function isChangeable(view: View, { named, file, from, to: end }: PlacedMention, to: string): boolean {
  const isOnly = named.is !== "open" || openMeanings(view.project, named).length === 1
  const written = view.textOf(file)?.slice(from, end)
  return isOnly && !to.includes("{{") && written === named.name
}

interface VariableName {
  readonly api: string
  readonly name: string
}

async function planVariable(view: View, { api, name }: VariableName, to: string): Promise<RenamePlan> {
  const files = view.project.apis.get(api)?.environments
  if (files?.variables.has(name) !== true) throw new CallsheetError(messages.usage.unknown(name))
  for (const each of [name, to]) await requireFreeOfConventions(view, api, each)
  const planned = makeSchemaChange(files, { do: "rename", name, to })
  const { texts, warnings, problems } = renameVariable(view.project, { api, name }, to)
  const [problem] = problems
  if (problem !== undefined) throw new CallsheetError(problem, { problems })
  const mentions = mentionsOf(view, { is: "variable", api, name })
  const changed = new Set([...planned.edits, ...texts].map(({ file }) => file))
  const others = mentions.filter(({ file }) => file.endsWith(".ts") || file === "callsheet.json")
  return {
    texts: [
      ...planned.edits.map(({ file, before, after }) => ({ file, before: before ?? "", after })),
      ...texts,
      ...renameMentions(
        view,
        others.filter(({ file }) => !changed.has(file)),
        to,
      ),
    ],
    moves: [],
    warnings,
    notes: planned.notes,
    mentions,
  }
}

async function requireFreeOfConventions(view: View, api: string, name: string): Promise<void> {
  const { conventional } = messages.usage
  if (name === "baseUrl") throw new CallsheetError(conventional(name, "the base URL of the API"))
  if (name === "timeout") throw new CallsheetError(conventional(name, "the time limit of requests"))
  const document = (await view.source(api))?.document
  const schemes = document === undefined ? [] : securitySchemesOf(document)
  if (schemes.some((scheme) => schemeVariable(scheme.name) === name))
    throw new CallsheetError(conventional(name, "the credential of a security scheme"))
}

function requireMovable(view: View, from: FileName, path: string, what: string): FileName {
  const to = fileAt(path)
  if (to === undefined || to.kind !== from.kind)
    throw new CallsheetError(
      messages.usage.invalid(path.slice(path.lastIndexOf("/") + 1).replace(/\.(?:json|ts)$/, ""), what),
    )
  requireFreeName(view.root, placeOf(from), placeOf(to))
  return to
}

function planRequest(view: View, named: Of<"request">, to: string): RenamePlan {
  const [file, ...others] = requestFiles(view.project, named)
  if (file === undefined || others.length > 0) throw new CallsheetError(messages.usage.unknown(named.name))
  const { api } = named
  const { resource } = file
  const from = { kind: "request", api, resource, request: file.name } as const
  requireMovable(view, from, `apis/${api}/requests/${resource}/${to}.json`, "a saved request")
  const { texts, warnings } = renameFile(view.project, from, { ...from, request: to })
  const moves = [{ from: file.file, to: placeOf({ ...from, request: to }).file }]
  return { texts, moves, warnings, notes: [], mentions: mentionsOf(view, { ...named, resource }) }
}

function planScript(
  view: View,
  { workflow, name }: { readonly workflow: string; readonly name: string },
  to: string,
): RenamePlan {
  const { project } = view
  if (project.scriptNames.get(workflow)?.includes(name) !== true)
    throw new CallsheetError(messages.usage.unknown(name))
  const from = { kind: "script", workflow, script: name } as const
  const move = { from: scriptFile(workflow, name), to: scriptFile(workflow, to) }
  requireMovable(view, from, move.to, "a script")
  const { texts, warnings } = renameFile(project, from, { ...from, script: to })
  const files = [...project.scriptNames].flatMap(([owner, names]) =>
    names.map((script) => scriptFile(owner, script)),
  )
  const scripts = files.map((file) => ({ file, text: view.textOf(file) ?? "" }))
  const fixed = fixAllImports(scripts, move, new Set(files))
  const before = view.textOf(move.from) ?? ""
  const own =
    fixed.moved === undefined || fixed.moved === before
      ? []
      : [{ file: move.from, before, after: fixed.moved }]
  return {
    texts: [...texts, ...fixed.texts, ...own],
    moves: [move],
    warnings: [...warnings, ...fixed.warnings],
    notes: [],
    mentions: mentionsOf(view, { is: "script", workflow, name }),
  }
}

function planWorkflow(view: View, name: string, to: string): RenamePlan {
  const { project } = view
  const file = project.workflows.get(name)
  if (file === undefined) throw new CallsheetError(messages.usage.unknown(name))
  const from = { kind: "workflow", workflow: name } as const
  requireMovable(view, from, `apis/workflow/${to}.json`, "a workflow")
  const { texts, warnings } = renameWorkflow(project, name, to)
  const hasScripts = (project.scriptNames.get(name) ?? []).length > 0
  const scripts = hasScripts ? [{ from: scriptsFolder(name), to: scriptsFolder(to) }] : []
  const moves = [{ from: file.file, to: placeOf({ kind: "workflow", workflow: to }).file }, ...scripts]
  return { texts, moves, warnings, notes: [], mentions: mentionsOf(view, { is: "workflow", name }) }
}

function planEnvironment(view: View, { api, name }: VariableName, to: string): RenamePlan {
  const all = view.project.apis.get(api)?.environments.environments
  const environment = all?.get(name)
  if (all === undefined || environment === undefined) throw new CallsheetError(messages.usage.unknown(name))
  if (!isEnvironmentName(to)) throw new CallsheetError(messages.usage.invalid(to, "an environment"))
  const path = `apis/${api}/environments/${to}`
  requireMovable(view, { kind: "environment", api, environment: name }, `${path}.json`, "an environment")
  const { valueFile, secretsFile } = environment
  requireFreeName(view.root, { file: valueFile.file }, { file: `${path}.secrets.env` })
  const children = [...all.values()].filter((other) => other.extends === name)
  const extending = children.map(({ valueFile: { file, text } }) => {
    const edited = setJsonAt(text, ["extends"], to)
    if (!edited.ok) throw new CallsheetError(messages.usage.broken(file))
    return { file, before: text, after: edited.text }
  })
  const mentions = mentionsOf(view, { is: "environment", api, name })
  const inSettings = mentions.filter(({ file }) => file === "callsheet.json")
  return {
    texts: [...extending, ...renameMentions(view, inSettings, to)],
    moves: [
      { from: valueFile.file, to: `${path}.json` },
      ...(secretsFile === undefined ? [] : [{ from: secretsFile.file, to: `${path}.secrets.env` }]),
    ],
    warnings: [],
    notes: [],
    mentions,
  }
}

function planSuite(view: View, named: Named, to: string): RenamePlan {
  const source = view.project.settingsFile
  if (source === undefined) throw new CallsheetError(messages.usage.unknown(named.name))
  if (!isSuiteName(to)) throw new CallsheetError(messages.usage.invalid(to, "a suite"))
  if (locateJson(source.text).rangeOf(["suites", to], "key") !== undefined)
    throw new CallsheetError(messages["id-duplicate"].suite(to))
  const edited = renameJsonKey(source.text, ["suites", named.name], to)
  if (!edited.ok) throw new CallsheetError(messages.usage.broken(source.file))
  return {
    texts: [{ file: source.file, before: source.text, after: edited.text }],
    moves: [],
    warnings: [],
    notes: [],
    mentions: mentionsOf(view, named),
  }
}
