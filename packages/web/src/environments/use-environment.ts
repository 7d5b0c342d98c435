// The environment in which requests of an API are sent. Everything that sends or shows it reads it here.

import { ownOf } from "@callsheet/format"
import { useQuery } from "@tanstack/react-query"
import type { ApiView } from "@callsheet/server/calls"
import { useConnection } from "../connection/connection.ts"
import { presetsQuery, useProject } from "../connection/queries.ts"
import { chosenEnvironment, useEnvironmentChoices, type ApiEnvironments } from "./environment-choices.ts"

/** Returns the APIs with the environments that are used until the user chooses others. */
export function useApiEnvironments(apis: readonly ApiView[]): readonly ApiEnvironments[] {
  const isOpen = useConnection(({ status }) => status === "open")
  const { data: presets } = useQuery({ ...presetsQuery, enabled: isOpen })
  return apis.map(({ name, environments }) => ({
    api: name,
    environments,
    chosen: ownOf(presets?.environments, name),
  }))
}

/** `subject` is a workflow or a suite, and undefined on a request's own page. */
export function useEnvironment(api: string, subject: string | undefined): string | undefined {
  const { data: project } = useProject()
  const choices = useEnvironmentChoices()
  const [known] = useApiEnvironments(project?.apis.filter(({ name }) => name === api) ?? [])
  return known && chosenEnvironment(known, choices, subject)
}
