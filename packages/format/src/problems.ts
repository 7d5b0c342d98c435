// Every code that a problem, a failure or a misuse can carry, with its sentence in `docs/reference/errors.md`; and the
// shape of a problem.

/** Codes of what is wrong with files, inputs or bindings, found before anything is sent. */
export const problemCodes = {
  "json-syntax": "A file is not well-formed JSON, or holds a key twice.",
  "yaml-syntax": "An OpenAPI document is not well-formed YAML.",
  "dotenv-syntax": "A line of a secrets file is no assignment.",
  "file-encoding": "A file is not UTF-8.",
  "file-unreadable": "A file cannot be read: permissions, not a regular file, or too large.",
  "file-conflict": "A file holds the conflict markers of an unfinished merge.",
  "link-outside": "A symbolic link, or a reference of a document, leads out of the project.",
  "version-invalid": "`version` is not the number 1.",
  "field-missing": "A required field is not there.",
  "field-type": "A field holds a value of the wrong type.",
  "field-unknown": "A field that the format does not know, or that does not belong to this kind or mode.",
  "field-value": "A field's value is outside of what it may be.",
  "exactly-one": "Exactly one of several fields must be given.",
  "id-duplicate": "Two blocks, or a block and an input or iterator, share one name.",
  "id-invalid": "A block id or a name holds characters that it may not.",
  "token-malformed": "A `{{token}}` is empty, is not closed, or stands where none may.",
  "api-unknown": "No folder `apis/<api>` of that name.",
  "api-name": "An API's name is not a slug, or is reserved.",
  "document-invalid": "An OpenAPI document cannot be used.",
  "document-ambiguous": "An API has more than one OpenAPI document.",
  "instance-name": "The name of a saved request, or of its folder, is not allowed.",
  "operation-unknown": "The API's document has no such operation, or several.",
  "instance-unknown": "The API has no such saved request, or several.",
  "script-name": "The name of a script, or of its folder, is not allowed.",
  "script-missing": "A script file, or the function that it should export, is not there.",
  "script-syntax": "A script is not well-formed TypeScript.",
  "script-type": "The TypeScript compiler objects to a script.",
  "source-unresolved": "A path leads to nothing: its first name, or a step that is not documented.",
  "result-skipped": "The result of a block that may have been skipped is read.",
  "operator-type": "An operator can never hold, or never fail, for the types of its two sides.",
  "parameter-missing": "A required query parameter, header or cookie of an operation has no value.",
  "parameter-unknown": "An operation does not document a parameter of that name.",
  "parameter-type": "A parameter's value is not of the documented type.",
  "file-stray": "A file stands where nothing reads it.",
  "watch-limit": "The system lets no more folders be watched.",
  "body-missing": "An operation requires a body, and none is sent.",
  "body-field-missing": "A required field of a request body has no value.",
  "body-field-unknown": "An operation does not document a field of that name in its body.",
  "body-field-type": "A field of a request body is not of the documented type.",
  "variable-undeclared": "A variable has a value but is not declared in `schema.json`.",
  "variable-type": "A variable's value is not of its declared type.",
  "variable-missing": "A required variable resolves to nothing.",
  "variable-reserved": "A reserved key is declared as a variable.",
  "variable-name": "A variable's name holds characters that it may not.",
  "variable-exists": "A variable of that name is declared already, or has values already.",
  "variable-ambiguous": "Two variables share the name of one process variable, and it is set.",
  "secret-committed": "A secret's value stands in a committed value file.",
  "secret-default": "A secret has a default, which stands in version control.",
  "secret-unquotable": "A secret's value cannot be written in any quoting of the dotenv dialect.",
  "secret-values": "A secret is to be one no longer, and nobody has said what becomes of its values.",
  "level-unset": "An environment is named like production but has no `level`.",
  "status-unread": "A response's status is 400 or above and nothing in the workflow looks at it.",
  "secrets-unmasked": "A run found out more secrets than are kept, so that later ones are not masked.",
  "tls-unverified": "Certificates of an environment are not verified.",
  "extends-cycle": "Environments extend each other in a circle.",
  "extends-missing": "The parent that an environment extends does not exist.",
  "env-missing": "An environment does not exist, or an API that a run touches has none.",
  "env-ambiguous": "An API has several environments and none was chosen.",
  "env-exists": "An environment of that name exists already.",
  "env-in-use": "Other environments extend this one.",
  "env-name": "An environment's name is not allowed.",
  "input-missing": "A required input has no value and no default.",
  "input-unknown": "No workflow of the run declares that input.",
  "input-type": "An input's value is not of its declared type.",
  "confirm-required": "A production environment needs a confirmation.",
  "run-unknown": "No run of that name is going on or kept.",
  "block-unknown": "The workflow has no block of that id.",
  "results-missing": "One block alone cannot run: no results of a run before are there for it.",
  "run-limit": "Too many runs are under way in the companion application.",
  "workflow-unknown": "No workflow of that name.",
  "workflow-name": "A workflow's name is not allowed.",
  "project-missing": "No project: no folder `apis/` here or above.",
  "project-exists": "A project is there already.",
  "write-failed":
    "A file could not be written; what was there is unchanged, unless the message names what is not.",
  "file-changed": "Another program has changed the file since it was read.",
  "file-missing": "The file is not there.",
  "file-exists": "A file or folder of that name is there already.",
  "file-twin": "A file or folder is there whose name differs in case, or in how an accent is written, alone.",
  "plan-unknown": "A plan of a change is too old, or never was.",
  "etag-missing": "A change does not say what it was made from.",
  "draft-limit": "Too much is kept that was not saved in the companion application.",
  "remote-refused": "The companion application does not do it while other machines can reach it.",
  locked: "Another callsheet process is changing the project.",
  "types-in-the-way": "Something else stands where the types of scripts are written.",
  "compiler-missing": "Scripts cannot be checked without a TypeScript compiler.",
  "compiler-failed": "The TypeScript compiler ended without saying what it found.",
  "secret-leaked": "The value of a secret was found in what a run wrote.",
  "report-failed": "A report could not be written.",
  "port-unusable": "The companion application cannot listen at its port.",
  "app-missing": "No companion application of the project is running.",
  usage: "The command was called with words that it does not take.",
} as const satisfies Record<string, string>

