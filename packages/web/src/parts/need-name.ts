// A name that must be given before something is made or renamed: an empty field says nothing of it until the button is pressed.

import { Hindrance } from "../connection/fault-of.ts"

/** What is missing of a name; undefined where there is one, and another than it has. */
export function missingName(name: string, own?: string): string | undefined {
  if (name === "") return "Give a name."
  return name === own ? "Give another name." : undefined
}

/** To be called first in what a form does. */
export function needName(name: string, own?: string): void {
  const missing = missingName(name, own)
  if (missing !== undefined) throw new Hindrance(missing)
}
