// The handlers of environments over a project in a fresh directory, as the server calls them.

import { readFile } from "node:fs/promises"
import { join } from "node:path"
import {
  createEnvironmentHandlers,
  ChangeSets,
  type EnvironmentHandlersOptions,
  type Handlers,
  type ChangeSetsOptions,
  type Input,
  type Output,
} from "@callsheet/server"
import { makeFolder, putAll, type Files } from "../app-project/open-project.ts"

type CallOf = keyof ReturnType<typeof createEnvironmentHandlers>["handlers"] | "plans.apply"

/** Opens a project with these files. */
export async function openEnvironments(
  files: Files | string,
  options: Partial<EnvironmentHandlersOptions & ChangeSetsOptions> = {},
) {
  const root = typeof files === "string" ? files : await makeFolder(files)
  const said: string[] = []
  const noted: string[] = []
  const noteChange = () => void noted.push("change")
  const changeSets = new ChangeSets({ noteChange, ...options })
  const environments = createEnvironmentHandlers({
    root,
    changeSets,
    processEnvironment: {},
    isRemote: () => false,
    noteChange,
    say: (line) => void said.push(line),
    ...options,
  })
  const handlers: Pick<Handlers, CallOf> = { ...environments.handlers, ...changeSets.handlers }
  return {
    root,
    /** Lines written to the terminal. */
    said,
    /** One entry for each reported change of the project. */
    noted,
    call: <N extends CallOf>(name: N, input: Input<N>): Promise<Output<N>> => {
      const handle: (input: Input<N>) => Promise<Output<N>> = handlers[name]
      return handle(input)
    },
    etag: async (environment: string) => {
      const { environments } = await handlers["environments.read"]({ api: "shop" })
      return environments.find(({ name }) => name === environment)?.etag ?? null
    },
    read: (api = "shop") => handlers["environments.read"]({ api }),
    put: (changed: Files) => putAll(root, changed),
    text: (file: string) => readFile(join(root, file), "utf8"),
  }
}

export const folder = "apis/shop/environments"

/** Variables of all types, each also as a secret, and three environments that extend each other. */
export const chain: Files = {
  [`${folder}/schema.json`]: {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true, description: "Where it listens" },
      timeout: { type: "number", required: false, default: 5000 },
      sandbox: { type: "boolean", required: true },
      apiKey: { type: "string", required: true, secret: true },
      pin: { type: "number", required: false, secret: true },
    },
  },
  [`${folder}/base.json`]: { baseUrl: "http://127.0.0.1:1", sandbox: true, tls: { verify: false, ca: "x" } },
  [`${folder}/base.secrets.env`]: "apiKey=s3cr3t-of-base\n",
  [`${folder}/live.json`]: { extends: "staging", level: "production", sandbox: null },
  [`${folder}/live.secrets.env`]: "apiKey=s3cr3t-of-live\npin=\n",
  [`${folder}/staging.json`]: { extends: "base", level: "staging", timeout: 100 },
}
