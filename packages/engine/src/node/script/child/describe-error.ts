// Describes a thrown value: the error, then the stack frames in files of the project.

import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import * as system from "node:path"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { inspect, types } from "node:util"
import { withoutFolder, withSlashes } from "@callsheet/format"
import { ScriptSyntaxError } from "./compiler.ts"
import { nameValue, safely } from "./check-result.ts"
import type { PlaceOf } from "./expect.ts"
import { childMessages } from "./messages.ts"
import { isInPackage } from "./source-reader.ts"
import { wholeAssertion, wholeTexts, withoutCutQuotes } from "./cut-quotes.ts"

/** The maximum length of a message. Only the length of a longer one is shown: a cut could show half a secret. */
const maxMessageCharacters = 64 * 1024
const says = childMessages["script-error"]
const maxFrames = 5
const maxCauses = 3

/** A path may contain parentheses itself, such as `C:\Program Files (x86)`. */
const namedFrame = /^\s+at .*? \((.+):(\d+):(\d+)\)$/
const frame = /^\s+at (?:async )?(.+):(\d+):(\d+)$/

export type ErrorDescriber = ReturnType<typeof createErrorDescriber>

/**
 * Creates functions that describe errors. `roots` are the paths of the project's root: as given, and with links
 * resolved. `readSource` returns a script by its path from the root.
 */
export function createErrorDescriber(
  roots: readonly string[],
  readSource: (file: string) => string | undefined,
) {
  const folders = [...new Set(roots)].flatMap((root) => [pathToFileURL(root).href, root])
  const shorten = (text: string): string =>
    folders.reduce((shorter, folder) => withoutFolder(shorter, folder, system), text)
  const relative = (file: string): string => withSlashes(shorten(file), system)

  /** Returns the stack frames in files of the project, each as `    at file:line:column`. */
  const framesOf = (stack: string): readonly string[] =>
    stack
      .split("\n")
      .flatMap((line) => {
        const [, file, row, column] = namedFrame.exec(line) ?? frame.exec(line) ?? []
        if (file === undefined || file.startsWith("eval at ")) return []
        const path = relative(file)
        const isOurs = shorten(file) !== file && !system.isAbsolute(path) && !isInPackage(file)
        return isOurs ? [`    at ${path}:${row}:${column}`] : []
      })
      // Recursion, or a statement that compiles to several, repeats a line.
      .filter((line, at, lines) => line !== lines[at - 1])
      .slice(0, maxFrames)

  const position = (error: object): readonly string[] => {
    if (error instanceof ScriptSyntaxError) {
      const { file, line, column, excerpt } = error
      const code = (excerpt?.split("\n") ?? []).map((text) => `    ${text}`)
      return [`    at ${relative(file)}:${line}:${column}`, ...code]
    }
    const stack = safely(() => (error as Error).stack)
    return typeof stack === "string" ? framesOf(stack) : []
  }

  /** Describes a thrown value. Never throws, and runs no code of the value that could throw. */
  const describe = (thrown: unknown, causes = maxCauses): string => {
    if (!types.isNativeError(thrown)) return says.threw(shown(thrown))
    const lines = [bounded(shorten(messageOf(thrown))), ...position(thrown)]
    const cause = safely(() => thrown.cause)
    if (cause !== undefined && causes > 0) lines.push(`  caused by: ${describe(cause, causes - 1)}`)
    return lines.join("\n")
  }
  return { describe, framesOf, relative, placeOf: createPlaceFinder(framesOf, readSource) }
}

/** Creates a function that finds where the script calls a function, and the text of the call's argument. */
function createPlaceFinder(
  framesOf: (stack: string) => readonly string[],
  readSource: (file: string) => string | undefined,
): PlaceOf {
  return (called) => {
    const caught: { stack?: string } = {}
    Error.captureStackTrace(caught, called)
    const [, file, row, column] =
      /^ {4}at (.+):(\d+):(\d+)$/.exec(framesOf(caught.stack ?? "")[0] ?? "") ?? []
    if (file === undefined) return {}
    const place = { file, line: Number(row), column: Number(column) }
    const lines = readSource(file)?.split("\n") ?? []
    const text = argumentAt(lines[place.line - 1]?.slice(place.column - 1) ?? "")
    return text === undefined ? { place } : { place, text }
  }
}

/** Returns the text between the first parentheses of a line. Undefined if the line doesn't contain all of it. */
function argumentAt(code: string): string | undefined {
  const start = code.indexOf("(") + 1
  if (start === 0) return undefined
  let depth = 1
  for (let at = start; at < Math.min(code.length, start + 200); at++) {
    if ("([{".includes(code.charAt(at))) depth++
    else if (")]}".includes(code.charAt(at)) && --depth === 0) return code.slice(start, at).trim()
  }
  return undefined
}

/** Errors that a script throws to fail. Their messages are shown without the error's name. */
const verdicts = new Set(["Error", "AssertionError"])

function messageOf(error: Error): string {
  const name = asString(safely(() => error.name)) ?? "Error"
  const message = asString(safely(() => wholeAssertion(error) ?? withoutCutQuotes(error.message)))
  if (message === undefined) return says.threwUnreadable(name)
  // Node appends every importer. The first line is enough.
  const shown = message.replace(/\nRequire stack:[^]*/, "")
  if (shown === "") return says.threwEmpty(name)
  return `${verdicts.has(name) ? "" : `${name}: `}${shown}${adviceFor(error, shown)}`
}

const missingModule = /^Cannot find (?:module|package) '([^']+)'/
/** A package's name, with its scope, at the start of an import. */
const packageName = /^(?:@[a-z0-9][\w.-]*\/)?[a-z0-9][\w.-]*(?=\/|$)/i

/** Returns how to repair an import that Node can't find. */
function adviceFor(error: Error, message: string): string {
  const code = asString(safely(() => (error as Error & { readonly code?: unknown }).code))
  const specifier = missingModule.exec(message)?.[1]
  if (specifier === undefined || !/^(?:ERR_)?MODULE_NOT_FOUND$/.test(code ?? "")) return ""
  if (/^(?:\.|\/|file:|[A-Za-z]:[\\/])/.test(specifier)) return ""
  const [name] = packageName.exec(specifier) ?? []
  if (name === undefined) return says.noAlias()
  return isInstalled(name) ? "" : says.notInstalled(name)
}

/** Returns whether a package is installed for the project, whose root is the working directory of its scripts. */
function isInstalled(name: string): boolean {
  const from = createRequire(join(process.cwd(), "_.js"))
  return (from.resolve.paths(name) ?? []).some((folder) => existsSync(join(folder, name)))
}

function shown(thrown: unknown): string {
  if (typeof thrown === "string")
    return thrown === "" ? "an empty string" : bounded(JSON.stringify(withoutCutQuotes(thrown)))
  if (typeof thrown !== "object" || thrown === null) return nameValue(thrown)
  const text = safely(() => inspect(thrown, { ...wholeTexts, breakLength: Infinity }))
  return text === undefined ? nameValue(thrown) : bounded(text)
}

const bounded = (text: string): string =>
  text.length > maxMessageCharacters ? `a text of ${text.length} characters` : text

const asString = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)
