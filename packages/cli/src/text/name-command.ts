// The words that start callsheet, for commands that users copy.

import { ownOf } from "@callsheet/format"

/**
 * What starts a program of a project's packages, by package manager. `pnpm exec` finds it only in the directory of
 * package.json, and npx also in those below, such as a new sample project.
 */
const starters: Readonly<Record<string, string>> = {
  npm: "npx",
  pnpm: "npx",
  yarn: "yarn run",
  bun: "bun run",
}

/** Returns `callsheet`, or `npx callsheet` if npm started it, because a project's packages aren't on the path. */
export function nameCommand(environment: Readonly<Record<string, string | undefined>>): string {
  const [manager = ""] = environment["npm_config_user_agent"]?.split("/") ?? []
  const starter = ownOf(starters, manager)
  return starter === undefined ? "callsheet" : `${starter} callsheet`
}
