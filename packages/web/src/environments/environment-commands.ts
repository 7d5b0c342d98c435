// What other parts of the page ask of the environments: an open dialog, a variable to show, and the palette's commands.

import type { ProjectView } from "@callsheet/server/calls"
import { create } from "zustand"
import { routeOf } from "../routes/route.ts"
import { chooseForProject } from "./environment-choices.ts"
import { environmentNames } from "./environment-names.ts"
import { commandEntry, type Entry } from "../search/entries.ts"
import { visibleText } from "../ui/visible-text.ts"

type EnvironmentDialog =
  | { readonly kind: "new-variable" | "new-environment"; readonly api: string }
  | {
      readonly kind: "edit-variable" | "rename-variable" | "uses-of-variable" | "delete-variable"
      readonly api: string
      readonly variable: string
    }
  | {
      readonly kind: "settings" | "rename-environment" | "delete-environment"
      readonly api: string
      readonly environment: string
    }
  | {
      readonly kind: "replace-secret"
      readonly api: string
      readonly environment: string
      readonly variable: string
    }

export const useEnvironmentDialog = create<{ readonly shown: EnvironmentDialog | undefined }>(() => ({
  shown: undefined,
}))

export const showEnvironmentDialog = (shown: EnvironmentDialog | undefined): void =>
  useEnvironmentDialog.setState({ shown })

interface ShownVariable {
  readonly api: string
  readonly variable: string
}

export const useShownVariable = create<{ readonly shown: ShownVariable | undefined }>(() => ({
  shown: undefined,
}))

/** Shows the variable when the table of its API is shown. */
export const showVariable = (api: string, variable: string): void =>
  useShownVariable.setState({ shown: { api, variable } })

/** Set while the user wants to change the project's environment. Its choice then takes the focus. */
export const useEnvironmentAsked = create<{ readonly isAsked: boolean }>(() => ({ isAsked: false }))

export const askForEnvironment = (): void => useEnvironmentAsked.setState({ isAsked: true })

const commands = [
  { kind: "new-variable", name: "New variable" },
  { kind: "new-environment", name: "New environment" },
] as const

export const environmentCommands = ({ apis }: ProjectView): readonly Entry[] => [
  ...switchCommands(apis),
  ...apis.flatMap(({ name: api }) =>
    commands.map(({ kind, name }) =>
      commandEntry({
        id: `${kind} ${api}`,
        name: `${name} in ${visibleText(api)}`,
        route: { kind: "environments", api },
        action: () => showEnvironmentDialog({ kind, api }),
      }),
    ),
  ),
]

function switchCommands(apis: ProjectView["apis"]): readonly Entry[] {
  const names = environmentNames(apis)
  if (names.length === 0) return []
  const route = routeOf(window.location.hash)
  return [
    commandEntry({
      id: "change the environment",
      name: "Change the environment",
      route,
      action: askForEnvironment,
    }),
    ...names.map((name) =>
      commandEntry({
        id: `change the environment to ${name}`,
        name: `Change the environment to ${visibleText(name)}`,
        route,
        action: () => chooseForProject(name),
      }),
    ),
  ]
}
