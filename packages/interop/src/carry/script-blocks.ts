// Turns the steps of scripts into the blocks around a request: variables before it, and variables and tests after it.

import {
  formatPath,
  setOwn,
  type Assertion,
  type Block,
  unicodeSlug,
  type UniqueNames,
} from "@callsheet/format"
import { js, type Js } from "../export/js-code.ts"
import { joinCode } from "../export/code.ts"
import { reasons } from "../messages.ts"
import type { Folder, Item, Loss, Request, Script } from "../model.ts"
import type { Check, ResponsePath, ResponseStep } from "../scripts/checks.ts"
import { convertScript } from "../scripts/convert-script.ts"
import type { Line } from "../scripts/draft.ts"
import type { BranchStep, ScriptStep, TestStep, ValuesStep } from "../scripts/steps.ts"
import { Untranslatable } from "../scripts/untranslatable.ts"
import { plainText } from "../text.ts"
import {
  draftContext,
  givenIn,
  objectKey,
  placeOfBlock,
  sharedPlace,
  type BlockPlace,
  type CodePlace,
} from "./code-places.ts"
import { isForeignName } from "./names.ts"
import type { Names } from "./read-names.ts"
import { renderText } from "./render.ts"
import type { ContextName, ScriptFile, ScriptFiles } from "./script-files.ts"
import { secretCause } from "./secret-values.ts"

interface ScriptBlocksRequest {
  readonly names: Names
  readonly files: ScriptFiles
  /** The name of the workflow. */
  readonly workflow: string
  readonly ids: UniqueNames
  readonly results: Map<string, string>
  readonly losses: Loss[]
  readonly assertion: (check: Check, request: Request, id: string) => readonly Assertion[]
}

/** A script of a request or of a folder around it, where it runs. */
interface Running {
  readonly request: Request
  readonly id: string
  readonly script: Script
  readonly owner: Item
}

interface Target {
  readonly name: string
  readonly exportName: string
}

interface CodeRequest {
  readonly wanted: string
  readonly context: ContextName
  readonly code: readonly Line[]
  /** The variables that the code sets, with those that keep their value. */
  readonly values?: ValuesStep
}

/** Where a function is written, and how it reads values. */
interface Written {
  readonly file: ScriptFile
  readonly place: CodePlace
  /** How it reads the earlier values of variables. */
  readonly kept: CodePlace
  readonly takesGiven: boolean
}

export class ScriptBlocks {
  readonly #request: ScriptBlocksRequest
  readonly #names: Names

  constructor(request: ScriptBlocksRequest) {
    this.#request = request
    this.#names = request.names
  }

