// Generates type declarations for the scripts of a workflow: a version of `@callsheet/sdk` for that workflow.

import {
  type Block,
  getOrCreate,
  hasTokens,
  type LoopBlock,
  parseTemplateOnce,
  type ReadableWorkflow,
  INBOX,
  readableApis,
  walkBlocks,
} from "@callsheet/format"
import { HOLE, mayMeet, patternOf } from "../names/name-pattern.ts"
import type { ApiSource } from "../requests/target.ts"
import { leavesResult } from "../scope/rules.ts"
import { ResultsText } from "./results-text.ts"
import {
  areMany,
  type ContextName,
  contextNames,
  type ScriptCall,
  scriptCalls,
  scriptsGround,
  type ScriptsGround,
  type ScriptsRequest,
} from "./scripts-ground.ts"
import {
  propertyName,
  quoteLiteral,
  templateType,
  type TypeBounds,
  createTypeNames,
  TypeTexts,
} from "./type-texts.ts"
import type { NameMeaning } from "../types/static-scope.ts"

export interface ScriptTypesRequest extends ScriptsRequest {
  /** The names of the workflow's script files, without `.ts`. */
  readonly scriptNames: readonly string[]
  readonly sdk: string
  readonly scriptsFolder: string
  readonly bounds?: TypeBounds
}

/** Returns the declarations, or undefined if the workflow file can't be read. */
export function scriptTypes(request: ScriptTypesRequest): string | undefined {
  const ground = scriptsGround(request)
  return ground === undefined ? undefined : new ScriptTypes({ ...request, ...ground }).text()
}

const allContexts = [...contextNames, "BaseContext"]
const plainNames = ["Inputs", "Environments", "Readonly", "Record", "Extract"]
const ownNames = [...plainNames, ...allContexts, ...allContexts.map((name) => `${name}s`)]

class ScriptTypes {
  readonly #ground: ScriptTypesRequest & ScriptsGround
  readonly #takeName = createTypeNames(ownNames)
  readonly #types: TypeTexts
  readonly #results: ResultsText
  /** The type names by declaration, so that equal declarations share a name. */
  readonly #shared = new Map<string, string>()
  readonly #openResults: readonly string[]

  constructor(ground: ScriptTypesRequest & ScriptsGround) {
    this.#ground = ground
    this.#types = new TypeTexts(this.#takeName, ground.bounds)
    this.#results = new ResultsText({ ...ground, types: this.#types, takeName: this.#takeName })
    this.#openResults = this.#describeOpenResults()
  }

  text(): string {
    const { sdk, file, readable, apis } = this.#ground
    const inputs = inputsText(this.#ground, this.#types)
    const environments = environmentsText(readable, apis)
    const contexts = this.#contextsText()
    return [
      `// What the scripts of ${commented(file.file)} read. Written by \`callsheet types\`: changes are lost.\n\n`,
      `import type * as sdk from ${quoteLiteral(sdk)}\n`,
      `export type * from ${quoteLiteral(sdk)}\n\n`,
      contexts,
      `type Inputs = ${inputs}\n\n`,
      `type Environments = ${environments}\n\n`,
      [...this.#shared].map(([text, name]) => `type ${name} = ${text}\n`).join(""),
      this.#results.declarations(),
      "\n",
      this.#types.declarations(),
    ].join("")
  }

  #contextsText(): string {
    const calls = scriptCalls(this.#ground.readable)
    const isMany = areMany(calls.length, this.#ground.scope.results.size)
    const anywhere = (): string => this.#placeName(this.#anywhereText(), undefined)
    const placed = calls.map((call) => ({
      call,
      place: isMany ? anywhere() : this.#placeName(this.#namesText(call), call.loop),
    }))
    const contexts = [
      ...contextNames.map((name) => [name, placed.filter(({ call }) => call.context === name)] as const),
      ["BaseContext", placed] as const,
    ]
    // No block calls the function yet, so assume that any could.
    return contexts
      .map(([name, own]) =>
        contextText(name, own, own.length === 0 ? anywhere() : union(own.map(({ place }) => place))),
      )
      .join("")
  }

  #placeName(names: string, loop: LoopBlock | undefined): string {
    const item = loop === undefined ? "unknown" : this.#itemText(loop)
    return this.#share(
      `{ readonly names: ${this.#share(names, "names")}; readonly environments: Environments; readonly item: ${item} }`,
      "place",
    )
  }

  #share(text: string, preferredName: string): string {
    return getOrCreate(this.#shared, text, () => this.#takeName(preferredName))
  }

  #namesText({ reading }: ScriptCall): string {
    const present: string[] = []
    const absent: string[] = []
    const { names, scope } = this.#ground
    for (const name of names) {
      const meaning = scope.meaningOf(name, reading)
      if (meaning?.is === "absent") absent.push(`${propertyName(name)}: ${quoteLiteral(meaning.reason)}`)
      else if (meaning !== undefined) present.push(this.#memberText(name, meaning))
    }
    return this.#membersText(present, absent, names)
  }

  /**
   * Writes every name that a script can read anywhere. Results and iterators are optional, because some calls can't
   * read them.
   */
  #anywhereText(): string {
    const { names, scope, readable } = this.#ground
    const members = [...names].map((name) => {
      const block = scope.results.get(name)
      if (scope.iterators.has(name)) return `${propertyName(name)}?: unknown`
      if (Object.hasOwn(readable.workflow.inputs ?? {}, name)) return this.#memberText(name, { is: "input" })
      if (block === undefined) return `${propertyName(name)}?: unknown`
      return this.#memberText(name, { is: "result", block, isCertain: false })
    })
    return this.#membersText(members, [], names)
  }

