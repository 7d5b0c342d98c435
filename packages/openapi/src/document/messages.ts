// The messages about reading documents and building requests.

import { defineMessages, quote, quoteList, suggest } from "@callsheet/format"

const READABLE = "callsheet reads the versions 2.0, 3.0, 3.1 and 3.2"
const KEEP_A_COPY = "save a copy of the file inside the project, and refer to the copy"

interface Bounds {
  readonly lower: string
  readonly least: string
  readonly upper: string
  readonly most: string
}

const standardName = (version: string): string => (version === "2.0" ? "Swagger 2.0" : `OpenAPI ${version}`)

/** Quotes a part of a pattern. Keeps its backslashes, so that readers find it in their YAML. */
const quoteRaw = (part: string): string => `"${part}"`

const MAX_LISTED = 5

/** Joins words: `1, 2 and 3`. Counts those beyond the first five. */
function listWords(words: readonly string[]): string {
  const more = words.length - MAX_LISTED
  if (more > 0) return `${words.slice(0, MAX_LISTED).join(", ")} and ${more} more`
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}

export const messages = defineMessages(() => ({
  "document-invalid": {
    notAnObject: () => "an OpenAPI document must be an object",
    noPaths: () => '"paths" is missing',
    badPaths: () => '"paths" must be an object',
    noVersion: () => ({
      message: '"openapi", the version of the document, is missing',
      hint: 'for example, "openapi": "3.1.1"',
    }),
    badVersion: (field: string) => ({
      message: `${quote(field)} must be a string`,
      hint: `put the version in quotes; ${READABLE}`,
    }),
    unknownVersion: (version: string) => ({
      message: `unknown OpenAPI version ${quote(version)}`,
      hint: READABLE,
    }),
    brokenReference: (reference: string, reason: string, meant?: string) => ({
      message: `the reference ${quote(reference)} does not resolve: ${reason}`,
      hint: meant === undefined ? undefined : `did you mean ${quote(meant)}?`,
    }),
    badPattern: (pattern: string, part?: string, advice?: string) => ({
      severity: "warning",
      message: `the pattern ${quote(pattern)} is not a valid regular expression, so callsheet accepts any string`,
      hint:
        part === undefined
          ? undefined
          : `${quoteRaw(part)} is from another language${advice === undefined ? "" : `; ${advice}`}`,
    }),
    more: (count: number) => `${count} more problems of this kind`,
    badEscape: () => "invalid percent-encoding",
    backslash: () => ({ message: "the path contains a backslash", hint: "use / as the path separator" }),
    nothingThere: (file: string, place: string) => `${file} has nothing at ${quote(place)}`,
    tooManyFiles: (count: number) => `the document refers to more than ${count} files`,
    tooLarge: (mebibytes: number) => `the document refers to more than ${mebibytes} MiB of files`,
    malformedFile: (file: string) => `${file} is not well-formed`,
    noOtherFiles: () => ({
      message: "callsheet can't open other files for this document",
      hint: "move the referenced part into this document",
    }),
    escapedReference: () => ({
      message: "callsheet can't read the reference that leads to this file",
      hint: 'write "$ref" without escapes',
    }),
  },
  "document-standard": {
    forbiddenValue: (version: string, expected: string, hint?: string) => ({
      severity: "warning",
      message: `${standardName(version)} doesn't allow this value: ${expected}`,
      hint,
    }),
    unknownField: (version: string, name: string, hint?: string) => ({
      severity: "warning",
      message: `${standardName(version)} doesn't define the field ${quote(name)} here`,
      hint,
    }),
    missingField: (version: string, name: string) => ({
      severity: "warning",
      message: `${standardName(version)} requires ${quote(name)} here`,
    }),
    misplacedReference: (version: string, field: string) => ({
      severity: "warning",
      message: `${standardName(version)} allows no "$ref" in place of ${quote(field)}`,
      hint: "callsheet follows it, but other tools may not: join the files with a bundler",
    }),
    unreadReference: (version: string, field: string) => ({
      severity: "warning",
      message: `${standardName(version)} allows no "$ref" in place of ${quote(field)}, and callsheet doesn't follow it`,
      hint: "write the value here, or join the files with a bundler",
    }),
    wrongTarget: (reference: string, expected: "one" | "list" | "map", received: string) => ({
      severity: "warning",
      message: `the reference ${quote(reference)} leads to ${received}; expected ${expected === "list" ? "a list" : "an object"}`,
    }),
    besideReference: (version: string, keyword: string) => ({
      severity: "warning",
      message: `${standardName(version)} ignores ${quote(keyword)} beside "$ref"`,
      hint: 'put both into "allOf": [{ "$ref": … }, { … }]',
    }),
    foreignPattern: (part: string, readAs: string, advice?: string) => ({
      severity: "warning",
      message: `the pattern has ${quoteRaw(part)}, which JavaScript reads as ${readAs}`,
      hint: advice,
    }),
    neverMatches: (keyword: string, values: readonly string[], types: readonly string[], hint?: string) => ({
      severity: "warning",
      message: `${listWords(values)} in ${quote(keyword)} never ${values.length === 1 ? "matches" : "match"} the type ${quoteList(types, "or")}`,
      hint,
    }),
    badMediaType: (name: string) => ({
      severity: "warning",
      message: `${quote(name)} is not a media type, so no body has it`,
      hint: 'write a type such as "application/json"',
    }),
    emptyList: (keyword: string) => ({
      severity: "warning",
      message: `${quote(keyword)} is empty, so callsheet ignores it`,
      hint: `list the ${keyword === "enum" ? "allowed values" : "schemas"}, or remove it`,
    }),
    contradiction: ({ lower, least, upper, most }: Bounds) => ({
      severity: "warning",
      message: `no value can match: ${quote(lower)} is ${least}, and ${quote(upper)} is ${most}`,
    }),
    forbiddenProperty: (name: string, known: readonly string[], beside?: string) => ({
      severity: "warning",
      message: `no object can match: the property ${quote(name)} is required, and "additionalProperties": false forbids it`,
      hint:
        beside === undefined
          ? (suggest(name, known) ?? 'add it to "properties"')
          : `"additionalProperties" doesn't know the properties in ${quote(beside)}: add them to "properties"`,
    }),
    withoutPartner: (keyword: string, partner: string) => ({
      severity: "warning",
      message: `${quote(keyword)} has no effect without ${quote(partner)}`,
    }),
    neverApplies: (keyword: string, applies: readonly string[], types: readonly string[]) => ({
      severity: "warning",
      message: `${quote(keyword)} has no effect: it applies to the type ${quoteList(applies, "or")}, and the type is ${quoteList(types, "or")}`,
    }),
    nullable: (version: string, hint: string) => ({
      severity: "warning",
      message: `${standardName(version)} has no "nullable", so null is not allowed`,
      hint,
    }),
    circle: (names: readonly string[]) => ({
      severity: "warning",
      message: `the schema includes itself without end, so no value can match: ${names.join(" → ")}`,
      hint: "remove one of the references",
    }),
    unexplained: (count: number) => ({
      severity: "warning",
      message: `${count} more objects have values that the standard doesn't allow`,
    }),
    alike: (message: string, more: number) => ({
      severity: "warning",
      message: `${message} (and ${more} more ${more === 1 ? "place" : "places"} with the same problem)`,
    }),
  },
  "link-outside": {
    outside: () => ({ message: "references must stay inside the project", hint: KEEP_A_COPY }),
    address: () => ({
      message: "callsheet doesn't follow references to URLs",
      hint: KEEP_A_COPY,
    }),
  },
  "yaml-syntax": {
    severalDocuments: () => "the file contains more than one YAML document",
    duplicateKey: () => "duplicate key",
    malformed: (reason: string) => reason,
    tab: () => ({ message: "YAML allows no tabs in the indentation", hint: "indent with spaces" }),
    missingSpace: (line: string) => ({
      message: "a key needs a blank after its colon",
      hint: `the line above is one text without it: ${line}`,
    }),
    colon: (_: string, example: string) => ({
      message: "a text that contains a colon and a blank needs quotes",
      hint: `put it in quotes: ${example}`,
    }),
    specialStart: (first: string, example: string) => ({
      message: `a text that starts with ${first} needs quotes`,
      hint: `put it in quotes: ${example}`,
    }),
    afterQuotes: (first: string, example: string) => ({
      message: `the text goes on after the closing ${first}`,
      hint: `put the whole text in quotes: ${example}`,
    }),
    afterBlockMark: (first: string, example: string) => ({
      message: `the text after ${first} must start on the next line`,
      hint: `move it, or put it in quotes: ${example}`,
    }),
    badEscape: (escape: string, example: string) => ({
      message: `${escape} means nothing in double quotes`,
      hint: `put it in single quotes: ${example}`,
    }),
    recursiveAlias: () => "an alias is inside the anchor that it refers to",
    largeAliases: () => "the aliases expand to too much data",
  },
  "operation-unknown": {
    several: (name: string, places: readonly string[], hasResources: boolean) => ({
      message: `several operations are named ${quote(name)}: ${places.join("; ")}`,
      hint: hasResources
        ? 'set "resource", or write the operation as "METHOD /path"'
        : 'write the operation as "METHOD /path"',
    }),
    otherResource: (name: string, resource: string, owners: readonly string[]) => ({
      message: `the operation ${quote(name)} does not belong to the resource ${quote(resource)}`,
      hint: owners.length === 0 ? 'remove "resource"' : `it belongs to ${quoteList(owners, "and")}`,
    }),
    unknown: (name: string, hint: string | undefined) => ({
      message: `the document has no operation ${quote(name)}`,
      hint,
    }),
  },
}))