  /** Returns the blocks before a request. */
  before(request: Request, id: string): readonly Block[] {
    if (!this.#names.apiOf.has(request)) return []
    const running = this.#running(request, id, "before")
    const blocks = running.flatMap((one) => [
      ...this.#values(one, "before"),
      ...convertScript(one.script).steps.flatMap((step) => this.#step(one, step)),
    ])
    return [...this.todo(request, "before"), ...blocks]
  }

  /** Returns the blocks after a request: those of variables, and those of tests. */
  after(
    request: Request,
    id: string,
  ): { readonly values: readonly Block[]; readonly tests: readonly Block[] } {
    const running = this.#running(request, id, "after")
    const steps = [
      ...(request.steps ?? []),
      ...running.flatMap(({ script }) => convertScript(script).steps.filter((step) => isPlain(step))),
    ] as readonly ResponseStep[]
    const values = [
      ...this.#transform(request, id, steps),
      ...running.flatMap((one) => this.#values(one, "values")),
    ]
    const assertions = steps.flatMap((step) =>
      step.is === "check" ? this.#request.assertion(step, request, id) : [],
    )
    const unnamed: readonly Block[] =
      assertions.length > 0 ? [{ id: this.#request.ids.add(`${id}-tests`), type: "assert", assertions }] : []
    const named = running.flatMap((one) =>
      convertScript(one.script).steps.flatMap((step) => this.#step(one, step)),
    )
    return { values, tests: [...unnamed, ...named] }
  }

  /** Returns the block for what isn't translated of the scripts of an item. It is skipped, with a warning. */
  todo(item: Folder | Request, when: Script["when"]): readonly Block[] {
    const { files, ids, workflow, losses } = this.#request
    const file = files.of(item, when)
    for (const script of file.scripts)
      if (convertScript(script).prints)
        losses.push({ where: script.where, what: "console output", reason: reasons.console() })
    if (file.lost.length === 0) return []
    const use = files.use(file, workflow)
    const exportName = file.todo(use.name)
    use.direct.add(exportName)
    const tests = file.lost.flatMap((script) =>
      convertScript(script).untranslated.flatMap(({ test }) => test || []),
    )
    const description = this.#prose([...new Set(tests)].join("; "), item.where)
    return [
      {
        id: ids.add(unicodeSlug(use.name, "block")),
        type: "script",
        ...(description === "" ? {} : { description }),
        script: { name: use.name, exportName },
      },
    ]
  }

  /** Returns the scripts that run before or after a request, in order. */
  #running(request: Request, id: string, when: Script["when"]): readonly Running[] {
    const flat = this.#names.flat.get(request)
    if (flat === undefined) return []
    const own = request.copyOf ?? request
    const owners: readonly Item[] =
      request.isSent === true ? [own] : [this.#names.collection.root, ...flat.folders, own]
    return owners.flatMap((owner) =>
      owner.scripts
        .filter((script) => script.when === when)
        .map((script) => ({ request, id, script, owner })),
    )
  }

  /** Returns the block of the variables that are places in the response. */
  #transform(request: Request, id: string, steps: readonly ResponseStep[]): readonly Block[] {
    const { results, ids } = this.#request
    const { secrets } = this.#names
    const sets = steps.flatMap((step) => (step.is === "set" ? [step] : []))
    if (sets.length === 0) return []
    const values = ids.add(`${id}-values`)
    const transforms: Record<string, string> = {}
    const place = { where: request.where, what: "script" }
    for (const { output: given, variable, source } of sets) {
      const output = secrets.variableName(given ?? variable, place)
      setOwn(transforms, output, formatPath([id, "response", ...this.#source(source, request.where)]))
      results.set(variable, `${values}.${output}`)
      if (given === undefined) this.#loseName(variable, output)
    }
    return [{ id: values, type: "transform", transforms }]
  }

  /** People look for the name of a variable that has another one here. */
  #loseName(variable: string, output: string): void {
    if (!isForeignName(variable)) return
    const { where } = this.#names.collection.root
    this.#request.losses.push({ where, what: `variable ${variable}`, reason: reasons.variableName(output) })
  }

  #source = (source: ResponsePath, where: string): ResponsePath =>
    source.map((key) => this.#names.secrets.name(key, { where, what: "script" }))

  /** Returns the blocks of the variables that code sets. */
  #values(running: Running, suffix: string): readonly Block[] {
    const { ids, results } = this.#request
    for (const { name, text } of convertScript(running.script).literals) {
      const cause = secretCause(name, text, "credential")
      if (cause !== undefined) this.#names.variables.secret({ hint: name, value: text, cause })
    }
    return convertScript(running.script).steps.flatMap((step): readonly Block[] => {
      if (step.is !== "values") return []
      const target = this.#code(running, {
        wanted: "values",
        context: "TransformContext",
        code: step.code,
        values: step,
      })
      if (target === undefined) return []
      const id = ids.add(`${running.id}-${suffix}`)
      for (const variable of step.variables) {
        const output = this.#names.secrets.variableName(variable)
        results.set(variable, formatPath([id, output]))
        this.#loseName(variable, output)
      }
      return [{ id, type: "transform", script: target }]
    })
  }

  #step(running: Running, step: ScriptStep): readonly Block[] {
    if (step.is === "test") return this.#test(running, step)
    return step.is === "branch" ? this.#branch(running, step) : []
  }

  #test(running: Running, { name, content }: TestStep): readonly Block[] {
    const { id, request } = running
    const { ids } = this.#request
    const place = { where: request.where, what: "name of a test" }
    const wanted =
      name === "" ? `${id}-tests` : `${id}-${this.#names.secrets.unicodeSlug(name, "test", place)}`
    const shown = this.#prose(name, request.where)
    const description = shown === "" ? {} : { description: shown }
    if ("checks" in content) {
      const assertions = content.checks.flatMap((check) => this.#request.assertion(check, request, id))
      return assertions.length === 0
        ? []
        : [{ id: ids.add(wanted), type: "assert", ...description, assertions }]
    }
    const named = this.#names.secrets.name(name === "" ? "tests" : name, place)
    const script = this.#code(running, { wanted: named, context: "AssertContext", code: content.code })
    return script === undefined ? [] : [{ id: ids.add(wanted), type: "assert", ...description, script }]
  }

  #branch(running: Running, { condition, then, otherwise }: BranchStep): readonly Block[] {
    const check = this.#condition(running, condition)
    const steps = (all: readonly ScriptStep[]): Block[] => [
      ...this.#checks(running, all),
      ...all.flatMap((one) => this.#step(running, one)),
    ]
    if (check === undefined) return []
    const id = this.#request.ids.add(`${running.id}-if`)
    const blocks = { then: steps(then), ...(otherwise.length > 0 ? { else: steps(otherwise) } : {}) }
    return blocks.then.length === 0 && blocks.else === undefined
      ? []
      : [{ id, type: "condition", ...check, ...blocks }]
  }

  #condition(
    running: Running,
    condition: BranchStep["condition"],
  ): { readonly if: Assertion } | { readonly script: Target } | undefined {
    if ("check" in condition) {
      const [check] = this.#request.assertion(condition.check, running.request, running.id)
      return check && { if: check }
    }
    const script = this.#code(running, {
      wanted: "condition",
      context: "ConditionContext",
      code: condition.code,
    })
    return script && { script }
  }

  /** Returns the block of assertions outside tests. */
  #checks({ request, id }: Running, steps: readonly ScriptStep[]): readonly Block[] {
    const assertions = steps.flatMap((step) =>
      step.is === "check" ? this.#request.assertion(step, request, id) : [],
    )
    return assertions.length === 0
      ? []
      : [{ id: this.#request.ids.add(`${id}-tests`), type: "assert", assertions }]
  }

  /** Writes code to the file of its script. Returns undefined if only its place shows that it can't be translated. */
  #code(running: Running, request: CodeRequest): Target | undefined {
    const { files, workflow } = this.#request
    const file = files.of(running.owner, running.script.when)
    try {
      const target = this.#write(running, file, request)
      if (target === undefined) file.lose(running.script)
      return target === undefined ? undefined : { name: files.use(file, workflow).name, exportName: target }
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error
      file.lose(running.script)
      return undefined
    }
  }

  /** Returns the name of the function. */
  #write(running: Running, file: ScriptFile, request: CodeRequest): string | undefined {
    const { files, workflow } = this.#request
    const place = this.#place(running)
    if (running.owner === running.request) {
      const kept = placeOfBlock({ ...place, losses: [] })
      const name = this.#add(running, request, { file, place: placeOfBlock(place), kept, takesGiven: false })
      if (name !== undefined) files.use(file, workflow)
      return name
    }
    const { code, context, wanted, values } = request
    const given = givenIn(code, values?.kept.filter((name) => this.#hasValue(name)) ?? [], place)
    const written = { file, place: sharedPlace, kept: sharedPlace, takesGiven: given !== undefined }
    const core = file.coreOf(code, () => this.#add(running, request, written))
    if (core === undefined) return undefined
    const use = files.use(file, workflow)
    if (given === undefined) {
      use.direct.add(core)
      return core
    }
    const key = `${core} ${given}`
    const known = use.callers.get(key)
    if (known !== undefined) return known.name
    const name = file.nameFor(`${running.id} ${wanted}`)
    use.callers.set(key, { name, context, calls: core, given })
    return name
  }

  /** Adds a function to a file. Returns its name, or undefined if it would contain a secret. */
  #add(
    { script }: Running,
    request: CodeRequest,
    { file, place, kept, takesGiven }: Written,
  ): string | undefined {
    const { code, context, wanted, values } = request
    const name = file.nameFor(wanted)
    const draft = draftContext(this.#names, script.where, place)
    const outputs = values && { kept: this.#kept(values, kept) }
    return file.add({ name, context, code, draft, takesGiven, outputs }) ? name : undefined
  }

  #place({ request, id, script }: Running): BlockPlace {
    const api = this.#names.apiOf.get(request)
    if (api === undefined) throw new Untranslatable("a request without an API")
    const { results, losses } = this.#request
    return { names: this.#names, api, where: script.where, results, id, losses }
  }

  #hasValue = (variable: string): boolean =>
    this.#request.results.has(variable) || this.#names.scope.names.includes(variable)

  /** Writes the object of outputs with the values that variables have before the script. */
  #kept({ kept }: ValuesStep, place: CodePlace): Js {
    const members = kept
      .filter((name) => this.#hasValue(name))
      .map((name) => js`${objectKey(this.#names.secrets.variableName(name))}: ${place.variable(name)}`)
    return members.length === 0 ? js`{}` : js`{ ${joinCode(members, ", ")} }`
  }

  #prose = (text: string, where: string): string =>
    renderText(plainText(this.#names.secrets.prose(text, { where, what: "script" })), () => "")
}

const isPlain = (step: ScriptStep): boolean => step.is === "check" || step.is === "set"
