// The names of environments of several APIs. Pure.

import type { EnvironmentView } from "@callsheet/server/calls"
import { visibleText } from "../ui/visible-text.ts"

interface OfApi {
  readonly environments: readonly Pick<EnvironmentView, "name" | "level">[]
}

/** Returns the environments of any of the APIs. Those of more APIs come first. */
export function environmentNames(apis: readonly OfApi[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { name } of apis.flatMap(({ environments }) => environments))
    counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts.keys()].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0))
}

/** Returns the name as a choice shows it. Production stands out. */
export const environmentLabel = (name: string, apis: readonly OfApi[]): string =>
  isProduction(name, apis) && name !== "production" ? `${visibleText(name)} (production)` : visibleText(name)

/** Returns whether the name means production for any of the APIs. */
export const isProduction = (name: string | undefined, apis: readonly OfApi[]): boolean =>
  apis.some(({ environments }) =>
    environments.some((known) => known.name === name && known.level === "production"),
  )
