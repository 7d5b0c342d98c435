// Reads the project and the options of `run()` and `prepare()`.

import { withDefaults, type SessionOptions } from "@callsheet/engine"
import { CallsheetError } from "@callsheet/format"
import { recoverProject } from "@callsheet/project"
import { noDirectory } from "../report-error.ts"
import { messages } from "../messages.ts"
import { findRoot } from "../open-root.ts"
import { readRun } from "./read-workflows.ts"
import type { RunOptions } from "./run-options.ts"

/** The options of `run()`. Inside the package, an option may also be undefined. */
export type GivenOptions = { readonly [K in keyof RunOptions]?: RunOptions[K] | undefined }

/** Reads the project, and applies the defaults of `callsheet.json`. Throws misuse. */
export async function readOptions(options: GivenOptions) {
  const { workflows: wanted = [], all = false, suite, project: folder, data: path } = options
  const { overrides = {}, ...asked } = options
  if ([wanted.length > 0, all, suite !== undefined].filter(Boolean).length !== 1)
    throw new CallsheetError(messages.usage.namesOrAll())
  if (path !== undefined && suite !== undefined)
    throw new CallsheetError(messages.usage.contradiction('"data"', '"suite"'))
  const cwd = workingDirectory()
  const root = findRoot(cwd, folder)
  await recoverProject(root)
  const data = path === undefined ? undefined : { path, cwd }
  const named = [...Object.keys(asked.environments ?? {}), ...Object.keys(overrides)]
  const read = await readRun({ root, cwd, wanted: all ? "all" : wanted, suite, named, data })
  const session: SessionOptions = {
    ...asked,
    data,
    overrides: Object.entries(overrides).flatMap(([api, variables]) =>
      Object.entries(variables).map(([name, value]) => ({ api, name, value: String(value) })),
    ),
  }
  return { root, ...read, asked: withDefaults(session, read.project) }
}

function workingDirectory(): string {
  try {
    return process.cwd()
  } catch (error) {
    throw noDirectory(error)
  }
}
