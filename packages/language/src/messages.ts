// Every message of the `language` package, by code.

import { defineMessages, hints, ownOf, quote, type ScalarType, suggest } from "@callsheet/format"

const listed = (names: readonly string[]): string => names.join(", ")

/** The problem of a whole data file, reported at the field that names it. */
export const inDataFile = (field: string, file: string, message: string): string =>
  `${field}: ${quote(file)}: ${message}`

/** The problem of a row, with the field that names its file. */
export const inData = (field: string, place: string, message: string): string =>
  `${message}; ${field} reads it (${place})`

const inIdOf = (id: string): string => `the id ${quote(id)}`

/** Reasons why a path doesn't or might not resolve. Several codes use them, before and during a run. */
/** Why `callsheet generate` keeps a file or a block as it is. */
export const keptReasons = {
  edited: () => "edited by hand, and the document asks for another change",
  lost: () => "edited by hand, and the document no longer has its operation",
  foreign: () => "not generated, and a generated workflow would have its name",
  broken: () => "it has a syntax error or isn't a workflow",
  otherCase: (other: string) => `${other} differs only in case`,
  entry: (entry: string) => `the suite ${entry} is edited by hand, and the document asks for another change`,
} as const

export const reasons = {
  notAPath: () => "the path is not valid",
  secretInName: () => "this name is unknown here; it contains a secret, so it is not shown",
  unknownName: (name: string) => `nothing is named ${quote(name)} here`,
  noInput: (name: string) => `the input ${quote(name)} has no value and no default`,
  ambiguous: (id: string) => `several blocks have the id ${quote(id)}`,
  failed: (id: string) => `${quote(id)} failed before it had a result`,
  leftOut: (id: string, output: string, source: string) =>
    `${quote(id)} has no output ${quote(output)} because ${quote(source)} did not resolve`,
  noValue: (name: string, api: string, environment: string) =>
    `the variable ${quote(name)} of ${quote(api)} has no value in the environment ${quote(environment)}; to set it: callsheet env write ${api} ${environment} ${name}=<value>`,
  notAnObject: (name: string) => `the variable ${quote(name)} is not an object`,
  notRun: (id: string) => `the block ${quote(id)} has not run, so it has no result`,
  noResult: (id: string, type: string) =>
    `the block ${quote(id)} has no result, because its type is ${quote(type)}`,
  ownResult: (id: string) => `the block ${quote(id)} reads its own result, which does not exist yet`,
  later: (id: string) => `the block ${quote(id)} runs later and has no result yet`,
  otherBranch: (id: string) =>
    `the block ${quote(id)} is in the other branch, which doesn't run if this one does`,
  notDynamic: (name: string) => `${quote(name)} is not a dynamic value`,
  noLoop: () => '"$index" exists only inside a loop',
  otherOwner: (name: string, owner: string) =>
    `nothing is named ${quote(name)} here, but ${quote(owner)} has a variable with that name`,
  outsideLoop: (name: string, loop: string) =>
    `${quote(name)} is the iterator of the loop ${quote(loop)} and exists only inside that loop`,
  variableOfApi: (name: string, api: string) =>
    `nothing is named ${quote(name)} here; to read the variable of ${quote(api)}, write env.${api}.${name}`,
  unusedApi: (api: string) => `this workflow sends no request to an API named ${quote(api)}`,
  noVariableName: (api: string) => `the name of a variable is missing: env.${api}.<name>`,
  undeclared: (api: string, name: string) =>
    `the API ${quote(api)} doesn't declare a variable ${quote(name)}`,
  noProperty: (holder: string, type: string | undefined, name: string) =>
    `${holder}${type === undefined ? "" : ` is ${type}, which`} has no property ${quote(name)}`,
  bracedPath: () => "a source is a path, so it is written without braces",
  brokenJson: (line: number, column: number) => `is not valid JSON: error at line ${line}, column ${column}`,
  /** The body is empty, such as that of a 204. */
  emptyBody: (id: string, status: string) =>
    `${quote(`${id}.response.body`)} doesn't exist: the body is empty (${status})`,
  otherBody: (
    place: string,
    facts: {
      readonly type: string
      readonly status: string
      readonly isText: boolean
      readonly name: string
    },
  ) => {
    const { type, status, isText, name } = facts
    const kind = type === "" ? "without a content type" : `of the type ${type}`
    return `${place} is ${isText ? "text" : "base64"} ${kind} (status ${status}), which has no property ${quote(name)}`
  },
  startsWith: (reason: string, line: string | undefined) =>
    line === undefined ? reason : `${reason}; it starts with ${quote(line)}`,
  headerCase: (place: string, name: string, exists: boolean) =>
    exists
      ? `${place} has no property ${quote(name)}, because header names are lower-case: write ${quote(name.toLowerCase())}`
      : `${place} has no property ${quote(name)}; header names are lower-case, but the response has no ${quote(name.toLowerCase())} either`,
  noPropertyHere: (reason: string) =>
    `${reason}; it exists only in responses with a status that this workflow doesn't check`,
  ambiguousEntry: (name: string) =>
    `${quote(name)} is both a block of this entry's workflow and an entry of "before"`,
  wholeEntry: (name: string) => `${quote(name)} is an entry, and only its blocks can be read`,
  noBlock: (workflow: string, name: string) => `the workflow ${quote(workflow)} has no block ${quote(name)}`,
  skippable: (id: string) => `${quote(id)} is in a branch that may be skipped, so it may have no result`,
} as const

