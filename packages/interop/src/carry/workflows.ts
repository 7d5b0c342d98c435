// Builds the planned workflows, with nested folders as groups.

import {
  formatPath,
  getOrCreate,
  setOwn,
  stringifyJson,
  walkBlocks,
  type Assertion,
  type Block,
  type InputDeclaration,
  type JsonValue,
  type Workflow,
  unicodeSlug,
  UniqueNames,
} from "@callsheet/format"
import { reasons } from "../messages.ts"
import type { Folder, Item, Loss, Request, Retry } from "../model.ts"
import type { Check, ResponsePath } from "../scripts/checks.ts"
import { plainText, type Text } from "../text.ts"
import { carryRequest, type CarriedRequest } from "./carry-request.ts"
import { describeItem } from "./describe-item.ts"
import { mapKeys, mapStrings } from "./json-body.ts"
import { isForeignText } from "./names.ts"
import { hasRequests, MAX_BLOCKS, planWorkflows, type PlannedWorkflow, type Sizes } from "./plan-workflows.ts"
import type { CarriedApi, Names } from "./read-names.ts"
import { addUses, renderText, renderValue } from "./render.ts"
import { ScriptBlocks } from "./script-blocks.ts"
import type { ScriptFiles } from "./script-files.ts"
import type { Place, Secrets } from "./secrets.ts"
import { flowsByReader, PassedValues, type PassedInput } from "./suites.ts"

export interface BuiltWorkflow extends PlannedWorkflow {
  readonly workflow: Workflow
  /** The requests that its blocks send. */
  readonly requests: readonly CarriedRequest[]
  /** The number of blocks by item. */
  readonly sizes: Sizes
  /** The inputs whose values are from earlier workflows of the suite. */
  readonly passed: readonly PassedInput[]
  readonly losses: readonly Loss[]
}

/** Builds the workflows. With the sizes of a first time, splits those that have too many blocks. */
export function buildWorkflows(names: Names, files: ScriptFiles, sizes?: Sizes): readonly BuiltWorkflow[] {
  const bySuite = new Map<string, PassedValues>()
  const reading = flowsByReader(names.flows)
  return planWorkflows(names, sizes).map((plan) => {
    const { suite } = plan
    const values = suite && getOrCreate(bySuite, suite.name, () => new PassedValues(names, reading))
    const builder = new WorkflowBuilder({ plan, names, files, passed: values?.inputsOf(plan) ?? [] })
    const built = builder.build()
    values?.add(plan.name, builder.results)
    return built
  })
}

/** Returns the number of blocks of each item, if a workflow has too many. The workflows of Arazzo are those of the source. */
export function sizesToSplit(names: Names, workflows: readonly BuiltWorkflow[]): Sizes | undefined {
  const isLarge = workflows.some(({ workflow }) => countBlocks(workflow.blocks) > MAX_BLOCKS)
  return isLarge && names.collection.source !== "arazzo"
    ? new Map(workflows.flatMap(({ sizes }) => [...sizes]))
    : undefined
}

const countBlocks = (blocks: readonly Block[]): number => [...walkBlocks(blocks)].length

interface WorkflowRequest {
  readonly plan: PlannedWorkflow
  readonly names: Names
  readonly files: ScriptFiles
  readonly passed: readonly PassedInput[]
}

class WorkflowBuilder {
  readonly #plan: PlannedWorkflow
  readonly #names: Names
  readonly #passed: readonly PassedInput[]
  readonly #sizes = new Map<Item, number>()
  readonly #ids: UniqueNames
  readonly #scripts: ScriptBlocks
  readonly #results = new Map<string, string>()
  readonly #requests: CarriedRequest[] = []
  readonly #losses: Loss[] = []
  /** The requests by their places, with the ids of their blocks. */
  readonly #sent = new Map<string, { readonly request: Request; readonly id: string }>()

