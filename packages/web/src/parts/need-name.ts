// Required names: an empty field shows no error until the button is pressed.

import { UserError } from "../connection/fault-of.ts"

/** Returns the error for an empty or unchanged name; undefined otherwise. */
export function missingName(name: string, own?: string): string | undefined {
  if (name === "") return "Enter a name."
  return name === own ? "Enter a different name." : undefined
}

/** Call first in a form's submit handler. */
export function needName(name: string, own?: string): void {
  const missing = missingName(name, own)
  if (missing !== undefined) throw new UserError(missing)
}
