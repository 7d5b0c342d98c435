// TypeScript -> JavaScript of one file, with its exports and its source map. Runs nothing of what it compiles.

import type { Jiti } from "jiti"
import { createCompileCache, type CompiledScript } from "./compile-cache.ts"
import { childMessages } from "./messages.ts"
import { readExports, type ModuleItem } from "./read-exports.ts"

export interface Compiler {
  /** Throws a `ScriptSyntaxError`. */
  readonly compile: (file: string, source: string) => CompiledScript
  /** The source map of a file that was compiled, as JSON text. */
  readonly mapOf: (file: string) => string | undefined
}

interface CompilerOptions {
  readonly jiti: Jiti
  readonly cacheFolder: string | undefined
  /** Called around the compiler's own work, which takes its time where nothing is cached. */
  readonly onWork: (state: "compiling" | "compiled") => void
  /** Makes of compiled code what is run. */
  readonly finish?: (file: string, script: CompiledScript) => CompiledScript
}

export class ScriptSyntaxError extends SyntaxError {
  override name = "SyntaxError"
  readonly file: string
  readonly line: number
  /** From 1. */
  readonly column: number
  constructor(file: string, problem: CompilerProblem) {
    super(readable(problem.message))
    this.file = file
    // A compiler that gave up names no line.
    this.line = Math.max(1, problem.line)
    this.column = problem.column + 1
  }
}

interface CompilerProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

export function createCompiler(options: CompilerOptions): Compiler {
  const kept = new Map<string, CompiledScript>()
  const cache = createCompileCache(options.cacheFolder)
  const { finish = (_file, script) => script } = options
  const compileNow = (file: string, source: string): CompiledScript => {
    options.onWork("compiling")
    // Babel replaces how stack traces are made, for good, when it is loaded.
    const errorsOwn = Object.getOwnPropertyDescriptors(Error)
    try {
      const compiled = transform(options.jiti, file, source)
      cache.write(file, compiled)
      return compiled
    } finally {
      Object.defineProperties(Error, errorsOwn)
      options.onWork("compiled")
    }
  }
  return {
    compile: (file, source) => {
      const known = kept.get(file)
      if (known?.source === source) return known
      const compiled = finish(file, cache.read(file, source) ?? compileNow(file, source))
      kept.set(file, compiled)
      return compiled
    },
    mapOf: (file) => kept.get(file)?.map,
  }
}

const problemMarker = "exports.__JITI_ERROR__ = "
const mapMarker = "\n//# sourceMappingURL=data:application/json;charset=utf-8;base64,"

function transform(jiti: Jiti, file: string, source: string): CompiledScript {
  let found: Pick<CompiledScript, "exports" | "complete"> = { exports: [], complete: false }
  const reader = {
    // Before anything is rewritten.
    pre: (parsed: { ast: { program: { body: readonly ModuleItem[] } } }) => {
      found = readExports(parsed.ast.program.body)
    },
  }
  const code = jiti.transform({
    source,
    filename: file,
    ts: /\.[cm]?ts$/.test(file),
    async: true,
    interopDefault: true,
    babel: { sourceMaps: "inline", sourceFileName: file, plugins: [reader] },
  })
  // jiti hands a parse error on as a program.
  if (code.startsWith(problemMarker)) {
    throw new ScriptSyntaxError(file, JSON.parse(code.slice(problemMarker.length)) as CompilerProblem)
  }
  const cut = code.lastIndexOf(mapMarker)
  if (cut === -1) return { source, code, ...found }
  const map = Buffer.from(code.slice(cut + mapMarker.length), "base64").toString()
  return { source, code: code.slice(0, cut), map, ...found }
}

/** The first line without the file's own path in front, which the position says already. */
const readable = (message: string): string =>
  message.includes("Maximum call stack")
    ? childMessages["script-error"].nestedSource()
    : (message.split("\n")[0] ?? "").replace(/^\/.*?: /, "").trim()
