// What the server answers of environments: it shows them without their secrets.

import { createHmac, randomBytes } from "node:crypto"
import type { Environment } from "@callsheet/format"
import { fingerprint } from "@callsheet/project"
import type { Handlers } from "../handlers.ts"
import { environmentsView } from "./environments-view.ts"
import { readAllEnvironments } from "./read-all-environments.ts"

export interface EnvironmentHandlersOptions {
  /** Absolute path of the project. */
  readonly root: string
  /** Where `CALLSHEET_VAR__…` is looked up. */
  readonly processEnvironment: Readonly<Record<string, string | undefined>>
}

export interface EnvironmentHandlers {
  readonly handlers: Pick<Handlers, "environments.read">
}

/** Reads the files anew for each call: an answer after a write shows what was written. */
export function createEnvironmentHandlers(options: EnvironmentHandlersOptions): EnvironmentHandlers {
  const { root, processEnvironment } = options
  const etagOf = createEnvironmentEtags()
  return {
    handlers: {
      "environments.read": async ({ api }) => {
        const { files, masker } = await readAllEnvironments(root, api, processEnvironment)
        return environmentsView({ files, masker, processEnvironment, etagOf })
      },
    },
  }
}

/**
 * Of an environment's two files together. With a key of this process: who sees it can try no guesses of what the secrets file
 * holds.
 */
function createEnvironmentEtags(): (environment: Environment) => string {
  const key = randomBytes(32)
  return ({ valueFile, secretsFile }) =>
    createHmac("sha256", key)
      .update(JSON.stringify([fingerprint(valueFile.text), fingerprint(secretsFile?.text)]))
      .digest("hex")
}
