// Loads a script with what it imports. The project's own modules are new in every call; packages stay loaded.

import { builtinModules, createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Script } from "node:vm"
import type { Jiti } from "jiti"
import type { Compiler } from "./compiler.ts"
import { isInPackage, withoutLinks, type SourceReader } from "./source-reader.ts"

type Exports = Record<string, unknown>
/** Loads one module, and what it imports, in modules of this loader's own. */
type LoadModule = (file: string) => Promise<Exports>

interface Instance {
  readonly module: { exports: Exports }
  /** What it waits for before it is loaded: how a circle is seen. */
  readonly waitsFor: Set<Instance>
  done: Promise<Exports>
}

type Body = (
  exports: Exports,
  require: NodeJS.Require,
  module: { exports: Exports },
  filename: string,
  directory: string,
  importModule: (specifier: string) => Promise<unknown>,
  resolve: (specifier: string) => string,
) => Promise<void>

export interface ModuleLoader {
  /** A loader whose modules share nothing with those of an earlier one. */
  readonly fresh: () => LoadModule
}

/** What `@callsheet/sdk` is at run time, installed or not: nothing. */
const sdk = "@callsheet/sdk"
const builtins = new Set(builtinModules)

interface ModuleLoaderOptions {
  readonly jiti: Jiti
  /** Makes a loader for the modules that a file asks for with `require`. */
  readonly jitiAt: (file: string) => Jiti
  readonly compiler: Compiler
  readonly sources: SourceReader
  /** Whether a debugger reads where code stands: with what is wrapped around it. */
  readonly isInspected: boolean
}

/** Everything that outlives a call. */
interface LoadingTools extends ModuleLoaderOptions {
  readonly importPackage: (file: string) => Promise<unknown>
  readonly resolve: (specifier: string, importer: string) => string
  readonly bodyOf: (file: string) => Body
}

export function createModuleLoader(options: ModuleLoaderOptions): ModuleLoader {
  const { jiti, sources } = options
  const packages = new Map<string, Promise<unknown>>()

  const importPackage = (file: string): Promise<unknown> => {
    let loaded = packages.get(file)
    if (loaded === undefined) {
      loaded = jiti.import(file)
      packages.set(file, loaded)
    }
    return loaded
  }

  const resolve = createResolver(jiti, sources)
  const tools: LoadingTools = { ...options, importPackage, resolve, bodyOf: createBodies(options) }
  return {
    fresh: () => {
      forgetProjectModules(jiti.cache)
      return createInstances(tools)
    },
  }
}

/** Creates each of the project's modules once for a call, in circles too. */
function createInstances(tools: LoadingTools): LoadModule {
  const { jiti, jitiAt, sources, resolve, bodyOf, importPackage } = tools
  const instances = new Map<string, Instance>()

  const importFrom = async (importer: Instance, file: string, specifier: string): Promise<unknown> => {
    if (specifier === sdk) return {}
    if (specifier.startsWith("node:") || builtins.has(specifier)) return createRequire(file)(specifier)
    const target = withoutLinks(resolve(specifier, file))
    if (isInPackage(target)) return importPackage(target)
    // CommonJS and JSON by require: what import() has loaded once it never forgets.
    if (!isModule(target, sources)) return jiti(target) as unknown
    const instance = instances.get(target) ?? instantiate(target)
    // The one that waits for the importer gives what it has so far, as in any circle of modules.
    if (reaches(instance, importer)) return instance.module.exports
    importer.waitsFor.add(instance)
    try {
      return await instance.done
    } finally {
      importer.waitsFor.delete(instance)
    }
  }

  const instantiate = (file: string): Instance => {
    const module = { exports: {} as Exports }
    const instance: Instance = { module, waitsFor: new Set(), done: Promise.resolve({}) }
    instances.set(file, instance)
    // A turn later: whoever imports it has said so by then, and a circle can be seen.
    instance.done = Promise.resolve().then(() => evaluate(instance, file))
    // Whoever imports it hears of it; that nobody does yet is no unhandled rejection.
    instance.done.catch(() => undefined)
    return instance
  }

  const evaluate = async (instance: Instance, file: string): Promise<Exports> => {
    const { module } = instance
    const run = bodyOf(file)
    await run(
      module.exports,
      createLazyRequire(jitiAt, file),
      module,
      file,
      dirname(file),
      (specifier) => importFrom(instance, file, specifier),
      (specifier) => boundStacks(() => jiti.esmResolve(specifier, pathToFileURL(file).href)),
    )
    return module.exports
  }

  return (file) => (instances.get(file) ?? instantiate(file)).done
}

/** What is compiled and run anew in every call. */
function isModule(file: string, { textOf }: SourceReader): boolean {
  if (/\.(?:mts|ts|mjs)$/.test(file)) return true
  return file.endsWith(".js") && /^\s*(?:import|export)\b/m.test(textOf(file))
}

function reaches(from: Instance, to: Instance): boolean {
  const seen = new Set([from])
  for (const instance of seen) {
    if (instance === to) return true
    for (const next of instance.waitsFor) seen.add(next)
  }
  return false
}

/** Node keeps the project's plain files as it keeps packages; state in them must not outlive a call either. */
function forgetProjectModules(cache: NodeJS.Require["cache"]): void {
  for (const file of Object.keys(cache)) if (!isInPackage(file)) delete cache[file]
}

/** `./x`, `./x.ts` and `./x.js` all find `x.ts`. */
const createResolver =
  (jiti: Jiti, { placeOf }: SourceReader) =>
  (specifier: string, importer: string): string =>
    placeOf(importer, specifier, () =>
      fileURLToPath(boundStacks(() => jiti.esmResolve(specifier, pathToFileURL(importer).href))),
    )

/** Enough to reach the script behind the frames of jiti and of Node. */
const resolverFrames = 200

/** jiti wants stack traces of any length, wherever it may; V8 of Node 26 crashes on them while a debugger is attached. */
function boundStacks<T>(work: () => T): T {
  const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")
  if (limit?.configurable !== true) return work()
  Object.defineProperty(Error, "stackTraceLimit", { ...limit, value: resolverFrames, writable: false })
  try {
    return work()
  } finally {
    Object.defineProperty(Error, "stackTraceLimit", limit)
  }
}

/** Each file is compiled once: a run sees one state of it. */
function createBodies({ compiler, sources, isInspected }: ModuleLoaderOptions): (file: string) => Body {
  const columnOffset = isInspected ? 0 : -wrapperStart.length
  const bodies = new Map<string, Body>()
  return (file) => {
    let body = bodies.get(file)
    if (body === undefined) {
      const { code } = compiler.compile(file, sources.textOf(file))
      body = new Script(wrap(code), { filename: file, columnOffset }).runInThisContext() as Body
      bodies.set(file, body)
    }
    return body
  }
}

/** Stands before the code of every module. The names of the last two are those that jiti's compiler writes. */
export const wrapperStart =
  "(async function (exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve) {"
const wrap = (code: string): string => `${wrapperStart}${code}\n})`

/** `require` in a script is rare: it is made when it is used. */
function createLazyRequire(jitiAt: LoadingTools["jitiAt"], file: string): NodeJS.Require {
  let real: NodeJS.Require | undefined
  const get = (): NodeJS.Require => (real ??= jitiAt(file) as unknown as NodeJS.Require)
  return new Proxy(callable as unknown as NodeJS.Require, {
    apply: (_target, _self, [id]: [string]) => get()(id) as unknown,
    get: (_target, key) => Reflect.get(get(), key) as unknown,
  })
}

/** What a proxy that is called must stand for. */
function callable(): void {}
