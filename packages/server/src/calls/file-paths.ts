// The paths of files from the project's root. The page only shows them. The path of a script is that of `scriptFile`,
// whose package would add 5 kB to the page.

import { BASELINE_FILE, PROJECT_FILE, readShape, type JsonObject } from "@callsheet/format"
import { fileName, type FileName } from "./files.ts"

export function filePath(file: FileName): string {
  switch (file.kind) {
    case "workflow":
      return `apis/workflow/${file.workflow}.json`
    case "script":
      return `apis/workflow/scripts/${file.workflow}/${file.script}.ts`
    case "request":
      return `apis/${file.api}/requests/${file.resource}/${file.request}.json`
    case "schema":
      return `apis/${file.api}/environments/schema.json`
    case "environment":
      return `apis/${file.api}/environments/${file.environment}.json`
    case "project":
      return PROJECT_FILE
    case "baseline":
      return BASELINE_FILE
  }
}

/** Returns the file that a path names. Undefined if no file that the app edits can have this path. */
export function fileAt(path: string): FileName | undefined {
  for (const [pattern, name] of fileNames) {
    const found = pattern.exec(path)
    if (found !== null) return readShape(fileName, name(found.slice(1))).value
  }
  return undefined
}

const fileNames: readonly (readonly [RegExp, (parts: readonly string[]) => JsonObject])[] = [
  [/^callsheet\.json$/, () => ({ kind: "project" })],
  [/^callsheet\.baseline\.json$/, () => ({ kind: "baseline" })],
  [/^apis\/workflow\/([^/]+)\.json$/, ([workflow = ""]) => ({ kind: "workflow", workflow })],
  [
    /^apis\/workflow\/scripts\/([^/]+)\/(.+)\.ts$/,
    ([workflow = "", script = ""]) => ({ kind: "script", workflow, script }),
  ],
  [
    /^apis\/([^/]+)\/requests\/([^/]+)\/([^/]+)\.json$/,
    ([api = "", resource = "", request = ""]) => ({ kind: "request", api, resource, request }),
  ],
  [/^apis\/([^/]+)\/environments\/schema\.json$/, ([api = ""]) => ({ kind: "schema", api })],
  [
    /^apis\/([^/]+)\/environments\/([^/]+)\.json$/,
    ([api = "", environment = ""]) => ({ kind: "environment", api, environment }),
  ],
]
