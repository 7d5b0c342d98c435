// The shape of each kind of file.

import {
  anyValueFileShape,
  baselineShape,
  environmentSchemaShape,
  projectFileShape,
  savedRequestShape,
  valueFileShape,
  workflowShape,
  type Shape,
} from "@callsheet/format"
import type { FileKind } from "../file/editor-file.ts"
import type { View } from "../project/view.ts"

/** Returns the shape of a file. Undefined for files that aren't JSON of callsheet. */
export function shapeOf(file: FileKind, { project }: View): Shape | undefined {
  switch (file.kind) {
    case "workflow":
      return workflowShape
    case "request":
      return savedRequestShape
    case "schema":
      return environmentSchemaShape
    case "project":
      return projectFileShape
    case "baseline":
      return baselineShape
    case "environment": {
      const files = project.apis.get(file.api)?.environments
      if (files?.declared === undefined) return anyValueFileShape
      return valueFileShape({
        variables: files.variables,
        names: [...files.declared],
        suggest: () => undefined,
      })
    }
    default:
      return undefined
  }
}
