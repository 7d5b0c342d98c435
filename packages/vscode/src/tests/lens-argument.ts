// Reads the argument of `callsheet.run`, which comes from the language server.

export interface LensArgument {
  /** The path or the URI of the project. */
  readonly project: string
  readonly workflow: string
  readonly until: string | undefined
  /** `<api>=<environment>` or `<environment>`. Undefined to use the chosen one. */
  readonly environments: readonly string[] | undefined
}

/** Returns undefined if the argument is something else. */
export function readLensArgument(argument: unknown): LensArgument | undefined {
  if (typeof argument !== "object" || argument === null) return undefined
  const { project, workflow, until, environments }: Readonly<Record<string, unknown>> = { ...argument }
  if (typeof project !== "string" || typeof workflow !== "string") return undefined
  return {
    project,
    workflow,
    until: typeof until === "string" ? until : undefined,
    environments: environmentsIn(environments),
  }
}

/** Environments are a list for `--env`, or an object by API. If it has none, the chosen one counts. */
function environmentsIn(given: unknown): readonly string[] | undefined {
  if (typeof given !== "object" || given === null) return undefined
  const named = Array.isArray(given)
    ? given.filter((environment) => typeof environment === "string")
    : Object.entries(given).map(([api, name]) => `${api}=${String(name)}`)
  return named.length === 0 ? undefined : named
}
