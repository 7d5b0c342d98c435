// What a generation reads and makes.

import type { Api, JsonObject, SuiteSettings } from "@callsheet/format"
import type { OpenApiDocument } from "@callsheet/openapi"

export interface GeneratingApi {
  readonly api: Api
  readonly document: OpenApiDocument
}

export interface GenerateRequest {
  /** Every API of the project with a document, because names and dependencies may involve several. */
  readonly apis: readonly GeneratingApi[]
  /** The names of workflows that no generation made. */
  readonly workflowNames: readonly string[]
  /** The files that an earlier generation made. Their values don't count as those of people. */
  readonly generatedFiles?: ReadonlySet<string> | undefined
  readonly choice: GenerateChoice
}

/** What to generate. Without a choice, everything. */
export interface GenerateChoice {
  readonly api?: string | undefined
  /** A tag or its slug. */
  readonly tag?: string | undefined
  /** Names of operations: an `operationId` or `METHOD /path`. Their resources are generated as a whole. */
  readonly operations?: readonly string[] | undefined
}

/** A file by its path from the project root. */
export type GeneratedFile = { readonly path: string } & (
  | { readonly value: JsonObject }
  | { readonly text: string }
)

export interface Skipped {
  readonly api: string
  /** The name of the operation. */
  readonly operation: string
  readonly reason: string
}

export interface Generated {
  /** Workflows, scripts, saved requests and, for an API without any, environment files. */
  readonly files: readonly GeneratedFile[]
  readonly workflows: readonly string[]
  /** The suites to merge into `callsheet.json`: `generated`, or none. */
  readonly suites: Readonly<Record<string, SuiteSettings>>
  /** The workflows that only other entries use, or whose inputs nothing fills. */
  readonly helpers: readonly string[]
  readonly skipped: readonly Skipped[]
  /** The operations that workflows send, as `<api> <name>`. */
  readonly operations: readonly string[]
}
