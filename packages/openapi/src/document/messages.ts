// The messages about reading documents and building requests.

import { defineMessages, quote, quoteList } from "@callsheet/format"

const READABLE = "callsheet reads the versions 2.0, 3.0, 3.1 and 3.2"
const KEEP_A_COPY = "save a copy of the file inside the project, and refer to the copy"

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
    brokenReference: (reference: string, reason: string) =>
      `the reference ${quote(reference)} does not resolve: ${reason}`,
    badPattern: (pattern: string) => ({
      severity: "warning",
      message: `the pattern ${quote(pattern)} is not a valid regular expression, so callsheet accepts any string`,
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
  lostPath: (path: string, reason: string) => `the reference of the path ${path} does not resolve: ${reason}`,
  noBaseUrl: () =>
    'the API has no base URL: the variable "baseUrl" is not set, and the document has no absolute server URL',
  blankInBaseUrl: () => "the base URL contains spaces or control characters",
  relativeBaseUrl: () => "the base URL is not an absolute http or https URL",
  fragmentInBaseUrl: () => "the base URL has a fragment (#), which is never sent",
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
