// Declares the variables of a credential, and stores their values in environments. Nothing else keeps the values.

import type { EnvironmentsView } from "@callsheet/server/calls"
import { call } from "../../connection/call.ts"
import { UserError } from "../../connection/fault-of.ts"
import { environmentsQuery } from "../../connection/queries.ts"
import { queryClient } from "../../connection/query-client.ts"
import { afterSaves } from "../../environments/save-cell.ts"
import { holdEtag, readEnvironmentsAgain, readingAgainOn409 } from "../../environments/use-environments.ts"
import { visibleText } from "../../ui/visible-text.ts"
import type { NewVariable } from "./credential-forms.ts"
import { readAuthenticationAgain } from "./use-authentication.ts"

interface Saved {
  readonly api: string
  readonly variables: readonly NewVariable[]
  /** Those that don't exist are created. */
  readonly environments: readonly string[]
}

/** Can be repeated after a failure. Rejects if a variable of the same name isn't declared as needed. */
export async function saveCredentials({ api, variables, environments }: Saved): Promise<void> {
  const view = await readNow(api)
  for (const variable of variables) checkDeclared(view, variable)
  for (const { name, isSecret } of variables) {
    if (view.variables.some((known) => known.name === name)) continue
    const declaration = { type: "string", required: false, ...(isSecret ? { secret: true } : {}) } as const
    const { plan } = await call("schemas.plan", { api, change: { do: "add", name, declaration } })
    await call("plans.apply", { plan })
  }
  for (const environment of environments) await write(api, environment, variables)
  await readEnvironmentsAgain(api)
  void readAuthenticationAgain()
}

const readNow = (api: string): Promise<EnvironmentsView> =>
  queryClient.fetchQuery({ ...environmentsQuery(api), staleTime: 0 })

function checkDeclared({ variables }: EnvironmentsView, { name, isSecret }: NewVariable): void {
  const known = variables.find((variable) => variable.name === name)
  if (known === undefined) return
  if (known.type !== "string")
    throw new UserError(`${visibleText(name)} is declared as a ${known.type}. Choose another name.`)
  if (isSecret && !known.secret)
    throw new UserError(
      `${visibleText(name)} is declared, but not as a secret. Declare it as a secret under Environments, or choose another name.`,
    )
}

async function write(api: string, environment: string, variables: readonly NewVariable[]): Promise<void> {
  await afterSaves({ api, environment })
  let view = await readNow(api)
  if (!view.environments.some(({ name }) => name === environment)) {
    await call("environments.create", { api, environment, extends: null, level: null })
    view = await readNow(api)
  }
  const etag = view.environments.find(({ name }) => name === environment)?.etag ?? null
  const set = Object.fromEntries(variables.map(({ name, value }) => [name, value]))
  const written = await readingAgainOn409(api, () =>
    call("environments.write", { api, environment, etag, set, unset: [] }),
  )
  holdEtag(api, environment, written.etag)
}
