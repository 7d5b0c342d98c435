// Defines the type of a problem and all codes. Each code has the sentence that starts its entry in the docs.

/** Codes of problems with files. */
export const fileCodes = {
  "json-syntax": "A file is not valid JSON, or an object has the same key twice.",
  "yaml-syntax": "An OpenAPI document is not valid YAML.",
  "dotenv-syntax": "A line of a secrets file is not a `NAME=value` assignment.",
  "rows-invalid": "A data file has no rows, or rows that can't be read.",
  "file-encoding": "A file is not UTF-8.",
  "file-unreadable": "A file can't be read: missing permissions, not a regular file, or too large.",
  "file-conflict": "A file has conflict markers from an unfinished merge.",
  "link-outside": "A symbolic link or a document's reference leads out of the project.",
  "path-refused": "A project file names a file that callsheet doesn't write there.",
  "version-invalid": "`version` is not the number 1.",
  "field-missing": "A required field is missing.",
  "field-type": "A field has a value of the wrong type.",
  "field-unknown": "The format does not define this field, or does not allow it here.",
  "field-value": "A field's value is not allowed.",
  "exactly-one": "Exactly one of several fields must be set.",
  "id-duplicate":
    "A name is used twice: by blocks, inputs or iterators of a workflow, by entries of a suite, or by entries of the baseline.",
  "baseline-reason": "An entry of `callsheet.baseline.json` has no reason.",
  "baseline-stale": "A known violation did not appear, although the run reached its operation.",
  "id-invalid": "A block id or a name contains characters that are not allowed.",
  "token-malformed":
    "A `{{placeholder}}` is empty, is not closed, is not allowed here, or is written as in other tools.",
  "api-unknown": "The directory `apis/<api>` does not exist.",
  "api-name": "An API's name is not allowed.",
  "document-invalid": "An OpenAPI document can't be used.",
  "document-standard": "A part of an OpenAPI document breaks the standard, or can never have an effect.",
  "document-ambiguous": "An API has more than one OpenAPI document.",
  "instance-name": "The name of a saved request or of its directory is not allowed.",
  "operation-unknown": "The API's document has no operation with this name, or several.",
  "instance-unknown": "The API has no saved request with this name, or several.",
  "script-name": "The name of a script or of its directory is not allowed.",
  "script-missing": "A script file, or the function it should export, does not exist.",
  "script-syntax": "A script is not valid TypeScript.",
  "import-source": "A file to import has no known format, or can't be read as one.",
  "import-todo": "An imported script is not translated to TypeScript yet.",
  "script-result-ignored": "An `assert` or `script` function returns a value, which callsheet doesn't read.",
  "script-type": "The TypeScript compiler reports an error in a script.",
  "source-unresolved": "A path does not resolve: its first name is unknown, or a step is not documented.",
  "result-skipped": "A block reads the result of a block that may be skipped.",
  "operator-type": "A comparison always passes or always fails because of the types of its two sides.",
  "parameter-missing": "A required query parameter, header or cookie of an operation has no value.",
  "parameter-unknown": "The operation does not document a parameter with this name.",
  "parameter-type": "A parameter's value does not have the documented type.",
  "file-stray": "callsheet does not read this file.",
  "snapshot-unused": "A snapshot belongs to no request block.",
  "watch-limit": "The system refuses to watch more directories.",
  "body-missing": "An operation requires a body, and the request sends none.",
  "body-field-missing": "A required field of a request body has no value.",
  "body-field-unknown": "The operation does not document this field in its body.",
  "body-field-type": "A field of a request body does not have the documented type.",
} as const satisfies Record<string, string>

