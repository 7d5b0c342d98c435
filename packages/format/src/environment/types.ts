// Types of an API's environments.

import type { Level } from "../events/types.ts"
import type { JsonObject, JsonValue } from "../json/value.ts"
import type { Problem } from "../problems.ts"
import type { SourceFile } from "../source.ts"
import type { SecretReference } from "./secret-reference.ts"
import type { Scalar } from "./coerce-text.ts"
import type { INBOX, VariableDeclaration } from "./shapes.ts"

export interface EnvironmentFiles {
  readonly api: string
  /** Absent if the API has no `schema.json`. */
  readonly schemaFile?: SourceFile | undefined
  readonly variables: ReadonlyMap<string, VariableDeclaration>
  /** Set if callsheet starts the API's server for each run: for the API `inbox`, unless it has an environment. */
  readonly service?: typeof INBOX | undefined
  /** Every declared name, valid or not. Absent if `schema.json` can't be read. */
  readonly declared?: ReadonlySet<string> | undefined
  readonly environments: ReadonlyMap<string, Environment>
  /** The secrets in files that no environment uses, and those that a later line of their file replaces. */
  readonly strandedSecrets?: readonly { readonly name: string; readonly value: string }[]
  readonly problems: readonly Problem[]
}

export interface Environment {
  readonly name: string
  readonly valueFile: SourceFile
  readonly secretsFile?: SourceFile | undefined
  readonly extends?: string | undefined
  readonly level?: Level | undefined
  readonly tls?: JsonObject | undefined
  /** The file's own values. `null` means "no value". */
  readonly values: ReadonlyMap<string, JsonValue>
  readonly secrets: ReadonlyMap<string, string>
}

export interface ResolvedVariable {
  readonly name: string
  readonly declaration: VariableDeclaration
  /** Absent if no source has a value, or if the value is `null`. */
  readonly value?: Scalar | undefined
  readonly from: "override" | "process" | "secrets" | "values" | "default" | "none"
  readonly environment?: string | undefined
  readonly file?: string | undefined
  /** Set if `value` is a reference to a secret, which a run replaces by the secret. */
  readonly reference?: SecretReference | undefined
  /** The reference that `value` has replaced. */
  readonly resolvedFrom?: string | undefined
}

/** A server that callsheet starts for a run. */
export interface BoundService {
  readonly is: "inbox" | "mock"
  /** The base URL of requests. Absent until the server listens. Others may reach it at the value of `baseUrl`. */
  readonly address?: string
}

export interface ResolvedEnvironment {
  readonly api: string
  /** Set if callsheet starts a server that stands in for the API. */
  readonly service?: BoundService | undefined
  readonly name: string
  readonly level: Level
  readonly verifyTls: boolean
  readonly extends?: string | undefined
  readonly variables: ReadonlyMap<string, ResolvedVariable>
}