/** The reasons why a URL can't be built, for use in other messages. */
export const reasons = {
  circle: () => "the references form a cycle",
  lostPaths: (reason: string) => `the reference in place of "paths" does not resolve: ${reason}`,
  lostPath: (path: string, reason: string) => `the reference of the path ${path} does not resolve: ${reason}`,
  noBaseUrl: () =>
    'the API has no base URL: the variable "baseUrl" is not set, and the document has no absolute server URL',
  baseUrl: (fault: string) => `the base URL ${fault}`,
  blankAroundBaseUrl: () => "starts or ends with a space or a line break",
  blankInBaseUrl: () => "contains spaces or control characters",
  placeholderInBaseUrl: () => "contains a placeholder, which environment files can't have",
  relativeBaseUrl: () => "is not an http or https URL",
  fragmentInBaseUrl: () => "has a fragment (#), which is never sent",
  hostWithoutScheme: () => `its document has a "host", but its "schemes" don't include http or https`,
  relativeServer: (url: string) =>
    `the server ${quote(url)} of its document is not an absolute http or https URL`,
  openServer: (url: string, variable: string) =>
    `the server ${quote(url)} of its document has no default for ${quote(variable)}`,
  noPathValue: (path: string, names: readonly string[]) =>
    `the path ${path} has no value for ${names.map(quote).join(", ")}`,
  dotSegment: (name: string) =>
    `the path parameter ${quote(name)} must not result in a path segment "." or "..", which URLs drop`,
  halfCharacter: (place: string, name: string) =>
    `the ${place} parameter ${quote(name)} contains an unpaired surrogate, which UTF-8 can't encode`,
} as const
