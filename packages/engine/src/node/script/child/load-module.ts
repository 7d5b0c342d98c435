// Loads a script and its imports. Each call loads the project's own modules again. Packages stay loaded.

import { getOrCreate } from "@callsheet/format"
import { createRequire, isBuiltin } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Script } from "node:vm"
import type { Jiti } from "jiti"
import type { CompilerSettings } from "../compiler-settings.ts"
import type { Compiler } from "./compiler.ts"
import { createRuntime, runtimeName, type Runtime } from "./runtime.ts"
import { isInPackage, withoutLinks, type SourceReader } from "./source-reader.ts"

type Exports = Record<string, unknown>
/** Loads a module and its imports. Each is loaded once per loader. */
export type LoadModule = (file: string) => Promise<Exports>

interface Instance {
  readonly module: { exports: Exports }
  /** The instances that this one waits for, to detect cycles. */
  readonly waitsFor: Set<Instance>
  done: Promise<Exports>
}

type Body = (
  exports: Exports,
  require: Jiti,
  module: { exports: Exports },
  filename: string,
  directory: string,
  importModule: (specifier: string) => Promise<unknown>,
  runtime: Runtime,
) => Promise<void>

/** The SDK is empty at run time and need not be installed. */
const sdk = "@callsheet/sdk"

interface ModuleLoaderOptions {
  readonly jiti: Jiti
  /** Returns the `require` of a file. */
  readonly jitiAt: (file: string) => Jiti
  readonly settings: CompilerSettings
  readonly compiler: Compiler
  readonly sources: SourceReader
  /** Creates the function with which a module says which of its lines is running. */
  readonly trackerOf: (file: string) => (line: number) => void
}

interface LoadingTools extends ModuleLoaderOptions {
  readonly importPackage: (file: string) => Promise<unknown>
  readonly resolve: (specifier: string, importer: string) => string
  readonly bodyOf: (file: string) => Body
}

/** Creates a function that returns new loaders. They share no modules of the project. */
export function createModuleLoader(options: ModuleLoaderOptions): () => LoadModule {
  const { jiti } = options
  const packages = new Map<string, Promise<unknown>>()

  const importPackage = (file: string): Promise<unknown> =>
    getOrCreate(packages, file, () => jiti.import(file))

  const resolve = createResolver(options)
  const tools: LoadingTools = { ...options, importPackage, resolve, bodyOf: createBodies(options) }
  return () => {
    forgetProjectModules()
    return createInstances(tools)
  }
}

/** Creates each of the project's modules once per call. Supports cycles. */
function createInstances(tools: LoadingTools): LoadModule {
  const { jiti, jitiAt, settings, sources, trackerOf, resolve, bodyOf, importPackage } = tools
  const instances = new Map<string, Instance>()

  const importFrom = async (importer: Instance, file: string, specifier: string): Promise<unknown> => {
    if (specifier === sdk) return {}
    if (specifier.startsWith("node:") || isBuiltin(specifier)) return createRequire(file)(specifier)
    const target = withoutLinks(resolve(specifier, file))
    if (isInPackage(target)) return importPackage(target)
    // `require` loads CommonJS and JSON, because modules that `import()` loaded can't be unloaded.
    if (!isModule(target, sources)) return jiti(target) as unknown
    const instance = instances.get(target) ?? instantiate(target)
    // In a cycle, the importer gets the exports that the module already has.
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
    // Evaluate a turn later, when every importer is registered, so that cycles are known.
    instance.done = Promise.resolve().then(() => evaluate(instance, file))
    // Every importer gets the error. Until one exists, the rejection must not count as unhandled.
    instance.done.catch(() => undefined)
    return instance
  }

  const evaluate = async (instance: Instance, file: string): Promise<Exports> => {
    const { module } = instance
    const run = bodyOf(file)
    await run(
      module.exports,
      jitiAt(file),
      module,
      file,
      dirname(file),
      (specifier) => importFrom(instance, file, specifier),
      createRuntime({
        file,
        resolve: (specifier) => boundStacks(() => jiti.esmResolve(specifier, pathToFileURL(file).href)),
        at: trackerOf(file),
        definesFields: () => settings.definesFields(file),
      }),
    )
    return module.exports
  }

  return (file) => (instances.get(file) ?? instantiate(file)).done
}

/** Returns whether each call compiles and runs the file again. */
function isModule(file: string, { readSource }: SourceReader): boolean {
  if (/\.(?:mts|ts|mjs)$/.test(file)) return true
  return file.endsWith(".js") && /^\s*(?:import|export)\b/m.test(readSource(file))
}

function reaches(from: Instance, to: Instance): boolean {
  const seen = new Set([from])
  for (const instance of seen) {
    if (instance === to) return true
    for (const next of instance.waitsFor) seen.add(next)
  }
  return false
}

/** Removes the project's modules from Node's cache: their state must not outlive a call. */
function forgetProjectModules(): void {
  const { cache } = createRequire(import.meta.url)
  for (const file of Object.keys(cache)) if (!isInPackage(file)) delete cache[file]
}

/** Creates a resolver for which `./x`, `./x.ts` and `./x.js` are all `x.ts`. */
const createResolver =
  ({ jiti, settings: { resolveAlias }, sources: { resolveImport } }: ModuleLoaderOptions) =>
  (specifier: string, importer: string): string =>
    resolveImport(importer, specifier, () =>
      fileURLToPath(
        boundStacks(
          () => resolveAlias(specifier, importer) ?? jiti.esmResolve(specifier, pathToFileURL(importer).href),
        ),
      ),
    )

/** The limit of stack traces, enough to get past the frames of jiti and Node to those of the script. */
const resolverFrames = 200

/** Limits stack traces. jiti makes them unlimited, which crashes V8 in Node 26 if a debugger is attached. */
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

/** Creates a function that compiles each file once per run. The lines of its code are those of the file. */
function createBodies({ compiler, sources }: ModuleLoaderOptions): (file: string) => Body {
  const bodies = new Map<string, Body>()
  return (file) =>
    getOrCreate(bodies, file, () => {
      const { code } = compiler.compile(file, sources.readSource(file))
      return new Script(`${wrapperStart}\n${code}\n})`, {
        filename: file,
        lineOffset: -1,
      }).runInThisContext() as Body
    })
}

/** The line before each module's code. jiti's compiler uses the name `jitiImport`. */
const wrapperStart = `(async function (exports, require, module, __filename, __dirname, jitiImport, ${runtimeName}) {`
