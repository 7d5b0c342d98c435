// `callsheet env delete`: removes an environment's files.

import { deleteEnvironment } from "@callsheet/project"
import type { Command } from "../command.ts"
import { changeEnvironment } from "./change-environment.ts"

/** Deletes both files, or says why not. */
export const envDelete: Command = async (call) => {
  const [api = "", environment = ""] = call.words
  return changeEnvironment(
    call,
    (root, options) => deleteEnvironment({ root, api, environment }, options),
    ({ files }) => files.map((file) => `deleted ${file}`),
  )
}
