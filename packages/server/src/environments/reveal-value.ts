// Shows one value that is masked everywhere else, and says so in the terminal, by name alone.

import { CallsheetError, resolveEnvironment } from "@callsheet/format"
import type { SecretReveal } from "../calls/index.ts"
import { CallRefused } from "../call-refused.ts"
import { readAllEnvironments } from "./read-all-environments.ts"

export interface RevealOptions {
  /** Absolute path of the project. */
  readonly root: string
  /** Whether other machines can reach the server: then nothing is revealed. */
  readonly isRemote: () => boolean
  /** Tells the person in front of the terminal. */
  readonly say: (line: string) => void
}

/**
 * As the environment resolves it from the files: own, inherited, or the default. What a process variable holds was given to
 * this process, not to the page, and is never shown.
 */
export async function revealValue(
  { api, environment, variable, purpose }: SecretReveal,
  { root, isRemote, say }: RevealOptions,
): Promise<{ readonly value: string }> {
  if (isRemote())
    throw new CallRefused(
      403,
      "remote-refused",
      "nothing is revealed while other machines can reach the application",
      { hint: "start it without --host, or use callsheet env read --reveal" },
    )
  const { files } = await readAllEnvironments(root, api, {})
  const resolved = resolveEnvironment({ files, name: environment }).environment.variables.get(variable)
  if (resolved === undefined)
    throw new CallsheetError("variable-undeclared", `the API "${api}" declares no variable "${variable}"`)
  if (resolved.value === undefined)
    throw new CallsheetError(
      "variable-missing",
      `"${variable}" has no value of its type in the environment "${environment}"`,
    )
  say(`${purpose === "show" ? "revealed" : "copied"} ${api}/${environment} ${variable}`)
  return { value: String(resolved.value) }
}