export const advice = {
  assertStatus: "assert on the status that has it",
  readInBranch: "move the block that reads it into that branch",
  arrayIndex: "read the items of an array by index, starting at 0",
  dynamicValues: (names: readonly string[]) => `use one of ${listed(names)}`,
  blockOfEntry: (name: string) => `write ${name}.<block>`,
  write: (path: string) => `did you mean ${quote(path)}?`,
  iterator: (loop: string) =>
    `to read the item of the loop ${quote(loop)}, set its "iteratorVar" to this name`,
  pathOnly: (path: string) => `write ${quote(path)}`,
  variable: (owner: string, name: string) => `write env.${owner}.${name}`,
  lowerCase: (name: string) => `did you mean ${quote(name)}? (header names are lower-case)`,
  properties: (names: readonly string[]) => `it has ${listed(names)}`,
} as const

const variables = "a variable is env.<api>.<name>"
const results = "a result is <id>.response.body.<name>"
const inputs = "an input is only its name: {{<name>}}"

/** The replacements for names of other tools, by the first segment of a path. */
export const foreignNames: Readonly<Record<string, string>> = {
  process:
    "a process variable is read only as CALLSHEET_VAR__<API>__<NAME>, for a variable that schema.json declares",
  secrets: variables,
  vars: variables,
  variables,
  environment: variables,
  globals: variables,
  collectionVariables: variables,
  captures: results,
  steps: results,
  outputs: results,
  inputs,
  input: inputs,
  iterationData: inputs,
  pm: "scripts are TypeScript files; a placeholder only reads values",
  bru: "scripts are TypeScript files; a placeholder only reads values",
}

const dynamicNames = ["$index", "$uuid", "$timestamp", "$isoTimestamp", "$randomInt"]

/** The dynamic values of other tools. */
const foreignDynamic: Readonly<Record<string, string>> = {
  $guid: "$uuid",
  $randomUUID: "$uuid",
  $now: "$isoTimestamp",
  $date: "$isoTimestamp",
  $datetime: "$isoTimestamp",
  $randomInteger: "$randomInt",
  $randomNumber: "$randomInt",
}

/** Returns the hint for a name such as `$guid`, which isn't a dynamic value. */
export function dynamicHint(name: string): string {
  const meant = ownOf(foreignDynamic, name)
  if (meant !== undefined) return `did you mean ${quote(meant)}?`
  return suggest(name, dynamicNames) ?? advice.dynamicValues(dynamicNames)
}

/** Reasons why an edit weakens a check: what the document says about it. */
export const contractReasons = {
  statuses: (documented: readonly string[]) => `the contract documents the status: ${listed(documented)}`,
  documented: (source: string, type: string) => `the contract documents \`${source}\` as ${type}`,
  ruledOut: (source: string) => `the contract rules out \`${source}\``,
  notValidated: () => "runs no longer check responses against the contract",
  sendsOther: (name: string) => `the saved request "${name}", whose response it reads, sends something else`,
} as const

