// Answers the symbols of a document and of the workspace.

import { locateJson } from "@callsheet/format"
import {
  fuzzyScore,
  mentionsInFile,
  outlineRequest,
  outlineSchema,
  outlineSecrets,
  outlineSettings,
  outlineValues,
  outlineWorkflow,
  type OutlineItem,
} from "@callsheet/language"
import { listOperations, type Operation } from "@callsheet/openapi"
import type {
  DocumentSymbol,
  DocumentSymbolParams,
  SymbolInformation,
  SymbolKind,
  WorkspaceSymbolParams,
} from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import type { EditorFile } from "../file/editor-file.ts"
import type { OpenProject } from "../workspace/workspace.ts"
import { partLocation } from "./definition.ts"
import { createLocator } from "./locate.ts"

/** The kinds of the protocol whose icons fit best. */
const kinds: ReadonlyMap<string, SymbolKind> = new Map([
  ["request", 6],
  ["assert", 17],
  ["transform", 7],
  ["condition", 25],
  ["loop", 18],
  ["group", 3],
  ["script", 12],
  ["input", 26],
  ["variable", 13],
  ["setting", 20],
  ["suite", 2],
  ["entry", 24],
  ["workflow", 1],
  ["environment", 4],
  ["operation", 11],
])
const OTHER_KIND: SymbolKind = 19
const kindOf = (is: string): SymbolKind => kinds.get(is) ?? OTHER_KIND

export function documentSymbol(
  { textDocument }: DocumentSymbolParams,
  context: Context,
): Promise<readonly DocumentSymbol[] | readonly SymbolInformation[] | null> {
  const file = context.place(textDocument)?.file
  const items = file === undefined ? undefined : outlineOf(file)
  if (file === undefined || items === undefined) return Promise.resolve(null)
  const isNested =
    context.capabilities.textDocument?.documentSymbol?.hierarchicalDocumentSymbolSupport === true
  return Promise.resolve(
    isNested ? items.map((item) => symbolOf(item, file)) : items.flatMap((item) => flatSymbols(item, file)),
  )
}

type Outline = (text: string) => readonly OutlineItem[]

const outlines: { readonly [K in EditorFile["is"]["kind"]]?: Outline } = {
  workflow: (text) => outlineWorkflow(locateJson(text)),
  request: (text) => outlineRequest(locateJson(text)),
  schema: (text) => outlineSchema(locateJson(text)),
  environment: (text) => outlineValues(locateJson(text)),
  secrets: outlineSecrets,
  project: (text) => outlineSettings(locateJson(text)),
}

const outlineOf = ({ is, text }: EditorFile): readonly OutlineItem[] | undefined => outlines[is.kind]?.(text)

const symbolOf = (item: OutlineItem, file: EditorFile): DocumentSymbol => ({
  name: item.name,
  ...(item.detail === undefined ? {} : { detail: item.detail }),
  kind: kindOf(item.is),
  range: file.rangeOf(item.range.from, item.range.to),
  selectionRange: file.rangeOf(item.selection.from, item.selection.to),
  children: item.children.map((child) => symbolOf(child, file)),
})

const flatSymbols = (item: OutlineItem, file: EditorFile): readonly SymbolInformation[] => [
  {
    name: item.name,
    kind: kindOf(item.is),
    location: { uri: file.uri, range: file.rangeOf(item.range.from, item.range.to) },
  },
  ...item.children.flatMap((child) => flatSymbols(child, file)),
]

/** The most symbols of the workspace in one answer. Editors ask again with every character. */
const MAX_SYMBOLS = 200

interface Candidate {
  readonly name: string
  readonly is: string
  readonly container: string
  readonly project: OpenProject
  readonly at: { readonly file: string; readonly from: number; readonly to: number } | Operation
}

export async function workspaceSymbol(
  { query }: WorkspaceSymbolParams,
  context: Context,
): Promise<readonly SymbolInformation[]> {
  const projects = await context.workspace.projects()
  const all = (await Promise.all(projects.map(candidatesIn))).flat()
  const best = all
    .flatMap((candidate) => {
      const score = fuzzyScore(query, candidate.name)
      return score === undefined ? [] : [{ candidate, score }]
    })
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_SYMBOLS)
  const found = await Promise.all(best.map(({ candidate }) => locate(candidate, context)))
  return found.flat()
}

async function locate(
  { name, is, container, project, at }: Candidate,
  context: Context,
): Promise<readonly SymbolInformation[]> {
  const locations =
    "file" in at
      ? [createLocator(context, { project }).location(at)]
      : await partLocation(at, { project }, context)
  return locations.map((location) => ({ name, kind: kindOf(is), containerName: container, location }))
}

async function candidatesIn(project: OpenProject): Promise<readonly Candidate[]> {
  const view = project.state.view()
  const { workflows, apis, settingsFile } = view.project
  const whole = (name: string, is: string, of: { readonly file: string; readonly container: string }) => [
    { name, is, container: of.container, project, at: { file: of.file, from: 0, to: 0 } },
  ]
  const declared = (file: string | undefined, container: string, only: ReadonlySet<string>) =>
    mentionsInFile(view, file ?? "").flatMap(({ named, declares, from, to }) =>
      declares && only.has(named.is)
        ? [{ name: named.name, is: named.is, container, project, at: { file: file ?? "", from, to } }]
        : [],
    )
  const operations = await Promise.all([...apis.keys()].map((api) => operationsOf(project, api)))
  return [
    ...[...workflows.values()].flatMap(({ name, file }) => [
      ...whole(name, "workflow", { file, container: "" }),
      ...declared(file, name, new Set(["block"])),
    ]),
    ...[...apis.values()].flatMap(({ name: api, instances, environments }) => [
      ...[...instances.values()].flatMap(({ name, file, resource }) =>
        whole(name, "request", { file, container: `${api} ${resource}` }),
      ),
      ...declared(environments.schemaFile?.file, api, new Set(["variable"])),
      ...[...environments.environments.values()].flatMap(({ name, valueFile }) =>
        whole(name, "environment", { file: valueFile.file, container: api }),
      ),
    ]),
    ...declared(settingsFile?.file, "", new Set(["suite"])),
    ...operations.flat(),
  ]
}

async function operationsOf(project: OpenProject, api: string): Promise<readonly Candidate[]> {
  const document = (await project.state.view().source(api))?.document
  if (document === undefined) return []
  return listOperations(document).map((operation) => ({
    name: operation.name,
    is: "operation",
    container: `${api} ${operation.method} ${operation.path}`,
    project,
    at: operation,
  }))
}
