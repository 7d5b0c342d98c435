// Every message of the `format` package, by code.

import { defineMessages, plural, quote, quoteList } from "./messages/define-messages.ts"
import { suggestOrList } from "./text/did-you-mean.ts"
import { MAX_NAME_LENGTH } from "./workflow/name-length.ts"

/** The name of a field in messages. Empty for the file itself. */
type Field = string

const inField = (field: Field): string => (field === "" ? "" : `${field}: `)
const fieldName = (field: Field): string => (field === "" ? "the file" : field)

/**
 * Describes an unexpected character without the text around it, which may be a secret. Undefined means the end of the
 * file.
 */
const received = (char: string | undefined): string =>
  char === undefined ? ", received the end of the file" : `, received ${quote(char)}`

type ScalarName = "string" | "number" | "boolean"

/** Quotes a name from a data file. Shortens a long one, because the first line may be anything. */
const quoteName = (name: string): string => quote(name.length > 60 ? `${name.slice(0, 60)}…` : name)

const nameHint = (avoided: string): string =>
  `use at most ${MAX_NAME_LENGTH} letters, digits, ".", "_" and "-"; start with a letter or digit, don't end with ".", and avoid ${avoided}`

export const hints = {
  name: nameHint("names of Windows devices"),
  environmentName: nameHint('"schema" and names of Windows devices'),
  twin: "some disks can't store both: rename one of them",
  declare: 'declare it under "variables" in schema.json, or remove it',
  utf8: "save the file as UTF-8",
  milliseconds: (meant: number) => `write milliseconds: ${meant}`,
  number: (meant: number) => `write ${meant}`,
  bareNumber: (meant: number) => `write the number without quotes: ${meant}`,
  scalar: {
    string: "write it as text in quotes",
    number: "a number looks like 5000, -1.5 or 1e3",
    boolean: "write true or false",
  },
} as const

