// Checks the types of scripts. The compiler is code of the project, so it runs only if the user allows it.

import {
  createOffsetFinder,
  problemsAtOffsets,
  type LineColumn,
  type Problem,
  type SourceFile,
} from "@callsheet/format"
import type { ScriptId, TypeChecksView } from "../calls/index.ts"
import type { FileContext } from "../files/file-context.ts"
import type { HandlersOf } from "../handlers.ts"
import { messages } from "../messages.ts"
import { createAllowedCompiler, type AllowedCompiler } from "./allowed-compiler.ts"
import { findCompiler, type InstalledCompiler } from "./find-compiler.ts"
import { completionsAt, findTypeErrors, meaningAt } from "./script-answers.ts"
import { createTypeService, type Program, type Reply } from "./type-service.ts"

type Options = Pick<
  FileContext,
  "root" | "state" | "isRemote" | "drafts" | "overview" | "sources" | "typeLimitMs"
>

const LIMIT_MS = 5_000

interface Look {
  readonly view: TypeChecksView
  /** The compiler, and the hash of its files. */
  readonly found?: { readonly installed: InstalledCompiler; readonly contents: string }
}

export type TypeChecks = ReturnType<typeof createTypeChecks>

export function createTypeChecks(options: Options) {
  const { overview, typeLimitMs = LIMIT_MS } = options
  const service = createTypeService(options, typeLimitMs)
  const allowed = createAllowedCompiler(options)
  const look = createLook(options, allowed)
  const ask = async <T>(
    id: ScriptId,
    script: string,
    use: (program: Program) => Promise<T>,
  ): Promise<Reply<T> | undefined> => {
    const { view, found } = await look()
    if (view.state !== "on" || found === undefined) {
      service.stop()
      return undefined
    }
    const compiler = await allowed.open(found.installed, found.contents)
    return compiler === undefined ? { is: "failed" } : service.ask(compiler, { id, text: script }, use)
  }
  const handlers: HandlersOf<"types"> = {
    "types.read": async () => (await look()).view,
    "types.allow": async ({ isAllowed }) => {
      allowed.allow(isAllowed ? (await look()).found?.contents : undefined)
      if (!isAllowed) service.stop()
      return (await look()).view
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
        : problemsIn(source, reply, { version: (await look()).view.version ?? "", typeLimitMs })
    },
    close: service.stop,
  }
}

const createLook =
  ({ root, isRemote }: Options, allowed: AllowedCompiler) =>
  async (): Promise<Look> => {
    if (isRemote()) return { view: { state: "remote" } }
    const compiler = findCompiler(root)
    if (compiler === undefined) return { view: { state: "missing" } }
    const { version, installed } = compiler
    const contents = installed && (await allowed.identify(installed))
    if (installed === undefined || contents === undefined) return { view: { state: "old", version } }
    const state = allowed.isAllowed(contents) ? "on" : "off"
    return { view: { state, version }, found: { installed, contents } }
  }

const offsetIn = (script: string, place: LineColumn): number => createOffsetFinder(script)(place)

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
