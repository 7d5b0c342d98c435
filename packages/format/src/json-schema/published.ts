// Lists the JSON Schemas that callsheet publishes: one per kind of file, and one per API for its value files.

import { anyValueFileShape, environmentSchemaShape, valueFileShape } from "../environment/shapes.ts"
import type { EnvironmentFiles } from "../environment/types.ts"
import type { JsonObject } from "../json/value.ts"
import { projectFileShape } from "../project-file/project-file-shape.ts"
import { savedRequestShape } from "../request/check-saved-request.ts"
import type { Shape } from "../shape/shape.ts"
import { workflowShape } from "../workflow/workflow-shape.ts"
import { baselineShape } from "../baseline/baseline-shape.ts"
import { BASELINE_FILE } from "../baseline/check-baseline.ts"
import { toJsonSchema } from "./to-json-schema.ts"

interface PublishedSchema {
  /** The glob, from the project root, of the files that the schema applies to. */
  readonly files: string
  readonly title: string
  readonly summary: string
  readonly shape: Shape
}

export type SchemaKind =
  | "environment-schema"
  | "environment-values"
  | "workflow"
  | "saved-request"
  | "project"
  | "baseline"

export const publishedSchemas: { readonly [K in SchemaKind]: PublishedSchema } = {
  "environment-schema": {
    files: "apis/<api>/environments/schema.json",
    title: "Variables of an API (callsheet)",
    summary: "Declares the variables that the environments of an API give values to.",
    shape: environmentSchemaShape,
  },
  "environment-values": {
    files: "apis/<api>/environments/<environment>.json",
    title: "Environment (callsheet)",
    summary: "The values of one environment of an API.",
    shape: anyValueFileShape,
  },
  workflow: {
    files: "apis/workflow/<workflow>.json",
    title: "Workflow (callsheet)",
    summary: "An ordered list of blocks, which a run goes through.",
    shape: workflowShape,
  },
  "saved-request": {
    files: "apis/<api>/requests/<resource>/<instance>.json",
    title: "Saved request (callsheet)",
    summary: "A request of an API, to be run by its name.",
    shape: savedRequestShape,
  },
  project: {
    files: "callsheet.json",
    title: "Project (callsheet)",
    summary: "Defaults for options of callsheet run, and suites of workflows.",
    shape: projectFileShape,
  },
  baseline: {
    files: BASELINE_FILE,
    title: "Baseline (callsheet)",
    summary: "Contract violations that a project knows and accepts for now.",
    shape: baselineShape,
  },
}

export const schemaKinds = Object.keys(publishedSchemas) as readonly SchemaKind[]

// The number at the end is the version of the file format.
const idOf = (name: string): string => `urn:callsheet:schema:${name}:1`

export function jsonSchemaOf(kind: SchemaKind): JsonObject {
  const { shape, title, summary } = publishedSchemas[kind]
  return toJsonSchema(shape, { $id: idOf(kind), title, description: summary })
}

/**
 * Returns a JSON Schema by which VS Code completes and explains fields, and reports nothing: an `if` without `then` accepts
 * everything. So that VS Code and the extension can't both report a mistake, only the extension does.
 */
export function editorSchemaOf(kind: SchemaKind): JsonObject {
  const { $schema, $id: _, title, description, $defs = {}, ...rules } = jsonSchemaOf(kind)
  const head = { $schema, $id: idOf(`${kind}:editor`), title, description } as JsonObject
  return { ...head, $defs, if: rules }
}

/** Returns the JSON Schema of one API's value files. Its properties are the variables that the API declares. */
export function valueFileSchemaOf(files: Pick<EnvironmentFiles, "api" | "variables">): JsonObject {
  const { api, variables } = files
  const shape = valueFileShape({ variables, names: [...variables.keys()], suggest: () => undefined })
  return toJsonSchema(shape, {
    $id: idOf(`environment-values:${api}`),
    title: `Environment of ${api} (callsheet)`,
    description: `The values of one environment of ${api}.`,
  })
}
