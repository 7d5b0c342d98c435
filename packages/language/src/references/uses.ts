// Finds the places that use an operation, a saved request, a script or a variable.

import {
  createJsonLocator,
  createLineFinder,
  getOrCreate,
  hasResponse,
  type JsonPointer,
  type LineColumn,
  type Project,
  type SourceFile,
  walkBlocks,
} from "@callsheet/format"
import { type ApiSource, findTarget, isOpen } from "../requests/target.ts"
import { blocksThatName, type NamedFile } from "./block-uses.ts"
import { variableUses } from "./variable-strings.ts"
import type { Variable } from "./variable-uses.ts"

interface NamedOperation {
  readonly kind: "operation"
  readonly api: string
  readonly method: string
  readonly path: string
}

export type UseSubject = NamedFile | NamedOperation | (Variable & { readonly kind: "variable" })

export interface Use extends LineColumn {
  /** The path from the project root. */
  readonly file: string
  /** The id of the block. Absent in a saved request. */
  readonly block?: string | undefined
  /** False if a name with placeholders may refer to something else. */
  readonly isSure: boolean
}

interface UseLocation extends Pick<Use, "block" | "isSure"> {
  readonly source: SourceFile
  readonly pointer: () => JsonPointer
}

/** Yields the places in file order. `source` is the API of an operation. */
export function* usesOf(project: Project, used: UseSubject, source?: ApiSource): Generator<Use> {
  const places = new Map<SourceFile, (pointer: JsonPointer) => LineColumn>()
  for (const { source: file, pointer, block, isSure } of found(project, used, source)) {
    const place = getOrCreate(places, file, () => placesIn(file))
    yield { file: file.file, ...place(pointer()), block, isSure }
  }
}

/** Returns a function that finds the line and column of a value in a JSON file. */
export function placesIn({ text }: SourceFile): (pointer: JsonPointer) => LineColumn {
  const [locate, placeOf] = [createJsonLocator(text), createLineFinder(text)]
  return (pointer) => placeOf(locate(pointer, "value"))
}

const nameFields: { readonly [K in NamedFile["kind"]]: JsonPointer } = {
  script: ["script", "name"],
  request: ["request", "instance"],
}

function* found(project: Project, used: UseSubject, source: ApiSource | undefined): Generator<UseLocation> {
  if (used.kind === "variable") {
    for (const { string, isSure } of variableUses(project, used))
      yield { source: string.source, pointer: string.pointer, block: string.block, isSure }
  } else if (used.kind === "operation") {
    if (source !== undefined) yield* usesOfOperation(project, used, source)
  } else {
    const field = nameFields[used.kind]
    for (const { workflow, visit, isSure } of blocksThatName(project, used))
      yield {
        source: workflow,
        pointer: () => [...visit.pointer(), ...field],
        block: visit.block.id,
        isSure,
      }
  }
}

/** Yields the blocks that send the operation, directly or by a saved request, and the saved requests. */
function* usesOfOperation(
  { workflows }: Project,
  { api, method, path }: NamedOperation,
  source: ApiSource,
): Generator<UseLocation> {
  const sends = (names: Parameters<typeof findTarget>[1]): boolean => {
    if (isOpen(names)) return false
    const target = findTarget(source, names)
    return target.found && target.target.method === method && target.target.path === path
  }
  for (const workflow of workflows.values()) {
    const { readable } = workflow
    for (const { block, pointer } of walkBlocks(readable?.workflow.blocks ?? [])) {
      if (!hasResponse(block) || block.request.api !== api || readable?.broken.has(block) === true) continue
      if (sends(block.request))
        yield {
          source: workflow,
          pointer: () => [
            ...pointer(),
            "request",
            block.request.instance === undefined ? "operation" : "instance",
          ],
          block: block.id,
          isSure: true,
        }
    }
  }
  for (const file of source.api.instances.values())
    if (file.request !== undefined && sends({ instance: file.name, resource: file.resource }))
      yield { source: file, pointer: () => [], isSure: true }
}
