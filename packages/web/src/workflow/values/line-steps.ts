// Converts the JSON pointer of a line to the steps of its value. Pure.

import { isJsonArray, type JsonValue, valueAt } from "@callsheet/format"

/** `/items/0/a~1b` becomes `["items", "0", "a/b"]`. */
export const stepsOf = (pointer: string): readonly string[] =>
  pointer === ""
    ? []
    : pointer
        .slice(1)
        .split("/")
        .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))

export function valueAtSteps(body: JsonValue, steps: readonly string[]): JsonValue | undefined {
  let here: JsonValue | undefined = body
  for (const step of steps) here = valueAt(here, [isJsonArray(here) ? Number(step) : step])
  return here
}
