// Answers questions about the types of scripts, one after the other. A question that takes too long stops the compiler,
// and the next one starts it again.

import { realpathSync } from "node:fs"
import { dirname } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import type { FoundProgram } from "@callsheet/engine"
import type { Project } from "@callsheet/format"
import type { ScriptId } from "../calls/index.ts"
import type { FileContext } from "../files/file-context.ts"
import { createCompilerFiles } from "./compiler-files.ts"
import { startCompiler, type Compiler } from "./compiler.ts"
import { createScriptTexts } from "./script-texts.ts"

const IDLE_MS = 5 * 60_000

/** A script as the compiler sees it. */
export interface Program {
  /** Asks the compiler about this version of the script. */
  readonly ask: (method: string, params: object) => Promise<unknown>
  /** The absolute path of the script. */
  readonly file: string
  readonly project: Project
  /** Returns the text of a file, as the compiler sees it. Undefined if the compiler can't read it. */
  readonly readFile: (path: string) => string | undefined
  readonly at: (file: string) => string
}

/** `late`: the question took too long. `failed`: the compiler doesn't answer as TypeScript 7 does. */
export type Reply<T> =
  | { readonly is: "answer"; readonly answer: T }
  | { readonly is: "late" | "failed"; readonly answer?: undefined }

interface Running {
  readonly executable: FoundProgram
  readonly compiler: Compiler
  readonly texts: Map<string, string>
  readonly readFile: (path: string) => string | undefined
  project: Project | undefined
  snapshot: number | undefined
}

type Context = Pick<FileContext, "root" | "drafts" | "overview" | "sources">

export function createTypeService(context: Context, limitMs: number) {
  let running: Running | undefined
  /** Kept between questions, because it remembers the types of each workflow. */
  let known: { readonly root: string; readonly texts: ReturnType<typeof createScriptTexts> } | undefined
  let queue: Promise<unknown> = Promise.resolve()
  let idle: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearTimeout(idle)
    running?.compiler.stop()
    running = undefined
  }
  const answer = async <T>(
    executable: FoundProgram,
    { id, text }: Question,
    use: (program: Program) => Promise<T>,
  ): Promise<Reply<T>> => {
    clearTimeout(idle)
    if (running?.executable.file !== executable.file) stop()
    const root = realpathSync(context.root)
    if (known?.root !== root) known = { root, texts: createScriptTexts(root, context) }
    const { texts } = known
    const script = await texts.textsFor(id, text)
    const now = (running ??= start(executable, root))
    const ended = new AbortController()
    const late = sleep(limitMs, "late" as const, { signal: ended.signal }).catch(() => "late" as const)
    try {
      const work = openScript(now, script).then((ask) =>
        use({ ...script, ask, at: texts.at, readFile: now.readFile }),
      )
      const reply = await Promise.race([work.then((found) => ({ found })), late])
      if (reply !== "late") return { is: "answer", answer: reply.found }
      stop()
      return { is: "late" }
    } catch {
      stop()
      return { is: "failed" }
    } finally {
      ended.abort()
      idle = setTimeout(stop, IDLE_MS).unref()
    }
  }
  return {
    ask: <T>(
      executable: FoundProgram,
      question: Question,
      use: (program: Program) => Promise<T>,
    ): Promise<Reply<T>> => {
      const reply = queue.then(() => answer(executable, question, use))
      queue = reply.catch(() => undefined)
      return reply
    },
    stop,
  }
}

export interface Question {
  readonly id: ScriptId
  /** The unsaved text of the script. */
  readonly text: string
}

function start(executable: FoundProgram, root: string): Running {
  const texts = new Map<string, string>()
  const files = createCompilerFiles({ root, libraries: dirname(executable.file), texts })
  const compiler = startCompiler(executable, root, files)
  void compiler.ask("initialize", null).catch(() => undefined)
  const readFile = (path: string): string | undefined => files.readFile(path).content ?? undefined
  return { executable, compiler, texts, readFile, project: undefined, snapshot: undefined }
}

type OpenScript = Awaited<ReturnType<ReturnType<typeof createScriptTexts>["textsFor"]>>

/** Tells the compiler what changed. */
async function openScript(running: Running, { project, texts, config }: OpenScript): Promise<Program["ask"]> {
  const { compiler, snapshot: before } = running
  const changed = [...texts].filter(([file, text]) => running.texts.get(file) !== text).map(([file]) => file)
  const gone = [...running.texts.keys()].filter((file) => !texts.has(file))
  for (const file of gone) running.texts.delete(file)
  for (const file of changed) running.texts.set(file, texts.get(file) ?? "")
  const isSameProject = running.project === project
  running.project = project
  const fileChanges = isSameProject ? { changed: [...changed, ...gone] } : { invalidateAll: true }
  const update = await compiler.ask("updateSnapshot", { openProjects: [config], fileChanges })
  const { snapshot, projects } = update as {
    readonly snapshot: number
    readonly projects: readonly { readonly id: string; readonly configFileName: string }[]
  }
  running.snapshot = snapshot
  if (before !== undefined) void compiler.ask("release", { snapshot: before }).catch(() => undefined)
  const opened = projects.find(({ configFileName }) => configFileName.toLowerCase() === config.toLowerCase())
  if (opened === undefined) throw new Error("the compiler opened another project")
  return (method, params) => compiler.ask(method, { snapshot, project: opened.id, ...params })
}
