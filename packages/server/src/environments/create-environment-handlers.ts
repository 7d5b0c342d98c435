// What the server answers of environments: it shows them without their secrets, changes them, and reveals one value at a time.

import type { HandlersOf } from "../handlers.ts"
import { EnvironmentChanges, type EnvironmentChangesOptions } from "./environment-changes.ts"
import { createEnvironmentEtags, seenOf } from "./environment-etags.ts"
import { environmentsView } from "./environments-view.ts"
import { readAllEnvironments } from "./read-all-environments.ts"
import type { SchemaPlansOptions } from "./schema-plans.ts"
import { revealValue, type RevealOptions } from "./reveal-value.ts"

export interface EnvironmentHandlersOptions
  extends EnvironmentChangesOptions, RevealOptions, SchemaPlansOptions {}

export interface EnvironmentHandlers {
  readonly handlers: HandlersOf<"environments" | "schemas" | "secrets">
}

/** Reads the files anew for each call: an answer after a write shows what was written. */
export function createEnvironmentHandlers(options: EnvironmentHandlersOptions): EnvironmentHandlers {
  const { root, processEnvironment } = options
  const etagOf = createEnvironmentEtags()
  const changes = new EnvironmentChanges(options, etagOf)
  return {
    handlers: {
      "environments.read": async ({ api }) => {
        const { files, masker } = await readAllEnvironments(root, api, processEnvironment)
        return environmentsView({
          files,
          masker,
          processEnvironment,
          etagOf: (environment) => etagOf(seenOf(environment)),
        })
      },
      "environments.write": (input) => changes.write(input),
      "environments.settings": (input) => changes.settings(input),
      "environments.create": (input) => changes.create(input),
      "environments.rename": (input) => changes.rename(input),
      "environments.delete": (input) => changes.delete(input),
      "schemas.plan": async (input) => {
        const { planSchema } = await import("./schema-plans.ts")
        return planSchema(input, options)
      },
      "secrets.reveal": (input) => revealValue(input, options),
    },
  }
}
