// Says that a file names an API that the project doesn't have, and which one it probably means.

import { formatMessages, withReplacement, type Replacement } from "@callsheet/format"

export const unknownApi = (api: string, known: readonly string[], is: Replacement["is"]) =>
  withReplacement(formatMessages["api-unknown"].unknown(api, known), { is, from: api, known })
