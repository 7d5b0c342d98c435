// What texts of an input may be: names of the format, and texts of no more than characters.

import {
  CallsheetError,
  isApiName,
  isEnvironmentName,
  isWorkflowName,
  objectToId,
  type Level,
  type ProblemCode,
  type ScalarType,
} from "@callsheet/format"
import { isFreeName, isScriptPath } from "./files/file-parts.ts"
import { isRunId } from "./runs/run-id.ts"

export interface TextRule {
  readonly isAllowed: (text: string) => boolean
  readonly code: ProblemCode
  readonly message: string
}

const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text)

const levels: readonly string[] = ["production", "staging", "local"] satisfies readonly Level[]
const types: readonly string[] = ["string", "number", "boolean"] satisfies readonly ScalarType[]

/** What is refused is not repeated: neither in full nor in part. */
export const texts = {
  api: { isAllowed: isApiName, code: "api-name", message: "no API can have this name" },
  environment: {
    isAllowed: isEnvironmentName,
    code: "env-name",
    message: "no environment can have this name",
  },
  workflow: { isAllowed: isWorkflowName, code: "workflow-name", message: "no workflow can have this name" },
  run: { isAllowed: isRunId, code: "run-unknown", message: "no run can have this name" },
  text: { isAllowed: isWellFormed, code: "field-value", message: "the text is not well-formed" },
  script: { isAllowed: isScriptPath, code: "script-name", message: "no script can have this name" },
  request: { isAllowed: isFreeName, code: "instance-name", message: "no saved request can have this name" },
  etag: { isAllowed: (text) => /^[0-9a-f]{64}$/.test(text), code: "field-value", message: "this is no etag" },
  level: {
    isAllowed: (text) => levels.includes(text),
    code: "field-value",
    message: "there is no such level",
  },
  type: { isAllowed: (text) => types.includes(text), code: "field-value", message: "there is no such type" },
  purpose: {
    isAllowed: (text) => text === "show" || text === "copy",
    code: "field-value",
    message: "there is no such purpose",
  },
  input: {
    isAllowed: (name) => objectToId(name) === undefined,
    code: "input-unknown",
    message: "no input can have this name",
  },
} as const satisfies Readonly<Record<string, TextRule>>

/** Reads a field that is a text of this rule. It throws what is wrong with it. */
export function readText({ isAllowed, code, message }: TextRule): (name: string, value: unknown) => string {
  return (name, value) => {
    if (value === undefined) throw new CallsheetError("field-missing", `${name} is missing`)
    if (typeof value !== "string") throw new CallsheetError("field-type", `${name} must be a text`)
    if (!isAllowed(value)) throw new CallsheetError(code, `${name}: ${message}`)
    return value
  }
}
