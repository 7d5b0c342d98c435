// Converts a file's name to a string, for use as a key.

import type { FileName } from "@callsheet/server/calls"

export function fileKey(file: FileName): string {
  return JSON.stringify([file.kind, ...namesOf(file)])
}

function namesOf(file: FileName): readonly string[] {
  switch (file.kind) {
    case "workflow":
      return [file.workflow]
    case "script":
      return [file.workflow, file.script]
    case "request":
      return [file.api, file.resource, file.request]
    case "schema":
      return [file.api]
    case "environment":
      return [file.api, file.environment]
    case "project":
    case "baseline":
      return []
  }
}

export const languageOf = (file: FileName): "json" | "typescript" =>
  file.kind === "script" ? "typescript" : "json"