  /** A variable would hide a block with the same id. */
  constructor({ plan, names, files, passed }: WorkflowRequest) {
    this.#plan = plan
    this.#names = names
    this.#passed = passed
    for (const { variable, bodyReadAt: where } of passed)
      if (where !== undefined)
        this.#losses.push({ where, what: `variable ${variable}`, reason: reasons.passedBody() })
    this.#ids = new UniqueNames({ taken: [...names.variables.names, "env"] })
    this.#scripts = new ScriptBlocks({
      names,
      files,
      workflow: plan.name,
      ids: this.#ids,
      results: this.#results,
      losses: this.#losses,
      assertion: (check, request, id) => this.#assertion(check, request, id),
    })
  }

  build(): BuiltWorkflow {
    const { items, folders } = this.#plan
    const { outputs = new Map(), where = "" } = folders.at(-1) ?? {}
    const inputs = this.#inputs(folders.at(-1))
    const inner = this.#blocks(items)
    // Scripts of folders run only if a request does.
    const own =
      inner.length === 0
        ? []
        : [
            ...folders.flatMap((folder) => this.#scripts.todo(folder, "before")),
            ...this.#named(inner),
            ...folders.toReversed().flatMap((folder) => this.#scripts.todo(folder, "after")),
          ]
    const blocks = [...own, ...this.#outputs(outputs, where)]
    return {
      ...this.#plan,
      workflow: {
        version: 1,
        ...(inputs.length > 0 ? { inputs: Object.fromEntries(inputs) } : {}),
        ...(this.#isStrict ? {} : { onFailure: "continue" }),
        blocks,
      },
      requests: this.#requests,
      sizes: this.#sizes,
      passed: this.#passed,
      losses: this.#losses,
    }
  }

  /** A workflow can't have letters of all alphabets in its name, so a group has that of the folder. */
  #named(blocks: readonly Block[]): readonly Block[] {
    const [, folder] = this.#plan.folders
    const named = this.#plan.folders.at(-1)
    if (folder === undefined || named === undefined || !isForeignText(named.name)) return blocks
    const id = this.#id(named)
    return [{ id, type: "group", ...this.#describe(named, id), blocks }]
  }

  /** The paths of the values that its requests set, by variable. */
  get results(): ReadonlyMap<string, string> {
    const given = new Map(this.#passed.map(({ variable, name }) => [variable, name]))
    return new Map([...this.#results].filter(([variable, path]) => given.get(variable) !== path))
  }

  /** Declares the inputs of the folder, and those whose values are from earlier workflows. */
  #inputs(folder: Folder | undefined): readonly (readonly [string, InputDeclaration])[] {
    const { inputs = {}, values = new Map(), where = "" } = folder ?? {}
    const { secrets } = this.#names
    const place = { where, what: "input" }
    for (const [variable, path] of values) this.#results.set(variable, secrets.name(path, place))
    for (const { variable, name } of this.#passed) this.#results.set(variable, name)
    const declared = [
      ...Object.entries(inputs).map(
        ([name, input]) => [secrets.name(name, place), withoutSecrets(input, secrets, place)] as const,
      ),
      ...this.#passed.map(({ name, declaration }) => [name, declaration] as const),
    ]
    for (const [input] of declared) this.#ids.add(unicodeSlug(input, "block"))
    return declared
  }

  /** True if a failed check stops the run. In other sources, a failed test doesn't. */
  get #isStrict(): boolean {
    return this.#names.collection.source === "arazzo"
  }

  /** Returns a block with the results of the workflow. */
  #outputs(outputs: ReadonlyMap<string, string>, where: string): readonly Block[] {
    const transforms: Record<string, string> = {}
    for (const [output, variable] of outputs) {
      const path = this.#results.get(variable)
      if (path === undefined)
        this.#losses.push({ where, what: `output ${output}`, reason: reasons.expression() })
      else setOwn(transforms, this.#names.secrets.variableName(output, { where, what: `output` }), path)
    }
    return Object.keys(transforms).length > 0
      ? [{ id: this.#ids.add("outputs"), type: "transform", transforms }]
      : []
  }

  #blocks(items: readonly Item[]): readonly Block[] {
    return items.flatMap((item) => {
      const blocks = item.kind === "folder" ? this.#folderBlocks(item) : this.#requestBlocks(item)
      this.#sizes.set(item, countBlocks(blocks))
      return blocks
    })
  }

  #folderBlocks(folder: Folder): readonly Block[] {
    if (!hasRequests(folder.items)) return []
    const id = this.#id(folder)
    const condition = this.#condition(folder)
    const inner = this.#blocks(folder.items)
    // All of its requests are lost.
    if (inner.length === 0) return []
    const blocks = [...this.#scripts.todo(folder, "before"), ...inner, ...this.#scripts.todo(folder, "after")]
    if (condition === undefined) return [{ id, type: "group", ...this.#describe(folder, id), blocks }]
    const branches = folder.condition?.isNegated === true ? { then: [], else: blocks } : { then: blocks }
    return [{ id, type: "condition", if: condition, ...branches }]
  }

  #condition({ condition, where }: Folder): Assertion | undefined {
    if (condition === undefined) return undefined
    const sent = this.#sent.get(condition.after)
    const [check] = sent === undefined ? [] : this.#assertion(condition.check, sent.request, sent.id)
    if (check === undefined) this.#losses.push({ where, what: "onSuccess", reason: reasons.expression() })
    return check
  }

  #requestBlocks(request: Request): readonly Block[] {
    const id = this.#id(request)
    const before = this.#scripts.before(request, id)
    const carried = carryRequest(this.#names, request, this.#results)
    if (carried === undefined) return []
    this.#requests.push(carried)
    this.#losses.push(...carried.losses)
    this.#sent.set(request.where, { request, id })
    return [
      ...before,
      this.#repeat({ id, type: "request", ...this.#describe(request, id), request: carried.target }, request),
      ...this.#convertSteps(request, id),
      ...this.#scripts.todo(request, "after"),
    ]
  }

  /** Puts a block in a loop if its request is repeated until its response passes checks. */
  #repeat(block: Block<"request">, request: Request): Block {
    const { retry } = request
    const checks = (retry?.until ?? []).flatMap((check) => this.#assertion(check, request, block.id))
    if (retry === undefined || checks.length === 0) return block
    return { id: this.#ids.add(`${block.id}-retry`), type: "loop", ...this.#polling(block, checks, retry) }
  }

  /** A loop has a single condition, so nested conditions set a value once all checks pass. */
  #polling(block: Block<"request">, checks: readonly Assertion[], { maxRequests, delayMs }: Retry) {
    const limits = { mode: "until", maxIterations: maxRequests, delayMs } as const
    const [first, ...others] = checks
    if (first !== undefined && others.length === 0) return { ...limits, until: first, blocks: [block] }
    const id = this.#ids.add(`${block.id}-ready`)
    const status = formatPath([block.id, "response", "status"])
    const ready: Block = { id, type: "transform", transforms: { status } }
    const nested = checks.reduceRight<Block>(
      (inner, check) => ({
        id: this.#ids.add(`${block.id}-if`),
        type: "condition",
        if: check,
        then: [inner],
      }),
      ready,
    )
    const until: Assertion = { source: `${id}.status`, operator: "exists" }
    return { ...limits, until, blocks: [block, nested] }
  }

  /** Converts what a request and the scripts after it check and set. */
  #convertSteps(request: Request, id: string): readonly Block[] {
    const { values, tests } = this.#scripts.after(request, id)
    // A step has results only if its criteria are met.
    return this.#isStrict ? [...tests, ...values] : [...values, ...tests]
  }

  #assertion(
    { variable, source, operator, value }: Check,
    request: Request,
    id: string,
  ): readonly Assertion[] {
    const start = variable === undefined ? formatPath([id, "response"]) : this.#results.get(variable)
    if (start === undefined) {
      this.#losses.push({
        where: request.where,
        what: `check of ${variable ?? ""}`,
        reason: reasons.expression(),
      })
      return []
    }
    const api = this.#names.apiOf.get(request)
    const written =
      value === undefined
        ? {}
        : { value: mapStrings(this.#keys(value, request), (text) => this.#render(text, request, api)) }
    const own = this.#source(source, { where: request.where, what: "check" })
    const path = own.length === 0 ? start : `${start}.${formatPath(own)}`
    return [{ source: path, operator, ...written } as Assertion]
  }

  /** Writes a text of a check as a template. */
  #render(text: Text, { where }: Request, api: CarriedApi | undefined): string {
    if (api === undefined) return ""
    const context = { names: this.#names, api, where, results: this.#results, losses: this.#losses }
    const rendered = renderValue(text, { ...context, prefix: `env.${api.name}.` })
    addUses({ rendered }, api)
    return rendered
  }

  #id = ({ name, where }: Item): string =>
    this.#ids.add(this.#names.secrets.unicodeSlug(name, "block", { where, what: "name" }))

  #keys = (value: JsonValue, { where }: Request): JsonValue =>
    mapKeys(value, (key) => this.#names.secrets.name(key, { where, what: "check" }))

  #source = (source: ResponsePath, place: Place): ResponsePath =>
    source.map((key) => this.#names.secrets.name(key, place))

  #prose = (text: string, place: Place): string =>
    renderText(plainText(this.#names.secrets.prose(text, place)), () => "")

  #describe(item: Item, id: string): { readonly description?: string } {
    const text = describeItem(item, id)
    return text === undefined
      ? {}
      : { description: this.#prose(text, { where: item.where, what: "description" }) }
  }
}

/** Returns the declaration of an input. A default that is a secret is left out. */
function withoutSecrets(input: InputDeclaration, secrets: Secrets, place: Place): InputDeclaration {
  const { default: fallback, description, ...others } = input
  const written = fallback === undefined ? "" : stringifyJson(fallback)
  const isSecret = secrets.has(typeof fallback === "string" ? fallback : written)
  if (isSecret) secrets.prose(written, { ...place, what: "default of an input" })
  return {
    ...others,
    ...(fallback === undefined || isSecret ? {} : { default: fallback }),
    ...(description === undefined ? {} : { description: secrets.prose(description, place) }),
  }
}