  #membersText(present: readonly string[], absent: readonly string[], names: ReadonlySet<string>): string {
    const members = [...present, ...this.#openResults]
    if (!names.has("env")) members.push("env: Environments")
    // The unreadable parts of the file may define more names.
    if (!this.#ground.readable.isComplete) members.push("[name: string]: unknown")
    const text = `{\n${members.map((member) => `  ${member}\n`).join("")}}`
    if (absent.length === 0) return text
    return `${text} & sdk.Absent<{\n${absent.map((member) => `  ${member}\n`).join("")}}>`
  }

  #memberText(name: string, meaning: Exclude<NameMeaning, { is: "absent" }>): string {
    switch (meaning.is) {
      case "iterator":
        return `${propertyName(name)}: ${this.#itemText(meaning.loop)}`
      case "input":
        return `${propertyName(name)}: Inputs[${quoteLiteral(name)}]`
      case "result":
        return `${propertyName(name)}${meaning.isCertain ? "" : "?"}: ${this.#results.nameOf(meaning.block)}`
    }
  }

  #itemText(loop: LoopBlock): string {
    return this.#types.text(this.#ground.scope.iterationType(loop), `${loop.id} item`)
  }

  /**
   * Writes results with ids from loops, such as `ship-{{i}}`. If a name matches several patterns, its type is
   * `unknown`.
   */
  #describeOpenResults(): readonly string[] {
    const open: { readonly block: Block; readonly pattern: string }[] = []
    for (const { block } of walkBlocks(this.#ground.readable.workflow.blocks)) {
      const template = parseTemplateOnce(block.id)
      if (!leavesResult(block) || !template.ok || !template.hasTokens) continue
      // Merges adjacent holes.
      open.push({ block, pattern: patternOf(template.parts).replaceAll(/\0+/g, HOLE) })
    }
    const names = [...this.#ground.names, "env"]
    const members = new Map<string, string>()
    for (const { block, pattern } of open.slice(0, MAX_OPEN)) {
      const isAlone =
        open.length <= MAX_OPEN &&
        this.#ground.readable.isComplete &&
        !open.some((other) => other.block !== block && mayMeet(other.pattern, pattern)) &&
        !names.some((name) => mayMeet(name, pattern))
      const type = isAlone ? `${this.#results.nameOf(block)} | undefined` : "unknown"
      members.set(templateType(pattern.split(HOLE)), type)
    }
    return [...members].map(([name, type]) => `[name: ${name}]: ${type}`)
  }
}

const MAX_OPEN = 100

function contextText(
  context: ContextName | "BaseContext",
  placed: readonly { readonly call: ScriptCall; readonly place: string }[],
  all: string,
): string {
  const byExport = new Map<string, Set<string>>()
  for (const { call, place } of placed) {
    const { exportName } = call.script
    if (hasTokens(exportName)) continue
    getOrCreate(byExport, exportName, () => new Set()).add(place)
  }
  const scripts = [...byExport].map(
    ([name, places]) => `  ${propertyName(name)}: ${[...places].join(" | ")}\n`,
  )
  return [
    `interface ${context}s ${members(scripts)}\n`,
    `export type ${context}<Script extends keyof ${context}s | object = never> = [Script] extends [never]\n`,
    `  ? sdk.${context}<Inputs, ${all}>\n`,
    `  : [Script] extends [keyof ${context}s]\n`,
    `    ? sdk.${context}<Inputs, ${context}s[Script]>\n`,
    `    : sdk.${context}<Extract<Script, object>, ${all}>\n\n`,
  ].join("")
}

const union = (texts: readonly string[]): string => [...new Set(texts)].join(" | ")

/** Replaces line breaks, which would end a comment. */
const commented = (text: string): string => text.replaceAll(/[\r\n\u2028\u2029]/g, " ")

/** Writes the inputs. An input is optional if it isn't required and doesn't have a default. */
function inputsText({ readable, scope }: ScriptsGround, types: TypeTexts): string {
  const lines = Object.entries(readable.workflow.inputs ?? {}).map(([name, input]) => {
    const isCertain = input.required === true || input.default !== undefined
    const type = types.text(scope.inputType(name), `input ${name}`)
    return `  readonly ${propertyName(name)}${isCertain ? "" : "?"}: ${type}\n`
  })
  return members(lines)
}

/** Writes the environments. If a schema is unreadable, any variable is allowed. Optional variables may be undefined. */
function environmentsText({ workflow }: ReadableWorkflow, apis: ReadonlyMap<string, ApiSource>): string {
  const lines = readableApis(workflow.blocks, apis.get(INBOX)?.api).map(
    (api) => `  readonly ${propertyName(api)}: ${variablesText(apis.get(api))}\n`,
  )
  return members(lines)
}

function variablesText(source: ApiSource | undefined): string {
  const { declared, variables } = source?.api.environments ?? {}
  if (declared === undefined) return "Readonly<Record<string, sdk.VariableValue>>"
  const all = [...declared].map((name) => {
    const { type, required } = variables?.get(name) ?? {}
    return `readonly ${propertyName(name)}${required === true ? "" : "?"}: ${type ?? "sdk.VariableValue"}`
  })
  return all.length === 0 ? "{}" : `{ ${all.join("; ")} }`
}

const members = (lines: readonly string[]): string => (lines.length === 0 ? "{}" : `{\n${lines.join("")}}`)
