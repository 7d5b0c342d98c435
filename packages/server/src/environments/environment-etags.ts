// What tells two states of an environment apart: one text for both of its files, which tells nothing of what they hold.

import { createHmac, randomBytes } from "node:crypto"
import type { Environment } from "@callsheet/format"
import { seenIn, type SeenEnvironment } from "@callsheet/project"

/** With a key of this process: who sees an etag can try no guesses of what the secrets file holds. */
export function createEnvironmentEtags(): (seen: SeenEnvironment) => string {
  const key = randomBytes(32)
  return ({ values, secrets }) =>
    createHmac("sha256", key)
      .update(JSON.stringify([values, secrets]))
      .digest("hex")
}

export const seenOf = ({ valueFile, secretsFile }: Environment): SeenEnvironment =>
  seenIn({ values: valueFile.text, secrets: secretsFile?.text })
