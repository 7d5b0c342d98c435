// The grammars of names: what may be an API, an environment, a workflow, a variable, a block id.

import { textCheck, type Objection } from "../shape/shape.ts"

const slug = /^[a-z0-9][a-z0-9_-]*$/
const variable = /^[A-Za-z_][A-Za-z0-9_-]*$/

// Windows opens these as devices whatever extension follows. Both cases are spelt out: a pattern of JSON Schema has no flags.
const device = ["con", "prn", "aux", "nul", "com[0-9]", "lpt[0-9]"]
  .map((name) => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .join("|")

/** What an environment or a workflow may be called, since a file is called so. */
export const fileNamePattern = new RegExp(
  `^(?!(?:${device})(?:\\.|$))[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9_-])?$`,
  "u",
)

export const isApiName = (name: string): boolean => slug.test(name) && name !== "workflow"
export const isEnvironmentName = (name: string): boolean =>
  isFileName(name) && name.toLowerCase() !== "schema"
export const isWorkflowName = (name: string): boolean => isFileName(name)
export const isVariableName = (name: string): boolean => variable.test(name)

const isFileName = (name: string): boolean => fileNamePattern.test(name)

// C0, DEL, C1, and the marks that turn the direction of text: they change what a reader sees.
const unprintable = "\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069"
const idPattern = new RegExp(`^(?!\\$)[^.\\[\\]{}${unprintable}]+$`, "u")

/** What is wrong with the text of a block id, an input or an iterator; tokens must be cut out before. */
export const objectToId = textCheck(idPattern, (text) => {
  if (text === "") return { code: "id-invalid", message: "a name must not be empty" }
  if (text.startsWith("$")) return invalid(text, `must not start with "$"`, "names with $ are dynamic values")
  if (/[.[\]]/.test(text))
    return invalid(text, `must not hold ".", "[" or "]"`, "a path would read them as steps")
  if (/[{}]/.test(text)) return invalid(text, "must not hold braces")
  return invalid(text, "must not hold control characters")
})

/** What an editor can say of a block's id: one with tokens depends on the loops around it. */
export const blockIdPattern = `${idPattern.source}|\\{\\{`

const invalid = (text: string, why: string, hint?: string): Objection => ({
  code: "id-invalid",
  message: `${JSON.stringify(text)} ${why}`,
  hint,
})
