// `callsheet env list`: environments with their level and parent.

import { extendsChain, levelOf, type EnvironmentFiles } from "@callsheet/format"
import { listApiNames, openProject, readEnvironments } from "@callsheet/project"
import type { Command } from "../command.ts"
import { notices } from "../messages.ts"
import { knownApi, openRoot } from "../open-root.ts"
import { printProblems } from "../report-error.ts"
import { jsonDocument } from "../text/json-document.ts"
import { maskOf, maskProblems } from "../mask-files.ts"
import { printable } from "../text/printable.ts"
import { tableText } from "../text/table.ts"

/** Lists the environments of one API or of all APIs. Returns 2 if a file is invalid, but still lists its environment. */
export const envList: Command = async (call) => {
  const { words, options, screen } = call
  const project = openProject(await openRoot(call))
  const [api] = words
  const apis = api === undefined ? listApiNames(project) : [knownApi(project, api)]
  const files = apis.map((name) => readEnvironments(project, name))
  const broken = files.flatMap(({ problems }) => problems).filter(({ severity }) => severity === "error")
  const all = files.flatMap(rowsOf)
  // If the parent doesn't exist, its name may be a secret in the wrong place, so mask it.
  const mask = all.every(({ isKnown }) => isKnown) ? undefined : await maskOf(files, call.environment)
  const rows = all.map(({ isKnown, ...row }) =>
    isKnown || mask === undefined ? row : { ...row, extends: mask(row.extends ?? "") },
  )
  if (options.has("json")) {
    screen.out.write(jsonDocument(rows))
  } else if (rows.length > 0) {
    const cells = rows.map((row) => [row.api, row.name, row.level, printable(row.extends ?? "")])
    screen.out.write(tableText(["API", "ENVIRONMENT", "LEVEL", "EXTENDS"], cells, screen.out.style))
  } else screen.err.write(`${notices.noEnvironments()}\n`)
  printProblems(await maskProblems(broken, files, call.environment), screen.err)
  return broken.length > 0 ? 2 : 0
}

const rowsOf = ({ api, environments }: EnvironmentFiles) =>
  [...environments.values()].map(({ name, extends: parent }) => ({
    api,
    name,
    level: levelOf(extendsChain(environments, name)),
    extends: parent,
    isKnown: parent === undefined || environments.has(parent),
  }))
