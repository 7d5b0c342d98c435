// Carries scripts over as TypeScript files that contain the original code in a comment.

import { camelCase } from "./names.ts"

/**
 * The name of the item whose script this is, without the file: `Orders / Create order`. The file may be in another
 * directory at the next import.
 */
export const placeIn = (where: string, file: string): string => where.slice(file.length).replace(/^: ?/, "")

/** A script without secrets. */
interface OriginalScript {
  readonly code: string
  readonly place: string
}

/** Writes a script to translate. Every line of the original starts with `//`, so that it can't end the comment. */
export function scriptText(scripts: readonly OriginalScript[], exportName: string): string {
  const originals = scripts.flatMap(({ place, code }) => [
    `// From ${oneLine(place)}:`,
    "//",
    ...code.split(/\r\n|[\n\r\u2028\u2029]/).map((line) => `//   ${line}`.trimEnd()),
    "//",
  ])
  return [
    `import type { ScriptContext } from "@callsheet/sdk"`,
    "",
    "// TODO: Translate this script. Until then, callsheet skips its block.",
    "//",
    ...originals.slice(0, -1),
    `export function ${exportName}(ctx: ScriptContext) {`,
    "  ctx.untranslated()",
    "}",
    "",
  ].join("\n")
}

/** Returns whether a script still has to be translated. Its original is a comment, so it can't pretend. */
export const isUntranslated = (text: string): boolean => /^\s*ctx\.untranslated\(\)/m.test(text)

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ")

export const exportNameOf = (name: string): string => camelCase(name).replaceAll("-", "_")
