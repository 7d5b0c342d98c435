// Declares a secret variable, if the API doesn't have it yet, and stores its value in an environment.

import { call } from "../../connection/call.ts"
import { UserError } from "../../connection/fault-of.ts"
import { visibleText } from "../../ui/visible-text.ts"
import { readEnvironmentsAgain } from "../../environments/use-environments.ts"

export interface NewSecret {
  readonly api: string
  readonly environment: string
  /** The name of the variable. */
  readonly name: string
  readonly value: string
}

/** The value goes into the secrets file of the environment, which Git ignores. Rejects if a step fails. */
export async function storeSecret({ api, environment, name, value }: NewSecret): Promise<void> {
  const { variables } = await call("environments.read", { api })
  const known = variables.find((variable) => variable.name === name)
  if (known?.secret === false)
    throw new UserError(`${visibleText(name)} is already a variable, and it isn't a secret.`)
  if (known === undefined) {
    const declaration = { type: "string", required: false, secret: true } as const
    const { plan } = await call("schemas.plan", { api, change: { do: "add", name, declaration } })
    await call("plans.apply", { plan })
  }
  const { environments } = await call("environments.read", { api })
  const etag = environments.find((one) => one.name === environment)?.etag
  if (etag === undefined) throw new UserError(`The environment ${visibleText(environment)} doesn't exist.`)
  await call("environments.write", { api, environment, etag, set: { [name]: value }, unset: [] })
  await readEnvironmentsAgain(api)
}
