// The texts and numbers of a value that are secret by what its schemas say, however deep it is.

import { isJsonArray, type JsonObject, type JsonValue } from "@callsheet/format"
import { member } from "../../document/located.ts"
import type { ValueState } from "./value-states.ts"

/** Those of a value in a state. Booleans, null and empty texts are no secrets. */
export function* secretValues(
  body: JsonValue,
  state: ValueState | undefined,
): Generator<string | number | bigint> {
  const work = new OpenValues()
  work.add(body, state)
  for (let next = work.take(); next !== undefined; next = work.take()) {
    const { value } = next
    if (typeof value === "object" && value !== null) addInner(work, value, next.state.of(value))
    else if (typeof value !== "boolean" && value !== null && value !== "") yield value
  }
}

interface OpenValue {
  readonly value: JsonValue
  readonly state: ValueState
}

/** The values that are still to be looked into. */
class OpenValues {
  readonly #values: OpenValue[] = []

  /** Leaves out what can hold no secret. */
  add(value: JsonValue, state: ValueState | undefined): void {
    const mayHold = state !== undefined && (state.isSecret || (typeof value === "object" && value !== null))
    if (mayHold) this.#values.push({ value, state })
  }

  take(): OpenValue | undefined {
    return this.#values.pop()
  }
}

function addInner(
  work: OpenValues,
  value: Exclude<JsonValue, string | number | bigint | boolean | null>,
  state: ValueState,
): void {
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) work.add(item, state.item(index))
  } else {
    for (const [name, inner] of membersIn(value, state)) work.add(inner, state.property(name))
  }
}

const membersIn = (value: JsonObject, { names }: ValueState): readonly (readonly [string, JsonValue])[] =>
  names === undefined
    ? Object.entries(value)
    : names.flatMap((name) => {
        const inner = member(value, name)
        return inner === undefined ? [] : [[name, inner] as const]
      })
