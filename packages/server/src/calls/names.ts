// Names and strings that calls accept. A refusal must not repeat its input, so messages depend only on the code.

import {
  addressPattern,
  isApiName,
  isEnvironmentName,
  isSuiteName,
  isWorkflowName,
  checkFreeName,
  checkId,
  checkVariableName,
  shapes,
  type ProblemCode,
  type Shape,
} from "@callsheet/format"

const { either, nothing, required, string } = shapes

export const refusals: Readonly<Partial<Record<ProblemCode, string>>> = {
  "api-name": "no API can have this name",
  "env-name": "no environment can have this name",
  "field-missing": "a field is missing",
  "field-type": "the value has the wrong type",
  "field-unknown": "the field is unknown",
  "field-value": "the value is not allowed",
  "input-unknown": "no input can have this name",
  "instance-name": "no saved request can have this name",
  "run-unknown": "no run can have this name",
  "script-name": "no script can have this name",
  "variable-name": "no variable can have this name",
  "variable-reserved": "names reserved in value files can't be variables",
  "workflow-name": "no workflow can have this name",
}

const check = (code: ProblemCode, isAllowed: (text: string) => boolean) => (text: string) =>
  isAllowed(text) ? undefined : { code, message: refusals[code] ?? "" }

export const inboxUrl = string(check("field-value", (text) => addressPattern.test(text)))

/** The maximum length of a name. File names are limited to 255 bytes, including the extension. */
const MAX_NAME_BYTES = 250
const MAX_DEPTH = 16

/**
 * Returns whether text is a valid path segment. Names that start with "." belong to other programs and are never
 * listed.
 */
const isFreeName = (name: string): boolean =>
  name !== "" &&
  !name.startsWith(".") &&
  !name.includes("/") &&
  new TextEncoder().encode(name).length <= MAX_NAME_BYTES &&
  checkFreeName(name) === undefined

/** Accepts paths such as `checks/total`. Rejects names that other kinds of files use. */
function isScriptPath(path: string): boolean {
  const names = path.split("/", MAX_DEPTH + 1)
  return (
    names.length <= MAX_DEPTH &&
    names.every((name) => isFreeName(name) && name !== "node_modules") &&
    !path.endsWith(".d")
  )
}

const runId = /^\d{8}T\d{9}Z-[0-9a-f]{16}$/
export const isRunId = (text: string): boolean => runId.test(text)

export const checkApiName = check("api-name", isApiName)
export const checkInputName = check("input-unknown", (name) => checkId(name) === undefined)

export const apiName = string(checkApiName)
export const environmentName = string(check("env-name", isEnvironmentName))
export const workflowName = string(check("workflow-name", isWorkflowName))
const SUITE = "suite/"

/** Returns the name of a suite's run. Its slash distinguishes it from the name of a workflow. */
export const suiteSubject = (suite: string): string => `${SUITE}${suite}`

/** Returns the suite that a run's name refers to. Undefined if it refers to a workflow. */
export const suiteOf = (subject: string): string | undefined =>
  subject.startsWith(SUITE) ? subject.slice(SUITE.length) : undefined

const isSubject = (text: string): boolean => {
  const suite = suiteOf(text)
  return suite === undefined ? isWorkflowName(text) : isSuiteName(suite)
}

export const subjectName = string(check("workflow-name", isSubject))
export const runName = string(check("run-unknown", isRunId))
export const scriptName = string(check("script-name", isScriptPath))
export const requestName = string(check("instance-name", isFreeName))
const isSourceName = (name: string): boolean =>
  name !== "" && name.length <= 255 && !/[\p{Cc}/\\]/u.test(name)
export const sourceName = string(check("field-value", isSourceName))
export const sourcePath = string(
  check("field-value", (path) => {
    const names = path.split("/", 2 * MAX_DEPTH + 1)
    return names.length <= 2 * MAX_DEPTH && names.every((name) => isSourceName(name) && name !== "..")
  }),
)
export const variableName = string(checkVariableName)
export const text = string()

export const orNull = <T>(shape: Shape<T>): Shape<T | null> => either("the value or null", shape, nothing)

/**
 * The version of the file on which a change is based. Null if the file didn't exist. If the etag is missing, the answer
 * is 428.
 */
export const etagOrNull: Shape<string | null> = orNull(
  string(check("field-value", (etag) => /^[0-9a-f]{64}$/.test(etag))),
)

export const api = required(apiName, "The API's name.")
export const environment = required(environmentName, "The environment's name.")
export const workflow = required(workflowName, "The workflow's name.")
export const subject = required(subjectName, "The workflow's name, or `suite/` and the name of a suite.")
export const run = required(runName, "The id that the start of the run returned.")
export const etag = required(
  etagOrNull,
  "The version that the change is based on. Null if there was no file.",
)
