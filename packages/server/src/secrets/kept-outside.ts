// What the application keeps outside of the project, and what becomes of it where it holds a value that is made a secret.

import type { VariableDeclaration } from "@callsheet/format"
import type { Masker } from "./secrets-masker.ts"

/** What is secret from now on. */
export interface NewSecrets {
  /** Knows these values; undefined where there is none. */
  readonly masker: Masker
  /** The declarations of an API with the new secret among them; undefined where they are as they were. */
  readonly variablesOf: (api: string) => ReadonlyMap<string, VariableDeclaration> | undefined
}

export interface KeptOutside {
  /** What holds such a value, and what `hide` would do with it: whole sentences. */
  readonly notes: (secrets: NewSecrets) => Promise<readonly string[]>
  readonly hide: (secrets: NewSecrets) => Promise<void>
}
