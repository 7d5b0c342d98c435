// Checks the types of scripts. The compiler is code of the project, so it runs only if the user allows it.

import { PrivateFolder, projectKey } from "@callsheet/engine"
import {
  createOffsetFinder,
  problemsAtOffsets,
  shapes,
  type LineColumn,
  type Problem,
  type SourceFile,
} from "@callsheet/format"
import type { ScriptId, TypeChecksView } from "../calls/index.ts"
import { text } from "../calls/names.ts"
import type { FileContext } from "../files/file-context.ts"
import type { HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import { findCompiler } from "./find-compiler.ts"
import { completionsAt, findTypeErrors, meaningAt } from "./script-answers.ts"
import { createTypeService, type Program, type Reply } from "./type-service.ts"

const { object, required, version } = shapes

const allowedShape = object({
  version: required(version, "The format of the file."),
  compiler: required(text, "The compiler's file, with links resolved."),
})

type Options = Pick<
  FileContext,
  "root" | "state" | "isRemote" | "drafts" | "overview" | "sources" | "typeLimitMs"
>

const LIMIT_MS = 5_000

export type TypeChecks = ReturnType<typeof createTypeChecks>

export function createTypeChecks(options: Options) {
  const { root, isRemote, overview, typeLimitMs = LIMIT_MS } = options
  const service = createTypeService(options, typeLimitMs)
  const permission = createPermission(options)
  const look = () => {
    const compiler = isRemote() ? undefined : findCompiler(root)
    const executable = compiler?.executable
    const view: TypeChecksView = isRemote()
      ? { state: "remote" }
      : compiler === undefined
        ? { state: "missing" }
        : { state: stateOf(executable, permission.read()), version: compiler.version }
    return { view, compiler }
  }
  const ask = async <T>(id: ScriptId, script: string, use: (program: Program) => Promise<T>) => {
    const { view, compiler } = look()
    if (view.state !== "on" || compiler?.executable === undefined) return undefined
    return service.ask(compiler.executable, { id, text: script }, use)
  }
  const handlers: HandlersOf<"types"> = {
    "types.read": async () => look().view,
    "types.allow": async ({ isAllowed }) => {
      permission.write(isAllowed ? look().compiler?.executable : undefined)
      if (!isAllowed) service.stop()
      return look().view
    },
    "types.complete": async ({ script, text: typed, ...place }) => {
      const reply = await ask(script, typed, (program) => completionsAt(program, offsetIn(typed, place)))
      return { names: reply?.answer ?? [] }
    },
    "types.describe": async (input) => {
      const position = offsetIn(input.text, input)
      const reply = await ask(input.script, input.text, (program) =>
        meaningAt(program, { position, entry: input.entry }),
      )
      const meaning = reply?.answer
      if (meaning === undefined) return {}
      const { masker } = await overview()
      const { type, documentation } = meaning
      return {
        meaning: { ...meaning, type: masker.text(type), documentation: masker.text(documentation) },
      }
    },
  }
  return {
    handlers,
    /** Returns the type errors of a script. Empty if types aren't checked. */
    problemsOf: async (id: ScriptId, source: SourceFile): Promise<readonly Problem[]> => {
      const reply = await ask(id, source.text, findTypeErrors)
      return reply === undefined
        ? []
        : problemsIn(source, reply, { version: look().view.version ?? "", typeLimitMs })
    },
    close: service.stop,
  }
}

const offsetIn = (script: string, place: LineColumn): number => createOffsetFinder(script)(place)

const stateOf = (executable: string | undefined, allowed: string | undefined): TypeChecksView["state"] =>
  executable === undefined ? "old" : allowed === executable ? "on" : "off"

function problemsIn(
  source: SourceFile,
  { is, answer }: Reply<Awaited<ReturnType<typeof findTypeErrors>>>,
  compiler: { readonly version: string; readonly typeLimitMs: number },
): readonly Problem[] {
  if (is === "answer") {
    const errors = answer.map((error) => ({ code: "script-type", ...error }) as const)
    return problemsAtOffsets(source, errors)
  }
  const { late, failed } = messages["script-type"]
  const message = is === "late" ? late(compiler.typeLimitMs / 1000) : failed(compiler.version)
  return problemsAtOffsets(source, [{ ...message, severity: "warning", offset: 0 }])
}

/** Remembers which compiler the user allowed. If it can't be written to disk, it lasts until the app stops. */
function createPermission({ root, state }: Pick<Options, "root" | "state">) {
  const folder = new PrivateFolder(state, "compilers")
  const name = `${projectKey(root)}.json`
  let known: string | undefined
  return {
    read: (): string | undefined => (known ??= folder.readJson(name, allowedShape)?.compiler),
    write: (compiler: string | undefined): void => {
      known = compiler
      if (compiler === undefined) folder.remove(name)
      else folder.write(name, `${JSON.stringify({ version: 1, compiler })}\n`)
    },
  }
}
