// The files of translated scripts: one per script of the source. A script of a collection or a folder that runs in several
// workflows is written once, and each of them imports it.

import { getOrCreate, UniqueNames } from "@callsheet/format"
import { commentText, identifierCode, joinCode } from "../export/code.ts"
import { js, jsString, type Js } from "../export/js-code.ts"
import { reasons } from "../messages.ts"
import type { Item, Loss, Script } from "../model.ts"
import { convertScript } from "../scripts/convert-script.ts"
import type { HelperName, Line } from "../scripts/draft.ts"
import { holesIn } from "../scripts/draft.ts"
import { writeLines, type DraftContext } from "./code-places.ts"
import { camelCase } from "./names.ts"
import type { Names } from "./read-names.ts"
import { todoLines, placeIn } from "./scripts.ts"

export type ContextName =
  | "AssertContext"
  | "ConditionContext"
  | "TransformContext"
  | "ScriptContext"
  | "BaseContext"

/** A function of a script's file. */
interface WrittenFunction {
  readonly name: string
  readonly context: ContextName
  readonly lines: readonly Js[]
  /** True if the caller passes the response and variables. */
  readonly takesGiven: boolean
}

/** A function of a workflow that calls one that several places share. */
interface Caller {
  readonly name: string
  readonly context: ContextName
  readonly calls: string
  readonly given: Js
}

/** The functions of a script that one workflow calls. */
interface Use {
  readonly name: string
  readonly callers: Map<string, Caller>
  /** The functions that blocks call without a caller between. */
  readonly direct: Set<string>
}

interface FunctionRequest {
  readonly name: string
  readonly context: ContextName
  readonly code: readonly Line[]
  readonly draft: DraftContext
  readonly takesGiven: boolean
  readonly outputs?: { readonly kept: Js } | undefined
}

/** The file of the scripts of an item that run before, or after, its requests. */
export class ScriptFile {
  readonly uses = new Map<string, Use>()
  readonly #functions: WrittenFunction[] = []
  readonly #helpers = new Set<HelperName>()
  readonly #functionNames = new UniqueNames({ separator: "_", isAllowed: (name) => !unusable.has(name) })
  readonly #names: Names
  readonly #scripts: readonly Script[]
  readonly #lost = new Set<Script>()
  readonly #cores = new Map<readonly Line[], string | undefined>()
  #todo: string | undefined

  constructor(names: Names, scripts: readonly Script[]) {
    this.#names = names
    this.#scripts = scripts
  }

  get scripts(): readonly Script[] {
    return this.#scripts
  }

  /** The scripts with a part that isn't translated. */
  get lost(): readonly Script[] {
    return this.#scripts.filter((script) => this.#lost.has(script) || !convertScript(script).isWhole)
  }

  /** Marks a script of which a part couldn't be written. */
  lose(script: Script): void {
    this.#lost.add(script)
  }

  nameFor = (wanted: string): string =>
    this.#functionNames.add(camelCase(wanted).slice(0, 60).replaceAll("-", "_"))

