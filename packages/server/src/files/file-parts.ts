// What the parts of a file's name may be, and where in the project the file stands.

import { objectToFreeName } from "@callsheet/format"
import type { TextPlace } from "@callsheet/project"
import type { FileName } from "../calls/index.ts"

/** A file's name may have 255 bytes, its ending included. */
const MAX_NAME_BYTES = 250
/** More folders in each other than anybody sorts scripts into. */
const MAX_DEPTH = 16

/** One part of a path whose name is free text. Names that start with "." are those of other programs, and are never listed. */
export const isFreeName = (name: string): boolean =>
  name !== "" &&
  !name.startsWith(".") &&
  !name.includes("/") &&
  Buffer.byteLength(name) <= MAX_NAME_BYTES &&
  objectToFreeName(name) === undefined

/** `checks/total`: folders and a name, none of which is that of something else than a script. */
export function isScriptPath(path: string): boolean {
  const names = path.split("/", MAX_DEPTH + 1)
  return (
    names.length <= MAX_DEPTH &&
    names.every((name) => isFreeName(name) && name !== "node_modules") &&
    !path.endsWith(".d")
  )
}

const environments = (api: string): string => `apis/${api}/environments`

/** Where a file stands; each part of its name has been held against the rules. */
export function placeOf(file: FileName): TextPlace {
  switch (file.kind) {
    case "workflow":
      return { file: `apis/workflow/${file.workflow}.json` }
    case "script": {
      const within = `apis/workflow/scripts/${file.workflow}`
      return { file: `${within}/${file.script}.ts`, within }
    }
    case "request":
      return { file: `apis/${file.api}/requests/${file.resource}/${file.request}.json` }
    case "schema":
      return { file: `${environments(file.api)}/schema.json` }
    case "environment":
      return { file: `${environments(file.api)}/${file.environment}.json` }
  }
}
