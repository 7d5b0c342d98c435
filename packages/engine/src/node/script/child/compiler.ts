// Compiles one file from TypeScript to JavaScript, with its exports and its source map. Never runs it.

import type { ScriptModule } from "@callsheet/language"
import type { Jiti } from "jiti"
import { pathToFileURL } from "node:url"
import { createBabelPlugin, type ParsedFile } from "./babel-plugin.ts"
import { createCompileCache, type CompiledScript } from "./compile-cache.ts"
import { childMessages } from "./messages.ts"
import { findIo, reachesOut } from "./find-io.ts"
import { readModule } from "./read-exports.ts"

export type Compiler = ReturnType<typeof createCompiler>

interface CompilerOptions {
  readonly jiti: Jiti
  readonly cacheFolder: string | undefined
  /** Called before and after the compiler runs, but not for cached code. */
  readonly onWork: (state: "compiling" | "compiled") => void
}

export class ScriptSyntaxError extends SyntaxError {
  override name = "SyntaxError"
  readonly file: string
  readonly line: number
  /** The 1-based column. */
  readonly column: number
  /** The line, and a line below it that marks the token. */
  readonly excerpt: string | undefined
  constructor(file: string, source: string, problem: CompilerProblem) {
    const token = tokenAt(source, problem)
    super(nameToken(readable(problem.message), token))
    this.file = file
    // The compiler has no line if it gave up.
    this.line = Math.max(1, problem.line)
    this.column = problem.column + 1
    this.excerpt = excerptOf(source, this, token?.length ?? 1)
  }
}

/** Longer lines are generated, and a part of one could show half a secret. */
const MAX_EXCERPT = 300

/** The compiler's words for a token that it doesn't name. */
const unnamed = "Unexpected token"

const nameToken = (message: string, token: string | undefined): string =>
  message !== unnamed
    ? message
    : token === undefined
      ? "Unexpected end of the line"
      : `${unnamed} ${JSON.stringify(token)}`

/** Returns the token at a position. Undefined at the end of a line. */
const tokenAt = (source: string, { line, column }: CompilerProblem): string | undefined =>
  /^(?:[\p{ID_Continue}$]+|\S)/u.exec(lineOf(source, line)?.slice(column) ?? "")?.[0]

const lineOf = (source: string, line: number): string | undefined =>
  source.split(/\r\n|[\n\r\u2028\u2029]/)[line - 1]

function excerptOf(
  source: string,
  { line, column }: { readonly line: number; readonly column: number },
  length: number,
): string | undefined {
  const code = lineOf(source, line)
  if (code === undefined || code.length > MAX_EXCERPT) return undefined
  const number = `${line} | `
  // Tabs stay, so that the mark is below the token however wide they are.
  const before = code.slice(0, column - 1).replaceAll(/[^\t]/g, " ")
  return `${number}${code}\n${" ".repeat(number.length - 2)}| ${before}${"^".repeat(length)}`
}

interface CompilerProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

export function createCompiler(options: CompilerOptions) {
  const kept = new Map<string, CompiledScript>()
  const cache = createCompileCache(options.cacheFolder)
  const compileNow = (file: string, source: string): CompiledScript => {
    options.onWork("compiling")
    // Loading Babel replaces properties of `Error`. They are restored below.
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
    /** Compiles a file. Throws a `ScriptSyntaxError` for invalid syntax. */
    compile: (file: string, source: string): CompiledScript => {
      const known = kept.get(file)
      if (known?.source === source) return known
      const compiled = cache.read(file, source) ?? compileNow(file, source)
      kept.set(file, compiled)
      return compiled
    },
    codeOf: (file: string): string | undefined => kept.get(file)?.code,
  }
}

const problemMarker = "exports.__JITI_ERROR__ = "

function transform(jiti: Jiti, file: string, source: string): CompiledScript {
  let found: ScriptModule = { exports: [], complete: false, values: {}, imports: [], io: [], lazyImports: [] }
  const plugin = createBabelPlugin(({ ast, scope }: ParsedFile) => {
    const { body } = ast.program
    found = { ...readModule(body), ...findIo(body, scope.globals) }
  })
  const code = jiti.transform({
    source,
    filename: file,
    ts: /\.[cm]?ts$/.test(file),
    async: true,
    interopDefault: true,
    babel: { sourceMaps: "inline", sourceFileName: pathToFileURL(file).href, plugins: [plugin] },
  })
  // jiti returns a parse error as a program.
  if (code.startsWith(problemMarker)) {
    throw new ScriptSyntaxError(file, source, JSON.parse(code.slice(problemMarker.length)) as CompilerProblem)
  }
  // Babel drops an import if the module uses only its types.
  const imports = found.imports.filter(({ specifier }) =>
    code.includes(`await jitiImport(${JSON.stringify(specifier)})`),
  )
  const reaching = imports.filter(({ specifier }) => reachesOut(specifier))
  const io = [...reaching.map(({ specifier: what, ...place }) => ({ what, ...place })), ...found.io]
  return { source, code, module: { ...found, imports, io } }
}

/** Returns the first line without the file's path, which is part of the error's position. */
const readable = (message: string): string =>
  message.includes("Maximum call stack")
    ? childMessages["script-error"].nestedSource()
    : (message.split("\n")[0] ?? "").replace(/^(?:[A-Za-z]:)?[\\/].*?: /, "").trim()
