// The sentences in generated files: why a value is what it is, and what a person must fill in.

import { singular, type Operation, type Why } from "@callsheet/openapi"

const code = (text: string): string => `\`${text.replaceAll("`", "'")}\``

/** Joins sentences for a description. Braces of a document would be placeholders. */
export const sentences = (texts: readonly (string | undefined)[]): string | undefined => {
  const all = texts.filter((text) => text !== undefined && text !== "")
  return all.length === 0 ? undefined : all.join(" ").replaceAll("{{", "{ {")
}

const MAX_SUMMARY = 120

/** Returns the summary of an operation as a sentence. */
export function summaryOf({ summary = "" }: Operation): string | undefined {
  const line = summary.replaceAll(/\s+/g, " ").trim()
  if (line === "" || line.length > MAX_SUMMARY) return undefined
  return /[.!?]$/.test(line) ? line : `${line}.`
}

const one = (resource: string): string => singular(resource.replaceAll(/[-_]+/g, " "))

export const generateTexts = {
  isFrom: (name: string, source: string, why: Why, resource: string) => {
    const reasons: Readonly<Record<Why, string>> = {
      link: "a link of the document says so",
      path: `its place in the path says that it identifies the ${one(resource)}`,
      name: `its name says that it identifies the ${one(resource)}`,
      format: `its format says that it identifies the ${one(resource)}`,
    }
    return `${code(name)} is ${code(source)}: ${reasons[why]}.`
  },
  isLinked: (name: string, source: string, link: string) =>
    `${code(name)} is ${code(source)}: the link ${code(link)} of the document says so.`,
  isPart: (name: string, source: string, schema: string, resource: string) =>
    `${code(name)} is ${code(source)}, the only ${code(schema)} of the ${one(resource)}.`,
  isVariable: (names: readonly string[]) =>
    `${names.map(code).join(" and ")} ${names.length === 1 ? "is a variable" : "are variables"} of the environment.`,
  conflicts: (status: string) =>
    `The document also allows ${status}, depending on the state of other things. So any status below 500 passes.`,
  onlyIfCreated: () => "Checks the rest only if it was created.",
  undecidedValue: (name: string, operation: Operation) =>
    `The value of ${code(name)} for ${operation.method} ${operation.path}. The document doesn't say where it comes from.`,
  undecidedBody: (mediaType: string, operation: Operation) =>
    `The body of ${operation.method} ${operation.path}, of the type ${mediaType}.`,
  listContains: () => "Fails if the list doesn't contain the new item.",
  cleanup: (name: string, { path }: Operation) => `The value of ${code(name)} in ${path}.`,
  deletes: () => "Deletes the item. Passes if it is gone already.",
  suite: () => "Workflows that callsheet generated from the OpenAPI documents.",
  needsInputs: (workflow: string, names: readonly string[]) =>
    `the workflow ${workflow} needs a value for ${names.map(code).join(", ")}`,
  noSuccess: () => "the document describes no successful response",
  noBody: (reason: string) => `no body could be made: ${reason}`,
  baseUrl: () => "The address of the API.",
  credential: (scheme: string) => `The credentials of the security scheme ${code(scheme)}.`,
}
