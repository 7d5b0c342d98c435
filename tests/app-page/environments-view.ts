// An API's environments as the server returns them, for test pages.

import type {
  CellValue,
  CellView,
  EnvironmentColumn,
  EnvironmentsView,
  EnvironmentView,
  VariableView,
} from "@callsheet/server/calls"

const someVariables: readonly VariableView[] = [
  { name: "baseUrl", type: "string", required: true, secret: false, description: "Where the shop is." },
  { name: "timeout", type: "number", required: false, secret: false, default: 5000 },
  { name: "sandbox", type: "boolean", required: false, secret: false },
  { name: "apiKey", type: "string", required: true, secret: true, description: "Who asks." },
]

type Own = (environment: string, variable: VariableView) => CellValue | undefined

/** If `own` has no value, uses the parent's, then the default. No cell contains a secret's value. */
export function environmentsView(
  api: string,
  environments: readonly EnvironmentView[],
  { variables = someVariables, own = someValues }: { variables?: readonly VariableView[]; own?: Own } = {},
): EnvironmentsView {
  const parents = new Map(environments.map(({ name, extends: parent }) => [name, parent]))
  const cellOf = (environment: string, variable: VariableView): CellView => {
    const isAbstract = { file: variable.secret ? "secrets" : "values", isMissing: false } as const
    const shown = (value: CellValue): Pick<CellView, "value"> => (variable.secret ? {} : { value })
    const value = own(environment, variable)
    if (value !== undefined) return { from: "own", ...isAbstract, ...shown(value) }
    const parent = parents.get(environment)
    const inherited = parent === undefined || parent === environment ? undefined : own(parent, variable)
    if (parent !== undefined && inherited !== undefined)
      return { from: "inherited", environment: parent, ...isAbstract, ...shown(inherited) }
    return variable.default === undefined
      ? { from: "none", ...isAbstract, isMissing: variable.required }
      : { from: "default", ...isAbstract, ...shown(variable.default) }
  }
  const columns = environments.map(({ name, level, extends: parent }): EnvironmentColumn => ({
    name,
    level,
    ...(parent === undefined ? {} : { extends: parent }),
    effectiveLevel: level,
    effectiveVerify: level !== "local",
    etag: "1".repeat(64),
    isBroken: false,
    problems: [],
  }))
  // `fromEntries` defines own properties, whatever their name.
  const cells = Object.fromEntries(
    environments.map(({ name }) => [
      name,
      Object.fromEntries(variables.map((variable) => [variable.name, cellOf(name, variable)])),
    ]),
  )
  const schema = { path: `apis/${api}/environments/schema.json`, etag: "1".repeat(64), problems: [] }
  return { api, schema, variables, environments: columns, cells }
}

function someValues(environment: string, { name }: VariableView): CellValue | undefined {
  if (name === "baseUrl") return environment === "local" ? undefined : `https://${environment}.shop.example`
  if (name === "apiKey") return environment === "production" ? undefined : "hidden"
  return name === "timeout" && environment === "staging" ? 10_000 : undefined
}
