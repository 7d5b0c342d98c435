// Finds the blocks that name a script or a saved request.

import {
  hasResponse,
  hasTokens,
  parseTemplateOnce,
  scriptsOf,
  walkBlocks,
  type Block,
  type InstanceFile,
  type Project,
  type RequestBlock,
  type Visit,
  type WorkflowFile,
} from "@callsheet/format"
import { slug } from "@callsheet/openapi"
import { mayMeet, patternOf } from "../names/name-pattern.ts"

interface NamedScript {
  readonly kind: "script"
  readonly workflow: string
  /** The script's name without `.ts`. May include directories: `checks/total`. */
  readonly script: string
}

export interface NamedRequest {
  readonly kind: "request"
  readonly api: string
  readonly resource: string
  readonly request: string
}

export type NamedFile = NamedScript | NamedRequest

export interface BlockUse {
  readonly workflow: WorkflowFile
  readonly visit: Visit
  /**
   * False if the block may refer to another file, because its name contains placeholders or several saved requests have
   * it.
   */
  readonly isSure: boolean
}

type Naming = "sure" | "perhaps" | undefined

/** Yields the blocks in file order. Skips blocks with errors. */
export function* blocksThatName(
  project: Pick<Project, "workflows" | "apis">,
  file: NamedFile,
): Generator<BlockUse> {
  const naming = file.kind === "script" ? namesScript(file) : namesRequest(project, file)
  for (const workflow of project.workflows.values()) {
    if (file.kind === "script" && workflow.name !== file.workflow) continue
    const { readable } = workflow
    for (const visit of walkBlocks(readable?.workflow.blocks ?? [])) {
      if (readable?.broken.has(visit.block) === true) continue
      const found = naming(visit.block)
      if (found !== undefined) yield { workflow, visit, isSure: found === "sure" }
    }
  }
}

const namesScript =
  ({ script }: NamedScript) =>
  (block: Block): Naming => {
    const names = scriptsOf(block).map(({ name }) => name)
    if (names.includes(script)) return "sure"
    return names.some((name) => hasTokens(name) && mayBe(name, script)) ? "perhaps" : undefined
  }

function namesRequest(project: Pick<Project, "apis">, { api, resource, request }: NamedRequest) {
  const isAlone = namesakesOf(project, api, request).length <= 1
  return (block: Block): Naming => {
    if (!hasResponse(block) || block.request.api !== api) return undefined
    const { instance, resource: written } = block.request
    if (instance === undefined || !maySend(block, { name: request, resource })) return undefined
    const isOpen = hasTokens(instance) || (written === undefined ? !isAlone : hasTokens(written))
    return isOpen ? "perhaps" : "sure"
  }
}

export const namesakesOf = (
  { apis }: Pick<Project, "apis">,
  api: string,
  request: string,
): readonly string[] =>
  [...(apis.get(api)?.instances.values() ?? [])]
    .filter(({ name }) => name === request)
    .map(({ resource }) => resource)

/** Returns whether a block may send an operation. A name with placeholders may refer to any saved request. */
export function maySend(
  { request: { instance, resource } }: RequestBlock,
  file: Pick<InstanceFile, "name" | "resource">,
): boolean {
  if (instance === undefined || !mayBe(instance, file.name)) return false
  return resource === undefined || mayBe(resource, file.resource) || mayBe(slug(resource), file.resource)
}

/** Returns whether `text` may expand to `name`. */
function mayBe(text: string, name: string): boolean {
  const template = parseTemplateOnce(text)
  return template.ok && mayMeet(patternOf(template.parts), name)
}
