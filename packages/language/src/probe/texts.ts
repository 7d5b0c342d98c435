// The sentences in the files of probes.

import { stringifyJson, type JsonValue } from "@callsheet/format"

interface Probed {
  readonly parameter: string
  readonly rule: string
  readonly isValid: boolean
  readonly value: JsonValue
}

/** The longest value to quote. */
const MAX_SHOWN = 60

/** Quotes a value on one line. */
const shown = (value: JsonValue): string => {
  const text = stringifyJson(value)
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

export const PROBE = "probe"

/** The rule of a valid request, which tests no value. */
export const VALID = "valid"

export const probeTexts = {
  inputs: {
    request: "The saved request to send, which differs from a valid one in a single value.",
    above: "The status must be greater than this one.",
    below: "The status must be less than this one.",
  },
  /** Describes what a saved request sends. Braces of a document would be a placeholder. */
  saved: ({ parameter, rule, isValid, value }: Probed): string =>
    (rule === VALID
      ? "A valid request."
      : rule === "required"
        ? `Leaves out \`${parameter}\`, which is required.`
        : `Sends ${isValid ? "a valid" : "an invalid"} \`${parameter}\`: ${rule} with ${shown(value)}.`
    ).replaceAll("{{", "{ {"),
  needsInputs: (names: readonly string[]) =>
    `no value can be decided for ${names.map((name) => `\`${name}\``).join(", ")}; save a valid request`,
}
