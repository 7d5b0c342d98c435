// The patterns for names of APIs, environments, workflows and variables, and for block ids.

import { messages } from "../messages.ts"
import { invisible } from "../text/escape-invisible.ts"
import { textCheck, type TextPattern } from "../shape/shape.ts"
import { MAX_NAME_LENGTH } from "./name-length.ts"

const slug = /^[a-z0-9][a-z0-9_-]*$/
const variable = /^[A-Za-z_][A-Za-z0-9_-]*$/

// Windows opens these names as devices, with any extension. JSON Schema patterns have no flags, so both cases are listed.
const device = ["con", "prn", "aux", "nul", "conin\\$", "conout\\$", "com[0-9¹²³]", "lpt[0-9¹²³]"]
  .map((name) => name.replaceAll(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`))
  .join("|")

/** The names of environments and workflows, which must be valid file names. */
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

/**
 * Explains why a file or directory can't have this name. Undefined if every disk can store the name and readers can
 * recognize it.
 */
export function checkFreeName(name: string): string | undefined {
  if (unprintableText.test(name)) return "it contains invisible characters"
  const foreign = /[<>:"|?*\\]/.exec(name)
  if (foreign !== null) return `Windows does not allow ${JSON.stringify(foreign[0])} in it`
  if (deviceName.test(name)) return "Windows reserves it for a device"
  if (name !== name.trim() || name.endsWith(".")) return `it starts or ends with a space, or ends with "."`
  return undefined
}

/** Returns the same key for names that some file systems don't distinguish: by case, or by how an accent is encoded. */
export const nameKey = (name: string): string => name.normalize("NFC").toLowerCase()

const unprintableText = new RegExp(`[${invisible}]`, "u")
const idPattern = new RegExp(`^(?!\\$)[^.\\[\\]{}${invisible}]+$`, "u")

const idWords = `a name without ".", "[", "]", braces and control characters, and without "$" at its start`

/** Checks the name of a block, an input or an iterator. Callers must remove tokens first. */
export const checkId = textCheck(idPattern, idWords, (text) => {
  const invalid = messages["id-invalid"]
  if (text === "") return invalid.empty()
  if (text.startsWith("$")) return invalid.dollar(text)
  if (/[.[\]]/.test(text)) return invalid.path(text)
  return /[{}]/.test(text) ? invalid.braces(text) : invalid.control(text)
})

/** The pattern of block ids for editors. It accepts any id with tokens, because those depend on the loops around the block. */
export const blockIdPattern: TextPattern = { pattern: `${idPattern.source}|\\{\\{`, expected: idWords }
