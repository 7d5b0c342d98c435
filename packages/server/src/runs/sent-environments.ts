// The environment of each API that a request was last sent to, in the user's state folder, by project.

import { readFileSync } from "node:fs"
import { join } from "node:path"
import { isJsonObject, parseJson } from "@callsheet/format"
import { readPrivateFile } from "../state/state-folder.ts"
import { makePrivateFolder, projectKey } from "../state/state-folder.ts"
import { writePrivateFile } from "../state/state-folder.ts"

interface SentEnvironments {
  readonly of: (api: string) => string | undefined
  readonly remember: (api: string, environment: string) => void
}

interface SentEnvironmentsOptions {
  /** The user's state folder; it need not be there. */
  readonly state: string
  /** The project's folder. */
  readonly root: string
}

/** Where nothing can be written, it is remembered as long as the application goes on. */
export function createSentEnvironments({ state, root }: SentEnvironmentsOptions): SentEnvironments {
  const folders = [state, join(state, "sends")]
  const file = join(state, "sends", `${projectKey(root)}.json`)
  let known: ReadonlyMap<string, string> | undefined
  const all = () => (known ??= readEnvironments(file))
  return {
    of: (api) => all().get(api),
    remember: (api, environment) => {
      if (all().get(api) === environment) return
      known = new Map(all()).set(api, environment)
      try {
        if (folders.every((each) => makePrivateFolder(each)))
          writePrivateFile(
            file,
            `${JSON.stringify({ version: 1, environments: Object.fromEntries(known) })}\n`,
          )
      } catch {
        // It is chosen again after the next start.
      }
    },
  }
}

function readEnvironments(file: string): ReadonlyMap<string, string> {
  const parsed = parseJson(readPrivateFile(file, (descriptor) => readFileSync(descriptor, "utf8")) ?? "")
  const environments = parsed.ok && isJsonObject(parsed.value) ? parsed.value["environments"] : undefined
  if (environments === undefined || !isJsonObject(environments)) return new Map()
  return new Map(
    Object.entries(environments).flatMap(([api, name]) =>
      typeof name === "string" ? [[api, name] as const] : [],
    ),
  )
}
