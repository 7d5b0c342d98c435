// Makes names of files, workflows and blocks from any text.

import { checkFreeName } from "../workflow/names.ts"
import { asciiLetters } from "./ascii-letters.ts"

const MAX_LENGTH = 60
/** A file name has at most 255 bytes, with its ending and a number. */
const MAX_BYTES = 200

/**
 * Returns lowercase ASCII letters, digits and dashes, such as `shop-staging` for `Shop Staging`: for the names of APIs,
 * environments and workflows, which can't have other letters.
 */
export const asciiSlug = (text: string, fallback: string): string =>
  slugOf(asciiLetters(text), { separators: /[^a-z0-9]+/g, fallback })

/** Returns letters of any alphabet in lowercase, digits and dashes, for block ids and files. */
export const unicodeSlug = (text: string, fallback: string): string =>
  slugOf(text, {
    separators: /(?:[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point})+/gu,
    fallback,
  })

function slugOf(
  text: string,
  { separators, fallback }: { readonly separators: RegExp; readonly fallback: string },
): string {
  const made = cutAtWord(
    text
      .normalize("NFC")
      .toLowerCase()
      .replaceAll(separators, "-")
      .replaceAll(/^-+|-+$/g, ""),
  )
  if (made === "") return fallback
  // Windows reserves some names for devices.
  return checkFreeName(made) === undefined ? made : `${made}-1`
}

/** Shortens a slug to the last whole word, or within a word that is most of it. */
function cutAtWord(made: string): string {
  if (fits(made)) return made
  let cut = ""
  for (const [letter] of made.matchAll(/\P{M}\p{M}*|\p{M}/gu)) {
    if (!fits(cut + letter)) break
    cut += letter
  }
  const end = made[cut.length] === "-" ? -1 : cut.lastIndexOf("-")
  return (end >= MAX_LENGTH / 3 ? cut.slice(0, end) : cut).replace(/-+$/, "")
}

/** A unit of UTF-16 has at most three bytes in UTF-8, so that short names need no count. */
const fits = (name: string): boolean =>
  name.length <= MAX_LENGTH &&
  (3 * name.length <= MAX_BYTES || new TextEncoder().encode(name).length <= MAX_BYTES)
