// Maps file names to paths in the project.

import type { TextPlace } from "@callsheet/project"
import type { FileName } from "../calls/index.ts"

const environments = (api: string): string => `apis/${api}/environments`

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
