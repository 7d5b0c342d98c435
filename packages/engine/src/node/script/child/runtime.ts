// What compiled scripts need at run time: `import.meta`, and decorators as TypeScript's `experimentalDecorators` applies
// them.

import { getOrCreate } from "@callsheet/format"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"

/** The name under which compiled code finds the runtime. No script uses it. */
export const runtimeName = "__callsheetRuntime"

export interface Runtime {
  /** Says that a line starts to run. */
  readonly at: (line: number) => void
  readonly meta: object
  readonly decorate: (decorators: readonly unknown[], target: object, member: Member) => void
  readonly field: (object: object, key: PropertyKey, initializer?: () => unknown) => void
}

interface Member {
  readonly key: PropertyKey
  readonly isField: boolean
}

interface RuntimeOptions {
  readonly file: string
  readonly at: Runtime["at"]
  readonly resolve: (specifier: string) => string
  readonly definesFields: () => boolean
}

/** Shared with the thread that says which line is running if a script doesn't end. */
export interface Position {
  /** The number of a module, and a line. */
  readonly position: Int32Array
  /** Gives the next number to a module. */
  readonly addModule: (file: string) => void
}

/** Creates the trackers of modules, which write to `position`. `relative` returns a path from the root. */
export function createTracker({ position, addModule }: Position, relative: (file: string) => string) {
  const ids = new Map<string, number>()
  return (file: string): Runtime["at"] => {
    const id = getOrCreate(ids, file, () => {
      addModule(relative(file))
      return ids.size + 1
    })
    return (line) => {
      position[0] = id
      position[1] = line
    }
  }
}

type Decorator = (target: object, key: PropertyKey, descriptor?: PropertyDescriptor) => unknown

export function createRuntime({ file, at, resolve, definesFields }: RuntimeOptions): Runtime {
  return {
    at,
    meta: {
      __proto__: null,
      dirname: dirname(file),
      filename: file,
      url: pathToFileURL(file).href,
      env: process.env,
      main: false,
      resolve,
    },
    decorate: (decorators, target, { key, isField }) => {
      let descriptor = isField ? undefined : Reflect.getOwnPropertyDescriptor(target, key)
      for (const decorator of decorators.toReversed() as Decorator[]) {
        const returned = decorator(target, key, descriptor)
        // Without `Reflect.metadata`, the compiler's own decorators return the target.
        if (typeof returned === "object" && returned !== null && returned !== target) descriptor = returned
      }
      if (descriptor !== undefined) Object.defineProperty(target, key, descriptor)
    },
    field: (object, key, initializer) => {
      if (definesFields()) {
        const value = initializer?.()
        Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true })
      } else if (initializer !== undefined) Reflect.set(object, key, initializer())
    },
  }
}
