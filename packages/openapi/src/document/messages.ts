// The messages about reading documents and building requests.

import { defineMessages, quote, quoteList } from "@callsheet/format"

const READABLE = "callsheet reads the versions 2.0, 3.0, 3.1 and 3.2"
const KEEP_A_COPY = "a reference must lead to a file inside the project: keep a copy there"

export const messages = defineMessages({
  "document-invalid": {
    notAnObject: () => "an OpenAPI document must be an object",
    noPaths: () => '"paths" is missing',
    badPaths: () => '"paths" must be an object',
    noVersion: () => ({
      message: '"openapi", the version of the document, is missing',
      hint: 'for example "openapi": "3.1.1"',
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
      `the reference ${quote(reference)} leads nowhere: ${reason}`,
    badPattern: (pattern: string) => ({
      severity: "warning",
      message: `the pattern ${quote(pattern)} is not a regular expression, so it allows any text`,
    }),
    more: (count: number) => `and ${count} more problems of this kind`,
    badEscape: () => "it contains a % that encodes nothing",
    backslash: () => "its path must be written with /",
    nothingThere: (file: string, place: string) => `${file} has nothing at ${quote(place)}`,
    tooManyFiles: (count: number) => `the document refers to more than ${count} files`,
    tooLarge: (mebibytes: number) => `the document refers to more than ${mebibytes} MiB of files`,
    malformedFile: (file: string) => `${file} is not well-formed`,
    noOtherFiles: () => "other files can't be read here",
    escapedReference: () => ({
      message: "callsheet can't read the reference that leads to this file",
      hint: 'write "$ref" without escapes',
    }),
  },
  "link-outside": {
    outside: () => ({ message: "it leads out of the project", hint: KEEP_A_COPY }),
    address: () => ({ message: "it is an address, and callsheet fetches nothing", hint: KEEP_A_COPY }),
  },
  "yaml-syntax": {
    severalDocuments: () => "the file contains more than one YAML document",
    duplicateKey: () => "duplicate key",
    malformed: (reason: string) => reason,
    recursiveAlias: () => "an alias is part of its own anchor",
    largeAliases: () => "the aliases expand to more than a document may contain",
  },
  "operation-unknown": {
    several: (name: string, places: readonly string[], hasResources: boolean) => ({
      message: `several operations are named ${quote(name)}: ${places.join("; ")}`,
      hint: hasResources ? 'add "resource", or write it as "METHOD /path"' : 'write it as "METHOD /path"',
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
})

/** The reasons why a URL can't be built, for use in other messages. */
export const reasons = {
  circle: () => "it leads only to other references, in a circle",
  lostPath: (path: string, reason: string) => `the reference of the path ${path} leads nowhere: ${reason}`,
  noBaseUrl: () => 'there is no base URL: no variable "baseUrl", and no absolute server in the document',
  blankInBaseUrl: () => "the base URL contains blanks or control characters",
  relativeBaseUrl: () => "the base URL is not an absolute http or https URL",
  fragmentInBaseUrl: () => "the base URL has a fragment (#), which is never sent",
  hostWithoutScheme: () => 'its document has a "host" but no "schemes" with http or https',
  relativeServer: (url: string) =>
    `the server ${quote(url)} of its document is not an absolute http or https URL`,
  openServer: (url: string, variable: string) =>
    `the server ${quote(url)} of its document has no default for ${quote(variable)}`,
  noPathValue: (path: string, names: readonly string[]) =>
    `${path}: no value for ${names.map(quote).join(", ")}`,
  dotSegment: (name: string) =>
    `the path parameter ${quote(name)} makes a segment "." or "..", which no URL can carry`,
  halfCharacter: (place: string, name: string) =>
    `the ${place} parameter ${quote(name)} contains half of a surrogate pair, which UTF-8 can't encode`,
} as const
