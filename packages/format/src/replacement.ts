// Adds to a finding what to write instead of an unknown name.

import type { Finding, Replacement } from "./problems.ts"
import { onlySimilar } from "./text/did-you-mean.ts"

/** Adds the replacement if exactly one known name is similar. */
export function withReplacement<F extends Finding>(
  finding: F,
  { is, from, known }: Omit<Replacement, "to"> & { readonly known: Iterable<string> },
): F {
  const to = onlySimilar(from, known)
  return to === undefined ? finding : { ...finding, replacement: { is, from, to } }
}
