// The words that start callsheet, for commands that users copy.

import { ownOf } from "@callsheet/format"

/** What starts a program of a project's packages, by package manager. */
const starters: Readonly<Record<string, string>> = {
  npm: "npx",
  pnpm: "pnpm exec",
  yarn: "yarn run",
  bun: "bun run",
}

/** Returns `callsheet`, or `npx callsheet` if npm started it, because a project's packages aren't on the path. */
export function nameCommand(environment: Readonly<Record<string, string | undefined>>): string {
  const [manager = ""] = environment["npm_config_user_agent"]?.split("/") ?? []
  const starter = ownOf(starters, manager)
  return starter === undefined ? "callsheet" : `${starter} callsheet`
}
