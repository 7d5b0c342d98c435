// Owns the border between text and code in exported scripts. A script is composed only of `Code`, and text becomes code
// only through the functions of this file and of `bash-code.ts` and `js-code.ts`, which quote it.

import { escapeInvisible } from "@callsheet/format"

type Language = "bash" | "js" | "curl"

declare const brand: unique symbol

/** Code of a script. A plain string isn't code, so text from outside can't get into a script without being quoted. */
export type Code<L extends Language> = string & { readonly [brand]: L }

/** A tag for templates that are code. Their values must be code, too. */
export type CodeTag<L extends Language> = (
  code: TemplateStringsArray,
  ...values: readonly Code<L>[]
) => Code<L>

export const codeTag =
  <L extends Language>(): CodeTag<L> =>
  (code, ...values) =>
    String.raw({ raw: code }, ...values) as Code<L>

export const joinCode = <L extends Language>(parts: readonly Code<L>[], separator: Separator): Code<L> =>
  parts.join(separator) as Code<L>

type Separator = "" | "." | " " | ", " | " + " | "; " | "\n" | " \\\n  "

/** Returns text as the rest of a comment's line. No character in it ends the line or changes its direction. */
export const commentText = <L extends Language>(text: string): Code<L> => escapeInvisible(text) as Code<L>

/** Returns text that a check has found to be one identifier. */
export function identifierCode<L extends Language>(text: string): Code<L> {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) throw new Error("an identifier has only letters, digits and _")
  return text as Code<L>
}

export function numberCode<L extends Language>(value: number): Code<L> {
  if (!Number.isFinite(value)) throw new Error("a script contains only finite numbers")
  return String(value) as Code<L>
}
