// `callsheet env rename`: gives an environment another name, and mends what extends it.

import { renameEnvironment } from "@callsheet/project"
import type { Command } from "../command.ts"
import { changeEnvironment } from "./change-environment.ts"

/** Renames both files, or says why not. */
export const envRename: Command = async (call) => {
  const [api = "", environment = "", to = ""] = call.words
  return changeEnvironment(
    call,
    (root, options) => renameEnvironment({ root, api, environment, to }, options),
    ({ mended }) => [`renamed ${environment} to ${to}`, ...mended.map((name) => `${name} now extends ${to}`)],
  )
}
