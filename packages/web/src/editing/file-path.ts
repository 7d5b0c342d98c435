// The path of a file from the project's root, to show. Never sent to the server.

import { PROJECT_FILE } from "@callsheet/format"
import type { FileName } from "@callsheet/server/calls"
import { environmentFile, requestFile, workflowFile } from "../data/project-files.ts"

export function filePath(file: FileName): string {
  switch (file.kind) {
    case "workflow":
      return workflowFile(file.workflow)
    case "script":
      return `apis/workflow/scripts/${file.workflow}/${file.script}.ts`
    case "request":
      return requestFile(file.api, file.resource, file.request)
    case "schema":
      return environmentFile(file.api, "schema")
    case "environment":
      return environmentFile(file.api, file.environment)
    case "project":
      return PROJECT_FILE
  }
}

/** Returns the file at a path. Undefined if the app has no editor for it. */
export function fileAt(path: string): FileName | undefined {
  if (path === PROJECT_FILE) return { kind: "project" }
  const [root, api = "", part = "", first = "", ...rest] = path.split("/")
  if (root !== "apis") return undefined
  const script = [...rest].join("/").replace(/\.ts$/, "")
  const candidates: readonly FileName[] =
    api === "workflow"
      ? [
          { kind: "workflow", workflow: part.replace(/\.json$/, "") },
          { kind: "script", workflow: first, script },
        ]
      : [
          { kind: "schema", api },
          { kind: "environment", api, environment: first.replace(/\.json$/, "") },
          { kind: "request", api, resource: first, request: script.replace(/\.json$/, "") },
        ]
  return candidates.find((file) => filePath(file) === path)
}
