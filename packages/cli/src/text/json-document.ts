// Prints a value as a JSON document for programs.

import { stringifyJson, type JsonValue } from "@callsheet/format"
import { breakCommandsInJson } from "./log-commands.ts"

export const jsonDocument = (value: JsonValue | object): string =>
  breakCommandsInJson(`${stringifyJson(value, { indent: 2 })}\n`)
