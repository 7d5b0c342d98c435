// Builds workflows: one per top-level folder, with nested folders as groups.

import type { Block, Workflow } from "@callsheet/format"
import { reasons } from "../messages.ts"
import type { Collection, Folder, Item, Loss, Request, Script } from "../model.ts"
import { plainText } from "../text.ts"
import type { CarriedRequest } from "./carry-request.ts"
import { asciiSlug, UniqueNames, workflowNames } from "./names.ts"
import { renderText } from "./render.ts"
import { exportNameOf, scriptText } from "./scripts.ts"

export interface BuiltWorkflow {
  readonly name: string
  readonly workflow: Workflow
  /** The scripts by file name, without the ending. */
  readonly scripts: ReadonlyMap<string, string>
}

export interface WorkflowsRequest {
  readonly collection: Collection
  /** Carries a request over and returns what its block sends. Undefined if the request is lost. */
  readonly carry: (request: Request) => Block<"request">["request"] | undefined
  /** The names of variables, which would hide a block with the same id. */
  readonly takenIds: Iterable<string>
  readonly lose: (loss: Loss) => void
}

export function buildWorkflows(request: WorkflowsRequest): readonly BuiltWorkflow[] {
  const { root } = request.collection
  const names = workflowNames()
  const built: BuiltWorkflow[] = []
  const loose = root.items.filter((item) => item.kind !== "folder")
  let hasLoose = false
  for (const item of root.items) {
    const isLoose = item.kind !== "folder"
    if (isLoose && hasLoose) continue
    hasLoose ||= isLoose
    const items = isLoose ? loose : item.items
    if (!hasRequests(items)) continue
    const name = names.add(asciiSlug(isLoose ? root.name : item.name, "workflow"))
    built.push(new WorkflowBuilder(name, request).build(items, isLoose ? [root] : [root, item]))
  }
  return built
}

const hasRequests = (items: readonly Item[]): boolean =>
  items.some((item) => item.kind !== "folder" || hasRequests(item.items))

class WorkflowBuilder {
  readonly #name: string
  readonly #request: WorkflowsRequest
  readonly #ids: UniqueNames
  readonly #scriptNames = new UniqueNames()
  readonly #scripts = new Map<string, string>()

  constructor(name: string, request: WorkflowsRequest) {
    this.#name = name
    this.#request = request
    this.#ids = new UniqueNames({ taken: [...request.takenIds, "env"] })
  }

  build(items: readonly Item[], folders: readonly Folder[]): BuiltWorkflow {
    const shared = folders.flatMap(({ scripts, name }) => this.#carryScripts(scripts, name))
    const blocks = [...shared, ...this.#blocks(items)]
    // A failed test doesn't stop the run of a collection.
    return {
      name: this.#name,
      workflow: { version: 1, onFailure: "continue", blocks },
      scripts: this.#scripts,
    }
  }

  #blocks(items: readonly Item[]): readonly Block[] {
    return items.flatMap((item): readonly Block[] => {
      if (item.kind !== "folder") return this.#requestBlocks(item)
      if (!hasRequests(item.items)) return []
      const id = this.#id(item.name)
      const blocks = [...this.#carryScripts(item.scripts, item.name), ...this.#blocks(item.items)]
      return [{ id, type: "group", ...describe(item), blocks }]
    })
  }

  #requestBlocks(request: Request): readonly Block[] {
    const id = this.#id(request.name)
    const target = this.#request.carry(request)
    if (target === undefined) return []
    const before = request.scripts.filter(({ when }) => when === "before")
    const after = request.scripts.filter(({ when }) => when === "after")
    return [
      ...this.#carryScripts(before, request.name),
      { id, type: "request", ...describe(request), request: target },
      ...this.#carryScripts(after, request.name),
    ]
  }

  #carryScripts(scripts: readonly Script[], owner: string): readonly Block[] {
    if (scripts.length === 0) return []
    const kind = scripts.every(({ when }) => when === "before") ? "before" : "after"
    const name = this.#scriptNames.add(`${asciiSlug(owner, "script")}-${kind}`)
    const exportName = exportNameOf(name)
    const { collection, lose } = this.#request
    this.#scripts.set(name, scriptText(scripts, exportName, collection.root.where))
    const file = `apis/workflow/scripts/${this.#name}/${name}.ts`
    for (const { where } of scripts) lose({ where, what: "script", reason: reasons.script(file) })
    return [{ id: this.#id(name), type: "script", script: { name, exportName } }]
  }

  #id = (name: string): string => this.#ids.add(asciiSlug(name, "block"))
}

function describe({ description }: Pick<Item, "description">): { readonly description?: string } {
  return description === undefined ? {} : { description: renderText(plainText(description), () => "") }
}

/** Returns the block's target: an operation with overrides, or a saved request. */
export const targetOf = (
  api: string,
  { target }: CarriedRequest,
  saved: { readonly resource: string; readonly instance: string } | undefined,
): Block<"request">["request"] => ({ api, ...target, ...saved }) as Block<"request">["request"]
