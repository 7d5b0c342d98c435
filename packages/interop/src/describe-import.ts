// Says what an import did with secrets and shared authentication, for the command and the app.

import { plural } from "@callsheet/format"
import type { ImportChangeSet } from "./make-import.ts"

type Secret = ImportChangeSet["secrets"][number]

const secretCauses: { readonly [C in Secret["cause"]]: string } = {
  marked: "marked as secret in the source",
  credential: "used as credentials",
  generated: "look generated",
  name: "named like secrets",
  content: "contain another secret",
}

export interface SecretsByCause {
  readonly cause: string
  /** As `api.name`. */
  readonly variables: readonly string[]
}

/** Groups the variables whose values are in secrets files by why they are there. */
export const secretsByCause = (secrets: readonly Secret[]): readonly SecretsByCause[] =>
  Object.entries(secretCauses).flatMap(([cause, words]) => {
    const variables = secrets.filter((one) => one.cause === cause).map(({ variable }) => variable)
    return variables.length === 0 ? [] : [{ cause: words, variables }]
  })

/** Says which header or parameter stands for the authentication of a folder or collection. */
export const describeSharedAuth = ({
  where,
  what,
  variables,
  requests,
}: ImportChangeSet["sharedAuth"][number]): string =>
  `${where}: no security scheme of a document has its authentication, so ${plural(requests, "request")} ${requests === 1 ? "has" : "have"} the ${what}${variables.length === 0 ? "" : ` with ${variables.join(", ")}`}`