/** Codes of problems with environments, variables and inputs. */
export const settingCodes = {
  "variable-undeclared": "A variable has a value but is not declared in `schema.json`.",
  "variable-type": "A variable's value does not have its declared type.",
  "variable-missing": "A required variable has no value.",
  "variable-reserved": "A reserved key is declared as a variable.",
  "variable-name": "A variable's name contains characters that are not allowed.",
  "variable-exists": "A variable with this name is already declared, or already has values.",
  "variable-ambiguous": "One environment variable would set two variables.",
  "secret-committed": "A secret's value is in a value file under version control.",
  "secrets-tracked": "Git tracks a secrets file.",
  "secrets-unignored": "No rule of git ignores a secrets file.",
  "secret-default": "A secret has a default, which is under version control.",
  "secret-unquotable": "A secret's value can't be quoted in the dotenv dialect.",
  "secret-values": "A variable stops being a secret, but you have not decided what happens to its values.",
  "secret-unresolved": "The secret that a variable refers to could not be resolved.",
  "user-file-unsafe": "Others can read or change the user-level file, or it is inside the project.",
  "level-unset": "An environment is named like production but has no `level`.",
  "status-unread": "A response's status is 400 or above, but nothing in the workflow checks it.",
  "snapshot-missing": "A request block has no snapshot.",
  "contract-unavailable":
    "A workflow validates contracts, but the document does not have the method and path of a request.",
  "credential-invalid":
    "A credential names its scheme twice, is not `user:password`, or has a blank or a line break at an end.",
  "stream-item-invalid": "An item of a stream isn't JSON, or isn't valid UTF-8.",
  "header-invalid": "A response has a header that contradicts itself, or that callsheet ignores.",
  "redirect-body": "A redirect changed the method of a request, so its body was not sent.",
  "secrets-unmasked": "A run captured more secrets than callsheet can mask. Reports may show the later ones.",
  "tls-unverified": "callsheet does not verify the server's certificate in this environment.",
  "extends-cycle": "Environments extend each other in a cycle.",
  "extends-missing": "An environment extends a parent that does not exist.",
  "env-missing": "An environment does not exist, or an API in a run has no environment.",
  "env-ambiguous": "An API has several environments, and none was chosen.",
  "env-exists": "An environment with this name already exists.",
  "env-in-use": "Other environments extend this one.",
  "env-name": "An environment's name is not allowed.",
  "input-missing": "A required input has no value and no default.",
  "input-unknown": "No workflow of the run declares this input.",
  "input-type": "An input's value does not have its declared type.",
} as const satisfies Record<string, string>

/** Codes of commands and the app that refuse to do something. */
const commandCodes = {
  "confirm-required": "A run against production requires confirmation.",
  "login-required": "A run requires a login with a browser.",
  "traceparent-invalid": "The environment variable TRACEPARENT is not valid, and was ignored.",
  "retry-unsafe": "A failed workflow was not retried, because its requests are not idempotent.",
  "replay-script":
    "A script can't be replayed, because it reads files, uses the network or starts processes.",
  "run-unknown": "No current or stored run has this name.",
  "block-unknown": "The workflow has no block with this id.",
  "results-missing": "A single block can't run, because the results that it reads don't exist.",
  "run-limit": "Too many runs are in progress in the app.",
  "workflow-unknown": "No workflow has this name.",
  "suite-unknown": "`callsheet.json` has no suite with this name.",
  "workflow-name": "A workflow's name is not allowed.",
  "project-missing": "No project was found: neither this directory nor any parent has an `apis` directory.",
  "project-exists": "A project already exists here.",
  "write-failed":
    "A file could not be written. Existing content is unchanged unless the message says otherwise.",
  "file-changed": "Another program changed the file after it was read.",
  "file-missing": "The file does not exist.",
  "file-exists": "A file or directory with this name already exists.",
  "file-twin": "Another file or directory has the same name except for case or accents.",
  "plan-unknown": "The preview of a change has expired or doesn't exist.",
  "etag-missing": "A change does not say which version of the file it is based on.",
  "draft-limit": "The app keeps too many unsaved changes.",
  "remote-refused": "The app refuses this while other machines can reach it.",
  locked: "Another callsheet process is changing the project.",
  "types-in-the-way": "callsheet did not create the directory for generated script types.",
  "compiler-missing": "Checking scripts requires a TypeScript compiler.",
  "compiler-failed": "The TypeScript compiler stopped without a result.",
  "secret-leaked": "The output of a run contains a secret's value.",
  "collector-failed": "A collector has not accepted the traces of a run.",
  "report-failed": "A report, a record or standard output can't be written.",
  "record-invalid": "A record can't be read, is incomplete, or doesn't belong to the other records.",
  "port-unusable": "The app or a mock can't listen on its port.",
  "service-unavailable": "A mock or the inbox that a run needs can't start.",
  "app-missing": "The project's app is not running.",
  usage: "The command line is not valid.",
} as const satisfies Record<string, string>

/** Codes of problems found before anything is sent. */
export const problemCodes = { ...fileCodes, ...settingCodes, ...commandCodes }

