// Required names. An empty field shows an error only after the button is pressed.

import { UserError } from "../connection/fault-of.ts"

/** Returns the error for an empty or unchanged name. Undefined for other names. */
export function missingName(name: string, own?: string): string | undefined {
  if (name === "") return "Enter a name."
  return name === own ? "Enter a different name." : undefined
}

/** Throws the error for an empty or unchanged name. Call this first in the handler of a form. */
export function needName(name: string, own?: string): void {
  const missing = missingName(name, own)
  if (missing !== undefined) throw new UserError(missing)
}
