// What compiled scripts need at run time: `import.meta`, and decorators as TypeScript's `experimentalDecorators` applies
// them.

import { dirname } from "node:path"
import { pathToFileURL } from "node:url"

/** The name under which compiled code finds the runtime. No script uses it. */
export const runtimeName = "__callsheetRuntime"

export interface Runtime {
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
  readonly resolve: (specifier: string) => string
  readonly definesFields: () => boolean
}

type Decorator = (target: object, key: PropertyKey, descriptor?: PropertyDescriptor) => unknown

export function createRuntime({ file, resolve, definesFields }: RuntimeOptions): Runtime {
  return {
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