/** Codes of why a block failed: what a run found. */
export const failureCodes = {
  "token-unresolved": "A `{{token}}` resolves to nothing.",
  "path-unresolved": "An override's path cannot be set in the body.",
  "request-failed": "The request could not be sent, or its response could not be read.",
  "request-timeout": "The request did not end within its time-out.",
  "path-param-missing": "A path parameter has no value, or an empty one.",
  "too-many-redirects": "More than 10 redirects.",
  "contract-broken": "The response is not what the OpenAPI document promises.",
  "assertion-failed": "One or more assertions do not hold.",
  "script-error": "A script threw, or ended its process.",
  "script-timeout": "A script did not end within its time-out.",
  "script-result": "A script returned what its block cannot use.",
  "loop-source": "The source of a `forEach` loop is no array.",
  "until-exhausted": "The check of an `until` loop never passed.",
  "child-failed": "A nested block failed.",
  "check-failed": "The check of a condition could not be made.",
} as const satisfies Record<string, string>

export type FailureCode = keyof typeof failureCodes
/** What a run would fail of is found before it where that can be, under the same code. */
export type ProblemCode =
  | keyof typeof problemCodes
  | Extract<FailureCode, "token-unresolved" | "path-unresolved" | "path-param-missing" | "loop-source">

export type Severity = "error" | "warning"

/** Something wrong, before its place is known. Without a severity, it is an error. */
export interface Finding<Code extends string = ProblemCode> {
  readonly code: Code
  readonly message: string
  readonly hint?: string | undefined
  readonly severity?: Severity | undefined
}

/** Something wrong with the files, the inputs or the bindings. A value: collected, never thrown. */
export interface Problem extends Finding {
  readonly severity: Severity
  /** Path from the project root with `/`; absent where no file is to blame (an input, an option). */
  readonly file?: string | undefined
  /** 1-based, in UTF-16 code units as editors count. */
  readonly line?: number | undefined
  readonly column?: number | undefined
}

interface OldOptions {
  hint?: string | undefined
  cause?: unknown
  problems?: readonly Problem[]
}

/** The caller asked for what cannot be. Thrown, and caught once at the edge. */
export class CallsheetError extends Error {
  override readonly name = "CallsheetError"
  readonly code: ProblemCode
  readonly hint: string | undefined
  readonly problems: readonly Problem[]

  constructor(finding: Finding, options?: { cause?: unknown; problems?: readonly Problem[] })
  constructor(code: ProblemCode, message: string, options?: OldOptions)
  constructor(
    what: Finding | ProblemCode,
    second: string | { cause?: unknown; problems?: readonly Problem[] } = {},
    third: OldOptions = {},
  ) {
    const finding =
      typeof what === "string" ? { code: what, message: second as string, hint: third.hint } : what
    const options = typeof second === "string" ? third : second
    super(finding.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = finding.code
    this.hint = finding.hint
    this.problems = options.problems ?? []
  }
}

/** The problem that a finding is, in a file or in none. */
export const toProblem = (finding: Finding, file?: string): Problem => ({
  ...finding,
  severity: finding.severity ?? "error",
  file,
})

export const hasErrors = (problems: readonly Problem[]): boolean =>
  problems.some((problem) => problem.severity === "error")

export const byPosition = (problems: readonly Problem[]): readonly Problem[] =>
  [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0))

/** One line a problem, as every command prints it: `file:line:column: message (code)`. */
export function formatProblem(problem: Problem): string {
  const position =
    problem.file === undefined
      ? ""
      : problem.line === undefined
        ? `${problem.file}: `
        : `${problem.file}:${problem.line}:${problem.column ?? 1}: `
  return `${position}${problem.message} (${problem.code})`
}
