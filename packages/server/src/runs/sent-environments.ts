// The environment of each API that a request was last sent to, in the user's state folder, by project.

import { shapes } from "@callsheet/format"
import { text } from "../calls/names.ts"
import { PrivateFolder } from "../state/private-folder.ts"
import { projectKey, type ProjectState } from "../state/state-folder.ts"

const { map, object, optional, required, version } = shapes

const sent = object({
  version: optional(version, "The format of the file."),
  environments: required(map(text), "The environment's name by API."),
})

interface SentEnvironments {
  readonly of: (api: string) => string | undefined
  readonly remember: (api: string, environment: string) => void
}

/** If nothing can be written, it is remembered until the application ends. */
export function createSentEnvironments({ state, root }: ProjectState): SentEnvironments {
  const folder = new PrivateFolder(state, "sends")
  const name = `${projectKey(root)}.json`
  let known: ReadonlyMap<string, string> | undefined
  const all = () => (known ??= new Map(Object.entries(folder.readJson(name, sent)?.environments ?? {})))
  return {
    of: (api) => all().get(api),
    remember: (api, environment) => {
      if (all().get(api) === environment) return
      known = new Map(all()).set(api, environment)
      folder.write(name, `${JSON.stringify({ version: 1, environments: Object.fromEntries(known) })}\n`)
    },
  }
}
