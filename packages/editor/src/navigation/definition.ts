// Answers where a thing gets its name, and which places mention it.

import {
  declarationsOf,
  findTarget,
  mentionsInFile,
  mentionsOf,
  operationMentions,
  type ApiSource,
  type Named,
} from "@callsheet/language"
import {
  createPlaceFinder,
  findOperation,
  findResponsePart,
  type OpenApiDocument,
  type Operation,
} from "@callsheet/openapi"
import { hasResponse, memo, memoTexts, walkBlocks, type InstanceFile } from "@callsheet/format"
import type {
  DocumentHighlight,
  Location,
  LocationLink,
  ReferenceParams,
} from "vscode-languageserver-protocol"
import type { Context } from "../context.ts"
import type { Place } from "../workspace/workspace.ts"
import { createLocator, mentionAt, textsOf, type PositionParams } from "./locate.ts"

type NamedOperation = Extract<Named, { readonly is: "operation" }>

export async function definition(
  params: PositionParams,
  context: Context,
): Promise<readonly Location[] | readonly LocationLink[] | null> {
  const found = mentionAt(params, context)
  if (found === undefined) return null
  const { place, mention } = found
  const targets = await targetsOf(mention.named, place, context)
  if (context.capabilities.textDocument?.definition?.linkSupport !== true) return targets
  const originSelectionRange = place.file.rangeOf(mention.from, mention.to)
  return targets.map(({ uri, range }) => ({
    originSelectionRange,
    targetUri: uri,
    targetRange: range,
    targetSelectionRange: range,
  }))
}

async function targetsOf(named: Named, place: Place, context: Context): Promise<readonly Location[]> {
  const { location } = createLocator(context, place)
  if (named.is === "operation") return operationTargets(named, place, context)
  const part = named.is === "part" ? await partOf(named, place) : undefined
  if (part !== undefined) return partLocation(part, place, context)
  return declarationsOf(textsOf(place), named).map(location)
}

async function operationTargets(
  named: NamedOperation,
  place: Place,
  context: Context,
): Promise<readonly Location[]> {
  const operation = await operationOf(named, place)
  return operation === undefined ? [] : partLocation(operation, place, context)
}

const placesOf = memo((document: OpenApiDocument) => createPlaceFinder(document, { isRare: true }))

/** Returns the place in the document that describes a part of a block's response. */
async function partOf(
  { workflow, block: id, path }: Extract<Named, { readonly is: "part" }>,
  { view }: Place,
): Promise<Part | undefined> {
  const blocks = view.project.workflows.get(workflow)?.readable?.workflow.blocks ?? []
  const sender = [...walkBlocks(blocks)].find(({ block }) => block.id === id)?.block
  if (sender === undefined || !hasResponse(sender)) return undefined
  const source = await view.source(sender.request.api)
  const target = source && findTarget(source, sender.request)
  const operation = target?.found === true ? target.target.operation : undefined
  return operation && findResponsePart(operation, path)
}

type Part = Pick<Operation, "document" | "pointer">

/** Returns the line of a part in the document's files. */
export async function partLocation(
  part: Part,
  place: Pick<Place, "project">,
  context: Context,
): Promise<readonly Location[]> {
  const found = await placesOf(part.document)(part.pointer)
  if (found === undefined) return []
  return [createLocator(context, place).lineOf(found.file, found.line)]
}

async function operationOf(
  { api, name, resource }: NamedOperation,
  { view }: Place,
): Promise<Operation | undefined> {
  const document = (await view.source(api))?.document
  if (document === undefined) return undefined
  const found = findOperation(document, { operation: name, resource })
  if (found.status === "found") return found.operation
  const plain = findOperation(document, { operation: name })
  return plain.status === "found" ? plain.operation : undefined
}

export async function references(
  params: ReferenceParams,
  context: Context,
): Promise<readonly Location[] | null> {
  const found = mentionAt(params, context)
  if (found === undefined) return null
  const { place, mention } = found
  const { named } = mention
  const { location } = createLocator(context, place)
  const wantsDeclaration = params.context.includeDeclaration
  if (named.is === "operation") {
    const own = wantsDeclaration ? await operationTargets(named, place, context) : []
    return [...own, ...(await operationUses(named, place, context))]
  }
  const mentions = mentionsOf(textsOf(place), named)
  const uses = mentions.filter(({ declares }) => !declares).map(location)
  return wantsDeclaration ? distinct([...(await targetsOf(named, place, context)), ...uses]) : uses
}

/** Returns the mentions of an operation by any of its names, and of the saved requests that send it. */
async function operationUses(
  named: NamedOperation,
  place: Place,
  context: Context,
): Promise<readonly Location[]> {
  const texts = textsOf(place)
  const { location } = createLocator(context, place)
  const [operation, source] = [await operationOf(named, place), await place.view.source(named.api)]
  if (operation === undefined || source?.document === undefined) return mentionsOf(texts, named).map(location)
  const { document, api } = source
  const isIt = memoTexts((key) => {
    const { name, resource } = JSON.parse(key) as NamedOperation
    const found = findOperation(document, { operation: name, resource })
    return found.status === "found" && found.operation === operation
  })
  const direct = operationMentions(texts, operation, named.api).filter(({ named: { name, ...rest } }) =>
    isIt(JSON.stringify({ name, ...rest })),
  )
  const saved = [...api.instances.values()].filter((file) => sends(source, file, operation))
  const through = saved.flatMap(({ name, resource }) =>
    mentionsOf(texts, { is: "request", api: named.api, resource, name }),
  )
  return distinct([...direct, ...through].map(location))
}

function sends(source: ApiSource, { name, resource }: InstanceFile, { method, path }: Operation): boolean {
  const found = findTarget(source, { instance: name, resource })
  return found.found && found.target.method === method && found.target.path === path
}

function distinct(locations: readonly Location[]): readonly Location[] {
  const known = new Map(locations.map((location) => [JSON.stringify(location), location]))
  return [...known.values()]
}

const WRITE = 3
const READ = 2

export async function documentHighlight(
  params: PositionParams,
  context: Context,
): Promise<readonly DocumentHighlight[] | null> {
  const found = mentionAt(params, context)
  if (found === undefined) return null
  const { place, mention } = found
  const { path, rangeOf } = place.file
  const here = mentionsInFile(textsOf(place), path)
  const same = new Set(mentionsOf(textsOf(place), mention.named).map(keyOf))
  return here
    .filter((each) => same.has(keyOf({ ...each, file: path })))
    .map(({ from, to, declares }) => ({ range: rangeOf(from, to), kind: declares ? WRITE : READ }))
}

const keyOf = ({ file, from, to }: { file: string; from: number; to: number }): string =>
  `${file}:${from}:${to}`
