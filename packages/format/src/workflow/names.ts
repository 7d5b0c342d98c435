// The grammars of names: what may be an API, an environment, a workflow, a variable, a block id.

import { messages } from "../messages.ts"
import { textCheck, type TextPattern } from "../shape/shape.ts"
import { MAX_NAME_LENGTH } from "./name-length.ts"

const slug = /^[a-z0-9][a-z0-9_-]*$/
const variable = /^[A-Za-z_][A-Za-z0-9_-]*$/

// Windows opens these as devices whatever extension follows. Both cases are spelt out: a pattern of JSON Schema has no flags.
const device = ["con", "prn", "aux", "nul", "conin\\$", "conout\\$", "com[0-9¹²³]", "lpt[0-9¹²³]"]
  .map((name) => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .join("|")

/** What an environment or a workflow may be called, since a file is called so. */
export const fileNamePattern = new RegExp(
  `^(?!(?:${device})(?:\\.|$))[A-Za-z0-9](?:[A-Za-z0-9._-]{0,${MAX_NAME_LENGTH - 2}}[A-Za-z0-9_-])?$`,
  "u",
)

const deviceName = new RegExp(`^(?:${device}) *(?:\\.|$)`, "u")

export const isApiName = (name: string): boolean =>
  slug.test(name) && name !== "workflow" && !deviceName.test(name)
export const isWorkflowName = (name: string): boolean => fileNamePattern.test(name)
export const isEnvironmentName = (name: string): boolean =>
  isWorkflowName(name) && name.toLowerCase() !== "schema"
export const isVariableName = (name: string): boolean => variable.test(name)

/** Says why a file or folder may not have this name. Undefined if every disk can hold it and every reader can tell it. */
export function checkFreeName(name: string): string | undefined {
  if (unprintableText.test(name)) return "it contains invisible characters"
  const foreign = /[<>:"|?*\\]/.exec(name)
  if (foreign !== null) return `Windows does not allow ${JSON.stringify(foreign[0])} in it`
  if (deviceName.test(name)) return "Windows reserves it for a device"
  if (name !== name.trim() || name.endsWith(".")) return `it starts or ends with a space, or ends with "."`
  return undefined
}

/** The same for names that some disks cannot tell apart: by upper and lower case, or by how an accent is written. */
export const nameKey = (name: string): string => name.normalize("NFC").toLowerCase()

// C0, DEL, C1, the marks that turn the direction of text, and halves of surrogate pairs: they change what a reader sees.
const unprintable =
  "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ufeff\\ud800-\\udfff"
const unprintableText = new RegExp(`[${unprintable}]`, "u")
const idPattern = new RegExp(`^(?!\\$)[^.\\[\\]{}${unprintable}]+$`, "u")

const idWords = `a name without ".", "[", "]", braces and control characters, and without "$" at its start`

/** What is wrong with the text of a block id, an input or an iterator; tokens must be cut out before. */
export const checkId = textCheck(idPattern, idWords, (text) => {
  const invalid = messages["id-invalid"]
  if (text === "") return invalid.empty()
  if (text.startsWith("$")) return invalid.dollar(text)
  if (/[.[\]]/.test(text)) return invalid.path(text)
  return /[{}]/.test(text) ? invalid.braces(text) : invalid.control(text)
})

/** What an editor can say of a block's id: one with tokens depends on the loops around it. */
export const blockIdPattern: TextPattern = { pattern: `${idPattern.source}|\\{\\{`, expected: idWords }