/** Codes of failures: the reasons why a block failed in a run. */
export const failureCodes = {
  "token-unresolved": "A `{{placeholder}}` does not resolve.",
  "path-unresolved": "An override's path can't be set in the body.",
  "request-failed": "The request could not be sent, or its response could not be read.",
  "auth-failed": "The request was not sent, because callsheet could not get an access token.",
  "request-timeout": "The request exceeded its time limit.",
  "path-param-missing": "A path parameter has no value, or its value is empty.",
  "too-many-redirects": "The server redirected the request more than 10 times.",
  "contract-broken": "The response does not match the OpenAPI document.",
  "baseline-expired": "An entry of `callsheet.baseline.json` has expired, so its violation fails.",
  "snapshot-differs": "The response differs from its snapshot.",
  "assertion-failed": "One or more assertions failed.",
  "script-error": "A script threw an error or ended its process.",
  "script-timeout": "A script exceeded its time limit.",
  "script-result": "A script returned a value that its block can't use.",
  "loop-source": "The source of a `forEach` loop is not an array.",
  "until-exhausted": "The condition of an `until` loop never passed.",
  "child-failed": "A nested block failed.",
  "replay-missing": "The record contains no response for a request.",
  "replay-different": "A request differs from the recorded one, and `--strict` is set.",
  "replay-undecidable": "A replay can't decide something that depends on a masked value.",
  "mock-refused": "A mock refused a request that the OpenAPI document forbids.",
  "mock-unrecorded": "The record that a mock answers from contains no such request.",
  "secret-undecidable": "An agent started the run, and it can't decide something that depends on a secret.",
  "check-failed": "A condition could not be evaluated.",
  "value-too-large": "A value repeats other values so often that it would be too large.",
  "unexpected-error": "callsheet has a bug, which stopped a part of the run. The rest of the run went on.",
} as const satisfies Record<string, string>

export type FailureCode = keyof typeof failureCodes
/** Any code of a problem. Includes failure codes, because some failures can be found before the run, or end a command. */
export type ProblemCode =
  | keyof typeof problemCodes
  | Extract<
      FailureCode,
      | "baseline-expired"
      | "token-unresolved"
      | "path-unresolved"
      | "path-param-missing"
      | "request-failed"
      | "request-timeout"
      | "loop-source"
      | "replay-undecidable"
      | "unexpected-error"
      | "secret-undecidable"
    >

export type Severity = "error" | "warning"

/** What to write instead of an unknown name. */
export interface Replacement {
  /**
   * A key, or the last name of a key that is a path; a whole string; a name in the path or placeholder of a string; or
   * that whole path.
   */
  readonly is: "key" | "value" | "name" | "path"
  readonly from: string
  readonly to: string
}

/** A problem without its position. Its default severity is error. */
export interface Finding<Code extends string = ProblemCode> {
  readonly code: Code
  readonly message: string
  readonly hint?: string | undefined
  /** The line of a script with a syntax error, and a line below it that marks the place. */
  readonly excerpt?: string | undefined
  readonly severity?: Severity | undefined
  /** The only name that can be meant. Never printed: the hint says it to people. */
  readonly replacement?: Replacement | undefined
}

/** A problem with the files, the inputs or the bindings. Problems are collected, never thrown. */
export interface Problem extends Omit<Finding, "replacement"> {
  readonly severity: Severity
  /** The path from the project root, with `/`. Absent if the cause is an input or an option. */
  readonly file?: string | undefined
  /** The 1-based line. `column` is 1-based too, in UTF-16 code units, as in editors. */
  readonly line?: number | undefined
  readonly column?: number | undefined
}

/** An error to report to the user by its code. Caught at the entry points. */
export class CallsheetError extends Error {
  override readonly name = "CallsheetError"
  readonly code: ProblemCode
  readonly hint: string | undefined
  readonly problems: readonly Problem[]

  constructor(finding: Finding, options: { cause?: unknown; problems?: readonly Problem[] } = {}) {
    super(finding.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = finding.code
    this.hint = finding.hint
    this.problems = options.problems ?? []
  }
}

export const toProblem = ({ replacement: _, ...finding }: Finding, file?: string): Problem => ({
  ...finding,
  severity: finding.severity ?? "error",
  file,
})

/** Leaves out problems that say the same about the same place. */
export const distinctProblems = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(
    problems.map((each) => [[each.file, each.line, each.column, each.code, each.message].join("\n"), each]),
  ).values(),
]

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some((problem) => problem.severity === "error")

export const byPosition = (problems: readonly Problem[]): readonly Problem[] =>
  [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))

/** Splits the problems that a command printed: each starts a line, and its hint is indented. Errors come first. */
export function splitProblems(printed: string): readonly string[] {
  const all = printed
    .trimEnd()
    .split(/\r?\n(?![ \t])/)
    .filter((problem) => problem.trim() !== "")
  const isWarning = (problem: string): boolean => problem.startsWith("warning: ")
  return [...all.filter((problem) => !isWarning(problem)), ...all.filter(isWarning)]
}

/** Formats a problem on one line, as every command prints it: `file:line:column: message (code)`. */
export function formatProblem({ file, line, column = 1, message, code }: Problem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`
  return `${file === undefined ? "" : `${place}: `}${message} (${code})`
}
