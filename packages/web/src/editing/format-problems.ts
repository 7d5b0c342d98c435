// What the format says of a text by itself, without the rest of the project. Pure.

import {
  checkSavedRequest,
  checkWorkflow,
  parseJson,
  problemsAtOffsets,
  type Problem,
} from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"

/** Nothing of scripts, which the server parses. */
export function formatProblems(name: FileName, path: string, text: string): readonly Problem[] {
  const source = { file: path, text }
  switch (name.kind) {
    case "workflow":
      return checkWorkflow(source).problems
    case "request":
      return checkSavedRequest(source).problems
    case "schema":
    case "environment": {
      const parsed = parseJson(text)
      return parsed.ok ? [] : problemsAtOffsets(source, parsed.findings)
    }
    case "script":
      return []
  }
}