/** Reasons why a comparison is always false or always true for the types of its sides. */
export const comparisons = {
  neverEqual: (source: string, value: string) => `it is ${source} and never equals ${value}`,
  alwaysUnequal: (source: string, value: string) =>
    `it is ${source} and never equals ${value}, so this always passes`,
  undocumented: (value: string, documented: string) =>
    `it is compared with ${value}, but the contract documents only ${documented}`,
  alwaysUndocumented: (value: string, documented: string) =>
    `it is compared with ${value}, but the contract documents only ${documented}, so this always passes`,
  undocumentedItem: (value: string, documented: string) =>
    `its items are compared with ${value}, but the contract documents only ${documented}`,
  sourceNotNumber: (source: string) => `it is ${source}, but this operator compares only numbers`,
  valueNotNumber: (value: string) => `the value is ${value}, but this operator compares only numbers`,
  cannotContain: (source: string) => `it is ${source}, but only strings and arrays can contain a value`,
  stringContains: (value: string) =>
    `the source is a string, so "contains" expects a string; received ${value}`,
  itemsContain: (items: string, value: string) => `its items are ${items}, but the value is ${value}`,
} as const

export const messages = defineMessages(() => ({
  "operation-unknown": {
    noDocument: (api: string, name: string, misnamed?: string) => ({
      message: `the API ${quote(api)} has no OpenAPI document, so it has no operation ${quote(name)}`,
      hint:
        misnamed === undefined
          ? `add apis/${api}/openapi.json or .yaml, or name a saved request`
          : `rename ${misnamed} to openapi${/\.ya?ml$/i.exec(misnamed)?.[0].toLowerCase() ?? ".json"}`,
    }),
    unknown: (api: string, reason: string, hint: string | undefined) => ({
      message: `in the API ${quote(api)}, ${reason}`,
      hint,
    }),
    inInstance: (name: string, reason: string, hint: string | undefined) => ({
      message: `the saved request ${quote(name)}: ${reason}`,
      hint,
    }),
    inBaseline: (api: string, operation: string, suggestion: string | undefined) => ({
      message: `the API ${quote(api)} has no operation ${operation}, so the entry has no effect`,
      hint: suggestion ?? "remove the entry",
    }),
    nearPath: (method: string, path: string, similar: string) => ({
      severity: "warning",
      message: `the document has no operation ${method} ${path}`,
      hint: `did you mean ${quote(similar)}?`,
    }),
  },
  "document-standard": {
    endless: (method: string, path: string, names: readonly string[]) => ({
      message: `no response of ${method} ${path} can pass, because its schema includes itself without end: ${names.join(" → ")}`,
      hint: "remove the schema from its own allOf, or remove validateContracts",
    }),
  },
  "contract-unavailable": {
    outside: (method: string, path: string, suggestion: string | undefined) => ({
      severity: "warning",
      message: `the document has no operation ${method} ${path}, so its response is not checked`,
      hint: suggestion ?? "document the operation, or move the block to a workflow without validateContracts",
    }),
  },
  "instance-unknown": {
    unknown: (api: string, name: string, resource: string | undefined, hint: string) => ({
      message: `the ${resource === undefined ? "API" : `resource ${quote(resource)} of`} ${quote(api)} has no saved request ${quote(name)}`,
      hint,
    }),
    several: (api: string, name: string, resources: readonly string[]) => ({
      message: `the API ${quote(api)} has several saved requests named ${quote(name)} (${listed(resources)})`,
      hint: 'set "resource" to choose one',
    }),
    broken: (api: string, name: string) => `the saved request ${quote(name)} of ${quote(api)} has errors`,
    otherOperation: (name: string, own: string, wanted: string) =>
      `the saved request ${quote(name)} sends ${own}, not ${quote(wanted)}`,
    mayName: () => ({ severity: "warning", message: mayName }),
    namesOperation: () => ({
      severity: "warning",
      message: 'this block also sets "operation"; check that the operation belongs to the new resource',
    }),
  },
  "suite-unknown": {
    unknown: (name: string, hint: string) => ({ message: `the project has no suite ${quote(name)}`, hint }),
  },
  "workflow-unknown": {
    unknown: (name: string, hint: string | undefined) => ({
      message: `the project has no workflow ${quote(name)}`,
      hint,
    }),
    isSuite: (name: string) => ({
      message: `${quote(name)} is a suite; a suite can contain only workflows`,
      hint: `list the workflows of ${quote(name)} here, or use a pattern such as "browse-*"`,
    }),
    noMatch: (pattern: string, hint: string | undefined) => ({
      message: `no workflow matches ${quote(pattern)}`,
      hint,
    }),
    onlyHelpers: (pattern: string, helpers: readonly string[]) => ({
      message: `${quote(pattern)} matches only helpers, which patterns skip`,
      hint: `name what to run: ${listed(helpers.map(quote))}`,
    }),
    oneName: (pattern: string, from: string, to: string) => ({
      severity: "warning",
      message: `${quote(pattern)} matches only one of ${quote(from)} and ${quote(to)}, so the suite changes`,
    }),
  },
  "import-todo": {
    todo: () => ({
      severity: "warning",
      message: "this imported script is not translated yet",
      hint: "translate the code in the comment, then remove the TODO",
    }),
  },
  "script-missing": {
    unknown: (file: string, known: readonly string[], suggestion: string | undefined) => ({
      message: `the script ${file} does not exist`,
      hint:
        suggestion ?? (known.length === 0 ? undefined : `the workflow has these scripts: ${listed(known)}`),
    }),
    noExport: (file: string, name: string, exports: readonly string[], suggestion: string | undefined) => ({
      message: `${file} does not export ${quote(name)}`,
      hint: suggestion ?? (exports.length === 0 ? "it exports nothing" : `it exports ${listed(exports)}`),
    }),
    notFunction: (file: string, name: string, value: string) =>
      `${file} exports ${quote(name)} as ${value}; expected a function`,
    import: (specifier: string) => `the imported file ${quote(specifier)} does not exist`,
    mayName: () => ({ severity: "warning", message: mayName }),
    otherPath: (path: string) => ({
      severity: "warning",
      message: `${quote(path)} may refer to the renamed script, but callsheet updates only imports`,
    }),
  },
  "field-unknown": {
    pathParameter: (
      path: string,
      name: string,
      known: readonly string[],
      suggestion: string | undefined,
    ) => ({
      message: `the path ${path} has no parameter ${quote(name)}`,
      hint: suggestion ?? (known.length === 0 ? "it has no parameters" : `it has ${listed(known)}`),
    }),
  },
  "field-value": {
    productionDefault: (api: string, environment: string) => ({
      message: `the environment ${quote(environment)} of ${quote(api)} is a production environment, which can't be a default`,
      hint: `pass --env ${api}=${environment} to use it`,
    }),
    mockOfRecord: () => ({
      message: 'a mock has either "from" or "state"',
      hint: "a record already has the responses",
    }),
    dataOfCleanup: () => ({
      message: 'only an entry of "workflows" can have "data"',
      hint: 'set the values in "inputs"',
    }),
    emptyList: (field: string, reason: string) => ({
      severity: "warning",
      message: `${quote(field)} is empty: ${reason}`,
    }),
  },
  "input-type": {
    wrong: (name: string, type: ScalarType) => ({
      message: `the input ${quote(name)} is declared as a ${type}, but its value is not a ${type}`,
      hint: hints.scalar[type],
    }),
    document: (name: string, received: string, type: ScalarType) => ({
      severity: "warning",
      message: `${quote(name)} is declared as a ${type}, but its value is ${received}`,
    }),
    default: (name: string, type: string) => ({
      severity: "warning",
      message: `the default of ${quote(name)} is not a ${type}; a run uses it unchanged`,
    }),
  },
  "input-unknown": {
    unknown: (workflow: string, name: string, suggestion: string | undefined) => ({
      message: `the workflow ${quote(workflow)} doesn't declare the input ${quote(name)}`,
      hint: suggestion,
    }),
  },
  "input-missing": {
    main: (workflow: string, name: string) => ({
      severity: "warning",
      message: `the workflow ${quote(workflow)} requires the input ${quote(name)}, which this entry doesn't set`,
      hint: `set it in "inputs", or pass --input ${name}=<value>`,
    }),
    other: (workflow: string, name: string) => ({
      message: `the workflow ${quote(workflow)} requires the input ${quote(name)}, which this entry doesn't set`,
      hint: 'set it in "inputs"',
    }),
  },
  "path-param-missing": {
    missing: (path: string, name: string) => ({
      message: `the path ${path} needs a value for ${quote(name)}`,
      hint: `set it in request.overrides.params.path.${name}`,
    }),
  },
  "variable-missing": {
    required: (environment: string, name: string, file: string) => ({
      severity: "warning",
      message: `the environment ${quote(environment)} has no value for the required variable ${quote(name)}`,
      hint: setIn(file),
    }),
    noAddress: (environment: string, api: string) => ({
      severity: "warning",
      message: `the environment ${quote(environment)} has no base URL: the document has no server that callsheet can use, and "baseUrl" is not declared`,
      hint: `declare "baseUrl" in apis/${api}/environments/schema.json and set it`,
    }),
    noServer: (environment: string, name: string, file: string) => ({
      severity: "warning",
      message: `the environment ${quote(environment)} has no value for ${quote(name)}, and the document has no server`,
      hint: setIn(file),
    }),
  },
  "variable-type": {
    baseUrl: (fault: string) => ({
      message: `"baseUrl" ${fault}`,
      hint: 'for example, "https://api.example.com/v1"',
    }),
    nullDefault: (name: string) => ({
      severity: "warning",
      message: `the default of ${quote(name)} is null, which is the same as no default`,
      hint: 'remove "default"',
    }),
  },
  "id-duplicate": {
    entry: (name: string, earlier: string) => ({
      message: `${quote(name)} is already the name of the entry at ${earlier}`,
      hint: 'set "as" to give this entry another name',
    }),
    taken: (workflow: string, earlier: string) => ({
      message: `the pattern at ${earlier} already runs ${quote(workflow)}`,
      hint: 'move this entry before it, or set "as" to run the workflow again',
    }),
    pattern: (pattern: string) => ({
      message: `"as" can't name the workflows that match ${quote(pattern)}`,
      hint: 'remove "as", or write the name of one workflow',
    }),
    iterator: (name: string, loop: string) => ({
      severity: "warning",
      message: `the iterator ${quote(name)} hides the iterator of the outer loop ${quote(loop)}`,
      hint: "rename one of them",
    }),
    repeated: (id: string, loop: string, iterator: string | undefined) => ({
      severity: "warning",
      message: `${inIdOf(id)} is the same in each iteration of the loop ${quote(loop)}`,
      hint: `add a placeholder of that loop${iterator === undefined ? "" : `: {{${iterator}}}`}`,
    }),
    same: (id: string, other: string) => ({
      message: `${inIdOf(id)} can become the same as ${quote(other)}`,
      hint: "give the two ids different text around the placeholder",
    }),
    iteration: (id: string, other: string, index: string) =>
      `${inIdOf(id)} is also the id of ${quote(other)} in iteration ${index}`,
    captured: (name: string) => ({
      message: `a variable ${quote(name)} can't be read here: ${quote(name)} and "env" already have other meanings`,
      hint: "choose another name",
    }),
    mixed: (name: string, workflows: readonly string[]) => ({
      message: `${quote(name)} means the variable in one workflow that sends this request, but something else in another`,
      hint: `first rename whatever else is named ${quote(name)} in these workflows: ${listed(workflows)}`,
    }),
  },
  "token-unresolved": {
    unresolved: (field: string, token: string, reason: string, hint: string | undefined) => ({
      message: `${field}: {{${token}}}: ${reason}`,
      hint,
    }),
    reads: (name: string) => ({ severity: "warning", message: `the variable ${quote(name)} is read here` }),
    mayRead: (name: string) => ({
      severity: "warning",
      message: `the variable ${quote(name)} may be read here; callsheet can't tell before a run`,
    }),
  },
  "result-skipped": {
    token: (field: string, token: string, reason: string, hint: string | undefined) => ({
      message: `${field}: {{${token}}}: ${reason}`,
      hint,
    }),
    source: (field: string, reason: string, hint: string | undefined) => ({
      message: `${field}: ${reason}`,
      hint,
    }),
  },
  "token-malformed": {
    otherBraces: (field: string, written: string, path: string) => ({
      severity: "warning",
      message: `${field}: ${quote(written)} is not a placeholder, so it is used as it is written`,
      hint: `write ${quote(`{{${path}}}`)}`,
    }),
  },
  "source-unresolved": {
    unresolved: (field: string, reason: string, hint: string | undefined) => ({
      message: `${field}: ${reason}`,
      hint,
    }),
  },
  "operator-type": {
    comparison: (
      field: string,
      source: string,
      phrase: string,
      reason: { readonly message: string; readonly hint?: string | undefined },
    ) => ({
      message: `${field} (${source} ${phrase} …): ${reason.message}`,
      hint: reason.hint,
    }),
  },
  "loop-source": {
    notAnArray: (source: string, type: string, suggestion: string | undefined) => ({
      message: `source: ${source} is ${type}; "forEach" expects an array`,
      hint: suggestion,
    }),
  },
  "body-missing": {
    missing: (reason: string) => ({
      severity: "warning",
      message: reason,
      hint: "set it in request.overrides.body, or name a saved request",
    }),
  },
  "path-unresolved": {
    bodyPath: (path: string, reason: string) => `overrides.body: ${quote(path)} can't be set: ${reason}`,
  },
  "body-field-missing": {
    missing: (field: string) => `the body is missing the required field ${quote(field)}`,
  },
  "body-field-unknown": {
    undocumentedBody: (reason: string) => ({ severity: "warning", message: reason }),
    unknown: (field: string, suggestion: string | undefined) => ({
      message: `the contract doesn't document a field ${quote(field)} in the body`,
      hint: suggestion,
    }),
  },
  "body-field-type": {
    wrongType: (field: string, received: string, documented: string) =>
      `${bodyField(field)} is ${received}; the contract documents ${documented}`,
    wrongValue: (field: string, received: string, documented: string, suggestion: string | undefined) => ({
      message: `${bodyField(field)} is ${received}; the contract documents only ${documented}`,
      hint: suggestion,
    }),
  },
  "parameter-missing": {
    missing: (reason: string, place: string) => ({
      severity: "warning",
      message: reason,
      hint: `set it in request.overrides.params.${place}`,
    }),
  },
  "parameter-unknown": {
    unknown: (reason: string, known: readonly string[], suggestion: string | undefined) => ({
      severity: "warning",
      message: reason,
      hint: suggestion ?? (known.length === 0 ? undefined : `it documents ${listed(known)}`),
    }),
  },
  "parameter-type": {
    wrongType: (parameter: string, received: string, documented: string) => ({
      severity: "warning",
      message: `the ${parameter} is ${received}; the contract documents ${documented}`,
    }),
    wrongValue: (
      parameter: string,
      received: string,
      documented: string,
      suggestion: string | undefined,
    ) => ({
      severity: "warning",
      message: `the ${parameter} is ${received}; the contract documents only ${documented}`,
      hint: suggestion,
    }),
  },
}))

/** Describes the repairs of `validate --fix`. */
export const repairTexts = {
  operation: (from: string, to: string) => `the operation ${quote(from)} is now ${quote(to)}`,
  parameter: (place: string, from: string, to: string) =>
    `the ${place} parameter ${quote(from)} is now ${quote(to)}`,
  requiredParameter: (place: string, name: string) =>
    `the operation now requires the ${place} parameter ${quote(name)}`,
  requiredField: (field: string) => `the body now requires the field ${quote(field)}`,
  similar: (from: string, to: string) => `${quote(from)} is unknown; only ${quote(to)} can be meant`,
  removedField: (field: string) => `the body no longer allows the field ${quote(field)}`,
}

/** Names a field of the body for messages. An empty path means the body itself. */
const bodyField = (path: string): string => (path === "" ? "the body" : `the field ${quote(path)}`)

const setIn = (file: string): string =>
  `set it in ${file}, or in an environment variable where the workflow runs`

const mayName = "this block may refer to the file; callsheet can't tell before a run"
