// The environments that the user has chosen: one for the whole project, and overrides for APIs, workflows and suites.
// The browser remembers them, except production.

import { isJsonObject, ownOf, parseJson, type JsonObject, type JsonValue } from "@callsheet/format"
import { create } from "zustand"
import type { EnvironmentView } from "@callsheet/server/calls"
import { projectQuery, useProject } from "../connection/queries.ts"
import { queryClient } from "../connection/query-client.ts"
import { lasting } from "../connection/window-storage.ts"
import { isProduction } from "./environment-names.ts"

interface Choice {
  readonly name: string
  /** True if the user has chosen it since the page was opened. Only then, it may be production. */
  readonly isFresh: boolean
}

export interface EnvironmentChoices {
  readonly project: Choice | undefined
  readonly apis: ReadonlyMap<string, Choice>
  /** By workflow or `suiteSubject`, and then by API. */
  readonly subjects: ReadonlyMap<string, ReadonlyMap<string, Choice>>
}

const noChoices: EnvironmentChoices = { project: undefined, apis: new Map(), subjects: new Map() }

const key = "callsheet environments"

const useChoices = create<{ readonly projects: ReadonlyMap<string, EnvironmentChoices> }>(() => ({
  projects: readKept(),
}))

export function useEnvironmentChoices(): EnvironmentChoices {
  const { data: project } = useProject()
  return useChoices(({ projects }) => projects.get(project?.name ?? "") ?? noChoices)
}

export const environmentChoicesNow = (): EnvironmentChoices =>
  useChoices.getState().projects.get(projectName()) ?? noChoices

const projectName = (): string => queryClient.getQueryData(projectQuery.queryKey)?.name ?? ""

/** The environments of an API, and the one that is used until the user chooses another. */
export interface ApiEnvironments {
  readonly api: string
  readonly environments: readonly Pick<EnvironmentView, "name" | "level">[]
  readonly chosen?: string | undefined
}

/**
 * Returns the environment of an API: the choice for the subject, the API or the project, whichever exists first. Without
 * one, returns the preset. `subject` is a workflow or a suite.
 */
export function chosenEnvironment(
  api: ApiEnvironments,
  choices: EnvironmentChoices,
  subject: string | undefined,
): string | undefined {
  const own = subject === undefined ? undefined : choices.subjects.get(subject)?.get(api.api)
  const found = [own, choices.apis.get(api.api), choices.project].find((choice) => isUsable(choice, api))
  return found?.name ?? api.chosen
}

/** Returns the usable override of an API: the subject's own one or, without a subject, the API's. */
export function overrideOf(
  api: ApiEnvironments,
  { apis, subjects }: EnvironmentChoices,
  subject: string | undefined,
): string | undefined {
  const choice = subject === undefined ? apis.get(api.api) : subjects.get(subject)?.get(api.api)
  return isUsable(choice, api) ? choice?.name : undefined
}

function isUsable(choice: Choice | undefined, { environments }: ApiEnvironments): boolean {
  const known = environments.find(({ name }) => name === choice?.name)
  return known !== undefined && (known.level !== "production" || choice?.isFresh === true)
}

/** Chooses for the whole project. */
export const chooseForProject = (name: string): void =>
  change((choices) => ({ ...choices, project: fresh(name) }))

/** Overrides the choice for an API: everywhere or, with a subject, only there. Undefined removes the override. */
export function overrideEnvironment(
  api: string,
  subject: string | undefined,
  name: string | undefined,
): void {
  const choice = name === undefined ? undefined : fresh(name)
  change((choices) =>
    subject === undefined
      ? { ...choices, apis: withEntry(choices.apis, api, choice) }
      : {
          ...choices,
          subjects: withEntry(
            choices.subjects,
            subject,
            withEntry(choices.subjects.get(subject) ?? new Map<string, Choice>(), api, choice),
          ),
        },
  )
}

/**
 * Chooses for APIs of a subject. The first choice of all is the project's, unless it is production. Undefined removes the
 * overrides.
 */
export function chooseEnvironment(
  apis: readonly ApiEnvironments[],
  subject: string | undefined,
  name: string | undefined,
): void {
  const choices = environmentChoicesNow()
  const known = apis.flatMap(({ environments }) => environments).find((one) => one.name === name)
  const isFirst = apis.every((api) => chosenEnvironment(api, choices, subject) === undefined)
  if (known !== undefined && isFirst && known.level !== "production") return chooseForProject(known.name)
  for (const { api, environments } of apis)
    if (name === undefined || environments.some((one) => one.name === name))
      overrideEnvironment(api, subject, name)
}

const fresh = (name: string): Choice => ({ name, isFresh: true })

function withEntry<T>(map: ReadonlyMap<string, T>, name: string, value: T | undefined): Map<string, T> {
  const next = new Map(map)
  if (value === undefined) next.delete(name)
  else next.set(name, value)
  return next
}

function change(edit: (choices: EnvironmentChoices) => EnvironmentChoices): void {
  const { projects } = useChoices.getState()
  const name = projectName()
  // The last one is the newest.
  const next = new Map([...projects].filter(([other]) => other !== name)).set(
    name,
    edit(environmentChoicesNow()),
  )
  useChoices.setState({ projects: next })
  lasting.setItem(key, JSON.stringify(Object.fromEntries([...next].slice(-MAX_PROJECTS).map(keptOf))))
}

const MAX_PROJECTS = 50

type Kept = readonly [project: string, choices: JsonObject]

/** Leaves out production by the levels that are known now. Reading checks them again. */
function keptOf([project, { project: own, apis, subjects }]: [string, EnvironmentChoices]): Kept {
  const names = (choices: ReadonlyMap<string, Choice>): JsonObject =>
    Object.fromEntries(
      [...choices].flatMap(([api, { name }]) => (meansProduction(name, api) ? [] : [[api, name]])),
    )
  return [
    project,
    {
      ...(own === undefined || meansProduction(own.name, undefined) ? {} : { project: own.name }),
      apis: names(apis),
      subjects: Object.fromEntries([...subjects].map(([subject, choices]) => [subject, names(choices)])),
    },
  ]
}

/** Returns whether the name means production for the API or, without one, for any API. */
const meansProduction = (name: string, api: string | undefined): boolean =>
  isProduction(
    name,
    (queryClient.getQueryData(projectQuery.queryKey)?.apis ?? []).filter(
      (one) => api === undefined || one.name === api,
    ),
  )

function readKept(): ReadonlyMap<string, EnvironmentChoices> {
  const parsed = parseJson(lasting.getItem(key) ?? "{}")
  return parsed.ok ? mapOf(parsed.value, choicesOf) : new Map()
}

function choicesOf(value: JsonValue): EnvironmentChoices {
  const { project, apis, subjects } = isJsonObject(value) ? value : {}
  return {
    project: project === undefined ? undefined : choiceOf(project),
    apis: mapOf(apis, choiceOf),
    subjects: mapOf(subjects, (choices) => mapOf(choices, choiceOf)),
  }
}

function choiceOf(value: JsonValue): Choice | undefined {
  return typeof value === "string" ? { name: value, isFresh: false } : undefined
}

function mapOf<T>(
  value: JsonValue | undefined,
  read: (value: JsonValue) => T | undefined,
): ReadonlyMap<string, T> {
  const entries = value !== undefined && isJsonObject(value) ? Object.keys(value) : []
  const found = new Map<string, T>()
  for (const name of entries) {
    const one = read(ownOf(value as JsonObject, name) ?? null)
    if (one !== undefined) found.set(name, one)
  }
  return found
}