  /** Adds a function. Returns false if it would contain a secret. */
  add({ name, context, code, draft, takesGiven, outputs }: FunctionRequest): boolean {
    const lines = [
      ...(outputs === undefined ? [] : [js`  const outputs: Record<string, any> = ${outputs.kept}`]),
      ...writeLines(code, 1, draft),
      ...(outputs === undefined ? [] : [js`  return outputs`]),
    ]
    if (this.#names.secrets.has(lines.join("\n"))) return false
    for (const hole of holesIn(code)) if (hole.is === "helper") this.#helpers.add(hole.helper)
    this.#functions.push({ name, context, lines, takesGiven })
    return true
  }

  /** Returns the name of the function with code that several places share. Writes it once. */
  coreOf(code: readonly Line[], write: () => string | undefined): string | undefined {
    if (!this.#cores.has(code)) this.#cores.set(code, write())
    return this.#cores.get(code)
  }

  /** Returns the name of the function that skips the block, for what isn't translated. */
  todo(wanted: string): string {
    return (this.#todo ??= this.nameFor(wanted))
  }

  /** Returns the text of the file with the functions. */
  text(use: Use | undefined): string {
    const callers = [...(use?.callers.values() ?? [])]
    const contexts = new Set([...this.#functions, ...callers].map(({ context }) => context))
    if (this.#todo !== undefined) contexts.add("ScriptContext")
    const functions = [...this.#functions.map(functionText), ...callers.map((caller) => callerText(caller))]
    const reader = readerOf(functions, contexts)
    const helpers = [...reader, ...[...this.#helpers].toSorted().map((name) => helperCodes[name])]
    return [
      importText(contexts),
      "",
      ...this.#comment(),
      ...joined([...functions, ...this.#todoText(), ...helpers]),
      "",
    ].join("\n")
  }

  /** Returns the text of a workflow's file that imports the functions. */
  importingText(use: Use, from: string): string {
    const callers = [...use.callers.values()]
    const called = [...new Set(callers.map(({ calls }) => calls))].toSorted()
    const contexts = new Set(callers.map(({ context }) => context))
    const path = jsString(from)
    const own = callers.map((caller) => callerText({ ...caller, calls: sharedName(caller.calls) }))
    const reader = readerOf(own, contexts)
    return [
      ...(callers.length > 0
        ? [
            importText(contexts),
            js`import { ${namesCode(called.map((name) => [name, sharedName(name)]))} } from ${path}`,
            "",
          ]
        : []),
      ...(use.direct.size > 0
        ? [
            js`export { ${namesCode([...use.direct].toSorted().map((name) => [name, name]))} } from ${path}`,
            "",
          ]
        : []),
      ...joined([...own, ...reader]),
      ...(callers.length > 0 ? [""] : []),
    ].join("\n")
  }

  #comment(): readonly Js[] {
    if (this.#functions.length === 0) return []
    const { secrets, collection } = this.#names
    const places = this.#scripts.map(({ where }) =>
      secrets.prose(placeIn(where, collection.root.where), { where, what: "name" }),
    )
    return [...new Set(places)].map((place) => js`// From ${commentText(place)}.`).concat(js``)
  }

  #todoText(): readonly string[] {
    const name = this.#todo
    if (name === undefined) return []
    const { secrets, collection } = this.#names
    const originals = this.lost.map((script) => ({
      code: secrets.prose(script.madeOf?.code ?? script.code, { where: script.where, what: "script" }),
      place: secrets.prose(placeIn(script.where, collection.root.where), {
        where: script.where,
        what: "name",
      }),
      untranslated: convertScript(script).untranslated.map(({ test, what }) =>
        secrets.prose(test === undefined || test === "" ? what : `${what}, in ${test}`),
      ),
    }))
    return [todoLines(originals, { name, isPart: this.#functions.length > 0 }).join("\n")]
  }
}

/** Names that a function can't have, or that would hide what the code uses. */
const unusable = new Set(
  `ctx given outputs own sizeOf textOf read break case catch class const continue debugger default delete do else enum export
  extends false finally for function if import in instanceof new null return super switch this throw true try typeof var
  void while with yield let static await implements interface package private protected public arguments eval undefined
  object array json math number string boolean date set map error regexp crypto infinity nan parseint parsefloat isnan
  isfinite encodeuricomponent decodeuricomponent btoa atob any symbol`.split(/\s+/),
)

const contextCodes: Readonly<Record<ContextName, Js>> = {
  AssertContext: js`AssertContext`,
  ConditionContext: js`ConditionContext`,
  TransformContext: js`TransformContext`,
  ScriptContext: js`ScriptContext`,
  BaseContext: js`BaseContext`,
}

const helperCodes: Readonly<Record<HelperName, Js>> = {
  own: js`/** Reads a member by a name that is computed. */
const own = (value: any, key: PropertyKey): any => (Object.hasOwn(value, key) ? value[key] : undefined)`,
  sizeOf: js`/** The number of characters, items or members. Undefined for other values. */
const sizeOf = (value: any): number | undefined =>
  typeof value === "string" || (typeof value === "object" && value !== null) ? Object.keys(value).length : undefined`,
  textOf: js`/** The text of a body, without blanks between the parts of JSON. */
const textOf = (body: any): string => {
  if (typeof body === "string" || body === undefined) return body ?? ""
  return JSON.stringify(body, (_key, value) => (typeof value === "bigint" ? String(value) : value))
}`,
}

/** Returns the function that reads values, if code calls it. */
function readerOf(functions: readonly Js[], contexts: Set<ContextName>): readonly Js[] {
  if (!functions.some((text) => text.includes("read(ctx, "))) return []
  contexts.add("BaseContext")
  return [readerCode]
}

const readerCode = js`/** Reads a value, whatever its type is. */
const read = (ctx: BaseContext, path: string): any => ctx.get(path)`

const importText = (contexts: ReadonlySet<ContextName>): Js =>
  js`import type { ${joinCode(
    [...contexts].toSorted().map((context) => contextCodes[context]),
    ", ",
  )} } from "@callsheet/sdk"`

const functionText = ({ name, context, lines, takesGiven }: WrittenFunction): Js => {
  const parameters = takesGiven
    ? js`ctx: ${contextCodes[context]}, given: any`
    : js`ctx: ${contextCodes[context]}`
  return joinCode([js`export function ${identifierCode(name)}(${parameters}) {`, ...lines, js`}`], "\n")
}

const callerText = ({ name, context, calls, given }: Caller): Js => {
  const call = js`${identifierCode(calls)}(ctx, ${given})`
  return js`export const ${identifierCode(name)} = (ctx: ${contextCodes[context]}) => ${call}`
}

const sharedName = (name: string): string => `shared_${name}`

const namesCode = (names: readonly (readonly [string, string])[]): Js =>
  joinCode(
    names.map(([name, as]) =>
      name === as ? identifierCode<"js">(name) : js`${identifierCode(name)} as ${identifierCode(as)}`,
    ),
    ", ",
  )

/** Puts an empty line between the parts of a file. */
const joined = (parts: readonly string[]): readonly string[] =>
  parts.flatMap((part, at) => (at === 0 ? [part] : ["", part]))

/** Where the shared scripts are, if no workflow has this name. */
const SHARED = "shared"

/** The scripts of an import. */
export class ScriptFiles {
  readonly #names: Names
  readonly #files = new Map<Item, Map<Script["when"], ScriptFile>>()
  /** The wanted names of the files. */
  readonly #owners = new Map<ScriptFile, string>()
  readonly #paths = new Map<ScriptFile, string>()
  readonly #scriptNames = new Map<string, UniqueNames>()

  constructor(names: Names) {
    this.#names = names
  }

  /** Returns the names of the scripts of a workflow. */
  namesIn(workflow: string): UniqueNames {
    return getOrCreate(this.#scriptNames, workflow, () => new UniqueNames())
  }

  /** Returns the file of the scripts of an item. Copies of a request share theirs. */
  of(given: Item, when: Script["when"]): ScriptFile {
    const item = ("copyOf" in given ? given.copyOf : undefined) ?? given
    const files = this.#files.get(item) ?? new Map<Script["when"], ScriptFile>()
    this.#files.set(item, files)
    const known = files.get(when)
    if (known !== undefined) return known
    const file = new ScriptFile(
      this.#names,
      item.scripts.filter((script) => script.when === when),
    )
    files.set(when, file)
    this.#owners.set(file, `${this.#names.secrets.unicodeSlug(item.name, "script")}-${when}`)
    return file
  }

  /** Returns the functions that a workflow calls. Hands out the name of its file. */
  use(file: ScriptFile, workflow: string): Use {
    const known = file.uses.get(workflow)
    if (known !== undefined) return known
    const use: Use = {
      name: this.namesIn(workflow).add(this.#owners.get(file) ?? "script"),
      callers: new Map(),
      direct: new Set(),
    }
    file.uses.set(workflow, use)
    return use
  }

  /** Returns the texts of the files, by path without the directory of scripts. */
  texts(workflows: readonly string[]): ReadonlyMap<string, string> {
    const texts = new Map<string, string>()
    const shared = new UniqueNames()
    const folder = workflows.includes(SHARED) ? `${SHARED}-scripts` : SHARED
    for (const file of this.#all()) {
      const [[workflow, use] = [], ...others] = file.uses
      if (workflow === undefined || use === undefined) continue
      const isShared = others.length > 0
      const path = isShared
        ? `${folder}/${shared.add(this.#owners.get(file) ?? "script")}.ts`
        : `${workflow}/${use.name}.ts`
      this.#paths.set(file, path)
      texts.set(path, file.text(isShared ? undefined : use))
      if (!isShared) continue
      for (const [name, own] of file.uses)
        texts.set(`${name}/${own.name}.ts`, file.importingText(own, `../${path}`))
    }
    return texts
  }

  /** Returns what isn't translated. Call it after the texts are known. */
  get losses(): readonly Loss[] {
    return [...this.#paths].flatMap(([file, path]) =>
      file.lost.map(({ where }) => ({
        where,
        what: "script",
        reason: reasons.script(`apis/workflow/scripts/${path}`),
      })),
    )
  }

  *#all(): Iterable<ScriptFile> {
    for (const files of this.#files.values()) yield* files.values()
  }
}