/** Returns how to write a path that is written as in other tools. */
function pathHint(path: string): string | undefined {
  const [, inner] = /^[$#%]?\{\s*([^{}]+?)\s*\}+$/.exec(path) ?? []
  if (inner !== undefined) return `write it without braces: ${quote(inner)}`
  return path.includes("['") ? `write keys in double quotes: ${path.replaceAll("'", '"')}` : undefined
}

const setForAll = (name: string, type: ScalarName): string =>
  `to use the same value for all rows, add --input ${name}=<${type}>`

const strayHints = {
  "no-name": 'add a name before the "="',
  "no-assignment": 'write NAME="value"; quote a value that spans several lines',
} as const

export const messages = defineMessages(() => ({
  "json-syntax": {
    emptyFile: () => "the file is empty; expected a JSON value",
    trailingText: () => "unexpected text after the end of the JSON value",
    trailingComma: (closer: string) => ({
      message: `unexpected comma before ${quote(closer)}`,
      hint: "remove the comma",
    }),
    expectedComma: (closer: string, char: string | undefined) => ({
      message: `expected "," or ${quote(closer)}${received(char)}`,
      hint: char === '"' ? "is a comma missing?" : undefined,
    }),
    expectedKey: (char: string | undefined) => ({
      message: `expected a key in double quotes${received(char)}`,
      hint: /["'A-Za-z_$]/.test(char ?? "") ? "put keys in double quotes" : undefined,
    }),
    duplicateKey: (key: string) => `duplicate key ${quote(key)}`,
    expectedColon: (char: string | undefined) => `expected ":" after the key${received(char)}`,
    expectedValue: (char: string | undefined) => `expected a JSON value${received(char)}`,
    openString: () => "the string is not closed",
    openStringInLine: () => "a string must end on the line where it starts",
    controlCharacter: () => "a control character in a string must be escaped",
    shortEscape: () => "\\u must be followed by four hexadecimal digits",
    unknownEscape: () => "unknown escape in a string",
    malformedNumber: () => "this is not a JSON number",
  },
  "file-conflict": {
    conflictMarkers: () => "the file has conflict markers from an unfinished merge",
  },
  "file-encoding": {
    invalidByte: (offset: number) => ({
      message: `the file is not UTF-8: byte ${offset} is invalid`,
      hint: hints.utf8,
    }),
    wide: (encoding: string) => ({ message: `the file is ${encoding}, not UTF-8`, hint: hints.utf8 }),
    looksWide: (encoding: string) => ({
      message: `the file looks like ${encoding}, not UTF-8`,
      hint: hints.utf8,
    }),
  },
  "dotenv-syntax": {
    split: () => "expected the value on the same line as its name",
    strayLine: (hint: "no-name" | "no-assignment") => ({
      message: "this line is not a NAME=value assignment",
      hint: strayHints[hint],
    }),
    strayLines: (first: number, last: number, hint: "no-name" | "no-assignment") => ({
      message: `lines ${first} to ${last} are not NAME=value assignments`,
      hint: strayHints[hint],
    }),
    nulCharacter: () => "the value contains a NUL character",
    lineSeparator: () => ({
      message: "the value contains a line separator (U+2028 or U+2029)",
      hint: "put the value in quotes",
    }),
    openQuote: () => ({
      severity: "warning",
      message: "the quote at the start of the value is not closed, so it is part of the value",
    }),
    notExpanded: () => ({
      severity: "warning",
      message: 'callsheet does not replace "$…" by a process variable, so this is the value itself',
      hint: "leave the line out and set CALLSHEET_VAR__<API>__<NAME>; if it is the value, put it in single quotes",
    }),
    comment: () => ({
      severity: "warning",
      message: '"#" starts a comment here and cuts the value short',
      hint: 'if "#" belongs to the value, put the value in quotes; if not, put a space before "#"',
    }),
  },
  "rows-invalid": {
    extension: () => ({
      message: "callsheet can't read rows from this kind of file",
      hint: "use a file with the extension .csv, .json or .ndjson",
    }),
    noRows: () => "the file has no rows",
    longRow: (limit: number) => ({
      message: `this row is longer than ${limit} characters`,
      hint: "is a quote or a brace not closed?",
    }),
    openQuote: () => "the quote is not closed",
    afterQuote: () => ({
      message: "unexpected text after the closing quote",
      hint: 'in a quoted cell, write "" for a quote',
    }),
    strayQuote: () => ({
      message: "unexpected quote inside a cell",
      hint: 'put the whole cell in quotes, and write "" for each quote in it',
    }),
    delimiter: (delimiter: string) => ({
      message: `the columns are separated by ${quote(delimiter)}; expected ","`,
      hint: "save the file as comma-separated values",
    }),
    unnamedColumn: (number: number) => ({
      message: `the name of column ${number} is missing`,
      hint: "the first line must contain the name of each column",
    }),
    duplicateColumn: (name: string) => `duplicate column ${quoteName(name)}`,
    cellCount: (count: number, expected: number) => ({
      message: `cells in this row: expected ${expected}, received ${count}`,
      hint: count > expected ? "put a cell that contains a comma in quotes" : undefined,
    }),
    notArray: (char: string, inside: string | undefined) => ({
      message: `expected an array of objects${received(char)}`,
      hint:
        inside !== undefined
          ? `the array is in ${quoteName(inside)}: save only this array in the file`
          : char === "{"
            ? "put brackets around it: [{ … }]; if each line is an object, use the extension .ndjson"
            : undefined,
    }),
    notObject: (type: string) => `this row is ${type}; expected an object`,
  },
  "input-unknown": {
    row: (name: string, declared: readonly string[]) => ({
      message: `the workflow doesn't declare the input ${quoteName(name)}`,
      hint: declared.length === 0 ? "it declares no inputs" : suggestOrList(name, declared, "the workflow"),
    }),
  },
  "input-missing": {
    column: (name: string, type: ScalarName) => ({
      message: `the required input ${quote(name)} has no column`,
      hint: setForAll(name, type),
    }),
    cell: (name: string) => `the cell of the required input ${quote(name)} is empty`,
    field: (name: string, type: ScalarName) => ({
      message: `this row doesn't set the required input ${quote(name)}`,
      hint: setForAll(name, type),
    }),
  },
  "input-type": {
    row: (name: string, received: string, type: ScalarName) => ({
      message: `the input ${quote(name)} is ${received}, but it is declared as a ${type}`,
      hint: received === "null" ? "to use the input's default, leave it out" : hints.scalar[type],
    }),
  },
  "version-invalid": {
    missing: () => '"version" is missing; it must be the number 1',
    wrong: () => '"version" must be the number 1',
  },
  "field-missing": {
    missing: (field: Field, missing: string, expected?: string) =>
      `${inField(field)}${missing} is missing${expected === undefined ? "" : `; ${expected}`}`,
  },
  "field-type": {
    wrongType: (field: Field, type: string, expected: string, hint?: string) => ({
      message: `${fieldName(field)} is ${type}; expected ${expected}`,
      hint,
    }),
    foreign: (format: string, file: string) => ({
      message: `the file is ${format}, which callsheet doesn't read here`,
      hint: `move it elsewhere and import it: callsheet import ${file.slice(file.lastIndexOf("/") + 1)}`,
    }),
    bodyType: (type: string, bodyType: string, expected: string, hint: string | undefined) => ({
      message: `"body" is ${type}, but "bodyType": ${quote(bodyType)} expects ${expected}`,
      hint,
    }),
  },
  "field-unknown": {
    unknown: (field: Field, key: string, suggestion: string | undefined) => ({
      message: `${inField(field)}unknown field ${quote(key)}`,
      hint: suggestion,
    }),
    unread: (field: Field, key: string, read: readonly string[], suggestion: string | undefined) => ({
      severity: "warning",
      message: `${inField(field)}callsheet ignores ${quote(key)}; it reads only ${quoteList(read, "and")}`,
      hint: suggestion,
    }),
    otherMode: (field: Field, key: string, mode: string, chosen: string) =>
      `${inField(field)}${quote(key)} is not allowed with ${quote(mode)}: ${quote(chosen)}`,
    filePart: (field: Field, key: string) => ({
      message: `${inField(field)}unknown field ${quote(key)} in a file part`,
      hint: 'a file part has "file", "filename" and "contentType"',
    }),
  },
  "path-refused": {
    named: (path: string, reason: string) => ({
      message: `a project file can't name ${quote(path)} to write to: ${reason}`,
      hint: "name a file in the project, such as reports/run.json; only the command line can name any other",
    }),
  },
  "field-value": {
    wrongValue: (field: Field, value: string, expected: string, suggestion?: string) => ({
      message: `${fieldName(field)} is ${value}; expected ${expected}`,
      hint: suggestion,
    }),
    largeNumber: (field: Field) => `${inField(field)}the number is too large`,
    tooMany: (count: number) => `the file has more than ${count} problems; fix these first and check again`,
    httpMethod: (text: string) => ({
      message: `${quote(text)} is not an HTTP method`,
      hint: 'for example, "GET"',
    }),
    absoluteUrl: () => ({
      message: "expected a path, received a URL",
      hint: 'write only the path ("/…") here, and put the rest of the URL in the variable "baseUrl"',
    }),
    relativePath: (text: string) => ({
      message: `${quote(text)} does not start with "/"`,
      hint: `write ${quote(`/${text}`)}`,
    }),
    colonParameter: (name: string, isError: boolean) => ({
      severity: isError ? "error" : "warning",
      message: `${quote(`:${name}`)} is not a path parameter, so it is sent as it is written`,
      hint: `write {${name}}, and set it in "params": { "path": { … } }`,
    }),
    pointerKey: (key: string, path: string) => ({
      severity: "warning",
      message: `${quote(key)} is one name here, not a path into the body`,
      hint: `write ${quote(path)}`,
    }),
    queryInPath: () => ({
      message: 'a path must not contain "?" or "#"',
      hint: 'put query parameters in "params": { "query": { … } }',
    }),
    malformedPath: (field: Field, text: string, reason: string) => ({
      message: `${inField(field)}${quote(text)} is not a valid path: ${reason}`,
      hint: pathHint(text),
    }),
    headerName: (name: string) => `the header name ${quote(name)} is not a valid HTTP token`,
    headerValue: (name: string, stray: string) =>
      `the header ${quote(name)} contains a ${stray}, which HTTP does not allow`,
    malformedBodyPath: (text: string, reason: string) =>
      `${quote(text)} is not a valid path into the body: ${reason}`,
    reporter: (text: string, known: readonly string[], suggestion: string | undefined) => ({
      message: `${quote(text)} is not a reporter or "<reporter>=<file>"`,
      hint: suggestion ?? `the reporters are ${known.join(", ")}`,
    }),
    collector: () => ({
      message: "otlp needs the http or https URL of a collector, without a name or password",
      hint: "such as otlp=http://localhost:4318",
    }),
    time: (text: string) => `${quote(text)} is not a time such as "2026-11-24T12:00:00.000Z"`,
    size: (text: string) => ({
      message: `${quote(text)} is not a size`,
      hint: 'write a number of bytes, or a number followed by KiB or MiB: "64KiB"',
    }),
    origin: () => ({
      message: "expected an https origin, without a path",
      hint: 'for example, "https://api.example.com:8443"',
    }),
    resolverName: (name: string) => ({
      message: `${quote(name)} is not a valid name for a resolver`,
      hint: 'use letters, digits, ".", "_" and "-"; start with a letter or digit',
    }),
    bodyPointer: (text: string) => ({
      message: `${quote(text)} is not a place in a body`,
      hint: 'write a JSON pointer that starts with "/body", such as "/body/items/*/id" with * for every index',
    }),
    emptyCommand: () => "the command does not name a program",
    suiteName: (name: string) => ({
      message: `${quote(name)} is not a valid name for a suite`,
      hint: 'use letters, digits, ".", "_" and "-"; start with a letter or digit',
    }),
    address: () => ({
      message: "the address of a server must be an http or https URL without a name, a password or a query",
      hint: "such as https://tunnel.example.com",
    }),
    sourceAddress: () => ({
      message: "the source of a document must be an http or https URL without a name or password",
      hint: "write the URL as in a browser, such as https://api.example.com/openapi.json",
    }),
    documentFolder: (text: string) => ({
      message: `${quote(text)} is not the path of a directory of documents`,
      hint: "write a relative path with /, such as ../contracts; hidden directories aren't read",
    }),
    traceUrl: () => ({
      message:
        "the address of a trace must be an http or https URL with {traceId}, without a name or password",
      hint: "such as https://tracing.example.com/trace/{traceId}",
    }),
    workflowPattern: (text: string) => ({
      message: `${quote(text)} is not the name of a workflow or a pattern`,
      hint: 'write the name without a path; in a pattern, "*" matches any text and "?" one character',
    }),
    nestedEntries: (field: Field, max: number) => `${field}: entries are nested more than ${max} deep`,
    operationForm: () => ({
      message: "the operation is not a method and a path",
      hint: 'for example, "GET /orders/{id}"',
    }),
    pointerForm: () => ({
      message: 'the path is not a JSON pointer: it does not start with "/"',
      hint: 'for example, "/body/items/*/price"',
    }),
    expires: () => ({
      message: '"expires" is not a day of the calendar',
      hint: 'for example, "2027-01-31"',
    }),
  },
  "exactly-one": {
    exactlyOne: (field: Field, of: readonly string[], given: readonly string[]) =>
      `${inField(field)}expected exactly one of ${quoteList(of, "and")}; received ${given.length === 0 ? "none" : quoteList(given, "and")}`,
    foreign: (field: Field, key: string, owner: string, because: string) =>
      `${inField(field)}${quote(key)} can be used only with ${quote(owner)}: ${because}`,
    certificateFiles: (problem: "half" | "both" | "none") =>
      ({
        half: '"cert" and "key" must be set together',
        both: '"cert" and "key" can\'t be combined with "pfx"',
        none: 'expected "cert" and "key", "pfx", or only "ca"',
      })[problem],
  },
  "id-duplicate": {
    taken: (id: string, by: "a block" | "an input" | "an iterator", place: string) =>
      `the id ${quote(id)} is already used by ${by} at ${place}`,
    iterator: (name: string, place: string) =>
      `the iterator ${quote(name)} has the same name as the input at ${place}`,
    violation: (first: number) => ({
      severity: "warning",
      message: `the baseline lists this violation twice; the first entry is in line ${first}`,
      hint: "remove one of them",
    }),
  },
  "baseline-reason": {
    missing: (operation: string, path: string) => ({
      severity: "warning",
      message: `the known violation ${quote(path)} of ${operation} has no reason`,
      hint: 'say in "reason" why it is accepted, or where it will be fixed',
    }),
    ofFinding: (operation: string, parameter: string) => ({
      severity: "warning",
      message: `the known finding ${quote(parameter)} of ${operation} has no reason`,
      hint: 'say in "reason" why it is accepted, or where it will be fixed',
    }),
  },
  "baseline-stale": {
    gone: (operation: string, status: number, path: string) => ({
      severity: "warning",
      message: `the known violation ${quote(path)} of ${operation} (status ${status}) did not appear`,
      hint: "to remove it from the baseline, pass a record of a complete run to callsheet baseline prune",
    }),
    more: (count: number) => ({
      severity: "warning",
      message: `${plural(count, "more known violation")} did not appear`,
      hint: "callsheet baseline status lists them",
    }),
  },
  "baseline-expired": {
    expired: (operation: string, path: string, expires: string) => ({
      severity: "warning",
      message: `the known violation ${quote(path)} of ${operation} expired on ${expires}, so it fails runs`,
      hint: 'fix the API, or set "expires" to a later day',
    }),
  },
  "id-invalid": {
    empty: () => "a name must not be empty",
    dollar: (text: string) => ({
      message: `${quote(text)} must not start with "$"`,
      hint: 'names that start with "$" are reserved for dynamic values',
    }),
    path: (text: string) => ({
      message: `${quote(text)} must not contain ".", "[" or "]"`,
      hint: "in a path, these characters separate steps",
    }),
    braces: (text: string) => `${quote(text)} must not contain braces`,
    control: (text: string) => `${quote(text)} must not contain control characters`,
  },
  "token-malformed": {
    template: (field: Field, reason: string, hint?: string) => ({
      message: `${inField(field)}${reason}`,
      hint,
    }),
    path: (field: Field, token: string, reason: string) =>
      `${inField(field)}the placeholder {{${token}}} is not a valid path: ${reason}`,
    input: (field: Field) => `${inField(field)}an input must not contain placeholders`,
    id: (id: string, reason: string, hint: string | undefined) => ({
      message: `the id ${quote(id)}: ${reason}`,
      hint,
    }),
    dollar: (field: Field, path: string) => ({
      severity: "warning",
      message: `${inField(field)}the "$" before the placeholder is part of the value`,
      hint: `write ${quote(`{{${path}}}`)}`,
    }),
    idOutsideLoop: (id: string) => ({
      message: `the id ${quote(id)} contains a placeholder outside a loop`,
      hint: "only blocks in a loop can have placeholders in their ids",
    }),
    idOfNoLoop: (id: string, names: readonly string[]) => ({
      message: `the id ${quote(id)} contains a placeholder that no surrounding loop defines`,
      hint: `placeholders in an id must start with ${quoteList(names, "or")}`,
    }),
    api: () => ({
      message: '"api" must not contain placeholders',
      hint: "write the name of the API's directory",
    }),
  },
  "api-unknown": {
    unknown: (api: string, known: readonly string[]) => ({
      message: `the API ${quote(api)} does not exist`,
      hint:
        known.length === 0 ? `expected a directory apis/${api}` : suggestOrList(api, known, "the project"),
    }),
  },
  "env-name": {
    invalid: (name: string) => ({
      message: `${quote(name)} is not a valid name for an environment`,
      hint: hints.environmentName,
    }),
    parent: (name: string) => ({
      message: `${quote(name)} is not a valid name for an environment`,
      hint: "write the name of an environment of this API, without a path or file extension",
    }),
    misnamedSchema: () => ({
      message: 'this file declares variables, so its name must be "schema.json"',
      hint: "rename it to schema.json",
    }),
    twins: (name: string, other: string) => ({
      message: `the environments ${quote(name)} and ${quote(other)} differ only in case`,
      hint: hints.twin,
    }),
  },
  "env-missing": {
    unknown: (api: string, name: string, known: readonly string[]) => ({
      message: `the API ${quote(api)} has no environment ${quote(name)}`,
      hint:
        known.length === 0
          ? `create one: callsheet env write ${api} <environment>`
          : suggestOrList(name, known),
    }),
    strandedSecrets: (name: string, suggestion: string | undefined) => ({
      severity: "warning",
      message: `nothing reads these secrets because the environment ${quote(name)} does not exist`,
      hint: suggestion ?? `create the environment's value file ${quote(`${name}.json`)} next to this file`,
    }),
  },
  "extends-cycle": {
    self: (name: string) => `the environment ${quote(name)} extends itself`,
    cycle: (names: readonly string[]) => `environments extend each other in a cycle: ${names.join(" → ")}`,
  },
  "extends-missing": {
    unknown: (parent: string, suggestion: string | undefined) => ({
      message: `"extends" names the environment ${quote(parent)}, which does not exist`,
      hint: suggestion,
    }),
  },
  "level-unset": {
    production: (name: string) => ({
      severity: "warning",
      message: `the environment ${quote(name)} looks like production but has no "level", so it counts as "local" and runs never ask for confirmation`,
      hint: 'set "level" to "production", or to "local" to keep this behavior',
    }),
  },
  "secret-committed": {
    committed: (name: string) => ({
      severity: "warning",
      message: `the value of the secret ${quote(name)} is in a file under version control`,
      hint: "move it to the secrets file and rotate it: everyone who can read the repository can see it",
    }),
  },
  "secret-default": {
    secretDefault: (name: string) => ({
      severity: "warning",
      message: `the secret ${quote(name)} has a default, which everyone who can read the repository sees`,
      hint: "remove the default and set the value in the secrets files",
    }),
  },
  "variable-undeclared": {
    process: (name: string, suggestion: string | undefined) => ({
      severity: "warning",
      message: `no declared variable reads the environment variable ${name}`,
      hint:
        suggestion ?? "the form is CALLSHEET_VAR__<API>__<NAME>, and schema.json must declare the variable",
    }),
    undeclared: (name: string, suggestion: string | undefined) => ({
      message: `${quote(name)} is not declared in schema.json`,
      hint: suggestion ?? hints.declare,
    }),
    // Omits the name: in a secrets file, it may be part of a secret.
    hidden: (hint: "declare" | undefined) => ({
      message: "a name in this line is not declared in schema.json",
      hint: hint && hints.declare,
    }),
    reserved: (name: string) => ({
      message: `${quote(name)} is not declared in schema.json`,
      hint: `${quote(name)} belongs in the environment's value file`,
    }),
    schemaReference: () => ({
      message: '"$schema" is not declared in schema.json',
      hint: 'a value file contains only variables; "$schema" is allowed in schema.json',
    }),
    override: (api: string, name: string, suggestion: string | undefined) => ({
      message: `the API ${quote(api)} doesn't declare a variable ${quote(name)}`,
      hint: suggestion,
    }),
  },
  "variable-type": {
    text: (name: string, type: ScalarName) => ({
      message: `${quote(name)} is declared as a ${type}, but its value is not a ${type}`,
      hint: hints.scalar[type],
    }),
    given: (source: string, name: string, type: ScalarName) => ({
      message: `${quote(name)} is declared as a ${type}, but ${source} is not a ${type}`,
      hint: hints.scalar[type],
    }),
    value: (name: string, received: string, type: ScalarName, hint: string | undefined) => ({
      message: `${quote(name)} is declared as a ${type}, but its value is ${received}`,
      hint,
    }),
    default: (name: string, received: string, type: string) =>
      `${quote(name)} is declared as a ${type}, but its default is ${received}`,
  },
  "variable-missing": {
    missing: (facts: {
      readonly name: string
      readonly isSecret: boolean
      readonly api: string
      readonly environment: string
      readonly file: string
      readonly processVariable: string
      readonly nearMiss: string | undefined
    }) => ({
      message: `the required ${facts.isSecret ? "secret" : "variable"} ${quote(facts.name)} of the API ${quote(facts.api)} has no value in the environment ${quote(facts.environment)}`,
      hint: `set it in ${facts.file}${facts.isSecret ? " (not under version control)" : ""}${
        facts.nearMiss === undefined
          ? ` or in the environment variable ${facts.processVariable}`
          : `; the environment variable ${facts.nearMiss} is set, but the expected name is ${facts.processVariable}`
      }`,
    }),
  },
  "variable-reserved": {
    reserved: (name: string) => ({
      message: `${quote(name)} is reserved in value files and can't be a variable`,
      hint: "give the variable another name",
    }),
  },
  "variable-name": {
    invalid: (name: string) => ({
      message: `${quote(name)} is not a valid name for a variable`,
      hint: 'use letters, digits, "_" and "-"; start with a letter or "_"',
    }),
  },
  "variable-ambiguous": {
    shared: (processVariable: string, variables: readonly string[]) => ({
      message: `the environment variable ${processVariable} sets both ${variables.join(" and ")}`,
      hint: `set their values with --var ${variables[0]}=…, or rename one of them`,
    }),
  },
}))
