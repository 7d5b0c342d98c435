// The environment of the whole project, at the top right, and a dialog with the environment of each API.

import { useEffect, useRef, useState } from "react"
import type { ProjectView } from "@callsheet/server/calls"
import { later } from "../ui/later.tsx"
import { count } from "../ui/formats.ts"
import {
  chooseForProject,
  chosenEnvironment,
  overrideOf,
  useEnvironmentChoices,
  type ApiEnvironments,
  type EnvironmentChoices,
} from "./environment-choices.ts"
import { useEnvironmentAsked } from "./environment-commands.ts"
import { environmentLabel, environmentNames, isProduction } from "./environment-names.ts"
import { useApiEnvironments } from "./use-environment.ts"

// Rarely needed, so it isn't part of what opens the page.
const [PerApiDialog] = later(async () => (await import("./per-api-dialog.tsx")).PerApiDialog)

/** The value of the last option. No environment can have this name. */
const PER_API = "/"

export function EnvironmentSwitcher({ project }: { readonly project: ProjectView }) {
  const apis = useApiEnvironments(project.apis)
  const choices = useEnvironmentChoices()
  const [isPerApi, setPerApi] = useState(false)
  const select = useAskedFocus()
  const names = environmentNames(apis)
  if (names.length === 0) return null
  const shown = projectEnvironment(apis, choices)
  const overridden = apis.filter((api) => overrideOf(api, choices, undefined) !== undefined)
  return (
    <section aria-label="Environment of the project" className="environment-switcher">
      {overridden.length === 0 ? null : (
        <button type="button" className="quiet-button" onClick={() => setPerApi(true)}>
          {count(overridden.length, "API differs", "APIs differ")}
        </button>
      )}
      <select
        ref={select}
        className="form-input"
        aria-label="Environment"
        title="The environment of every API that has it"
        data-level={isProduction(shown, apis) ? "production" : undefined}
        value={shown ?? ""}
        onChange={({ target }) => {
          if (target.value === PER_API) setPerApi(true)
          else chooseForProject(target.value)
        }}
      >
        <option value="" disabled>
          Environment…
        </option>
        {names.map((name) => (
          <option key={name} value={name}>
            {environmentLabel(name, apis)}
          </option>
        ))}
        {apis.length === 1 ? null : <option value={PER_API}>Choose per API…</option>}
      </select>
      {isPerApi ? <PerApiDialog apis={apis} onClose={() => setPerApi(false)} /> : null}
    </section>
  )
}

/** Returns the project's environment: the choice or, without one, the preset of all APIs. */
function projectEnvironment(
  apis: readonly ApiEnvironments[],
  { project }: EnvironmentChoices,
): string | undefined {
  const chosen = { project, apis: new Map(), subjects: new Map() }
  const names = new Set(
    apis.flatMap((api) =>
      api.environments.length === 0 ? [] : [chosenEnvironment(api, chosen, undefined) ?? ""],
    ),
  )
  if (project !== undefined && names.has(project.name)) return project.name
  const [only] = names
  return names.size === 1 && only !== "" ? only : undefined
}

/** Focuses the choice when the user asks for it, such as in the palette. */
function useAskedFocus() {
  const select = useRef<HTMLSelectElement>(null)
  const isAsked = useEnvironmentAsked((state) => state.isAsked)
  useEffect(() => {
    if (!isAsked) return
    useEnvironmentAsked.setState({ isAsked: false })
    // A dialog that closes now gives the focus back first.
    setTimeout(() => select.current?.focus())
  }, [isAsked])
  return select
}
