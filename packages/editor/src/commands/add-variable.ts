// Declares a variable by the rules of the project's writer.

import { CallsheetError, type EnvironmentFiles, type ScalarType } from "@callsheet/format"
import { makeSchemaChange, type SchemaChangeSet } from "@callsheet/project"

export interface NewVariable {
  readonly name: string
  readonly type: ScalarType
  readonly isSecret: boolean
}

/** Returns undefined if the name can't be declared, or the files can't be changed. */
export function addVariable(files: EnvironmentFiles, variable: NewVariable): SchemaChangeSet | undefined {
  const { name, type, isSecret } = variable
  const declaration = { type, required: false, ...(isSecret && { secret: true }) }
  try {
    return makeSchemaChange(files, { do: "add", name, declaration })
  } catch (error) {
    if (error instanceof CallsheetError) return undefined
    throw error
  }
}
