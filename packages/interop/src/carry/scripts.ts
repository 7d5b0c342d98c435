// Writes what is left of scripts to translate: the original code in a comment, and a function that skips its block.

/**
 * The name of the item whose script this is, without the file: `Orders / Create order`. The file may be in another
 * directory at the next import.
 */
export const placeIn = (where: string, file: string): string => where.slice(file.length).replace(/^: ?/, "")

/** A script without secrets. */
interface OriginalScript {
  readonly code: string
  readonly place: string
  /** What has no translation, for people. */
  readonly untranslated: readonly string[]
}

interface Todo {
  /** The name of the function. */
  readonly name: string
  /** True if the file also has what is translated. */
  readonly isPart: boolean
}

/** Returns the lines of the function. Every line of the original starts with `//`, so that it can't end the comment. */
export function todoLines(scripts: readonly OriginalScript[], { name, isPart }: Todo): readonly string[] {
  const originals = scripts.flatMap(({ place, code, untranslated }) => [
    `// From ${oneLine(place)}:`,
    ...[...new Set(untranslated)].map((one) => `// Not translated: ${oneLine(one)}`),
    "//",
    ...code.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `//   ${line}`.trimEnd()),
    "//",
  ])
  return [
    `// TODO: Translate ${isPart ? "the rest of this script" : "this script"}. Until then, callsheet skips its block.`,
    "//",
    ...originals.slice(0, -1),
    `export function ${name}(ctx: ScriptContext) {`,
    "  ctx.untranslated()",
    "}",
  ]
}

/** Returns whether a script still has to be translated. Its original is a comment, so it can't pretend. */
export const isUntranslated = (text: string): boolean => /^\s*ctx\.untranslated\(\)/m.test(text)

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ")
