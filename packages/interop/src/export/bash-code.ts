// Quotes text for exported bash scripts.

import { escapeInvisible, singleQuoted } from "@callsheet/format"
import { codeTag, type Code } from "./code.ts"

export type Bash = Code<"bash">

export const bash = codeTag<"bash">()

/**
 * Quotes text as a word, or as a part of one. Shows what a reader of the script can't see as escapes. With `latin1`,
 * writes letters beyond ASCII as single bytes. The text can't contain NUL.
 */
export function shellWord(text: string, charset?: "latin1"): Bash {
  if (/^[\w./:@%+=,-]+$/.test(text)) return text as Bash
  const isByte = charset === "latin1" && /[\u0080-\u00ff]/.test(text)
  if (!isByte && escapeInvisible(text, "lines") === text) return singleQuoted(text) as Bash
  const escaped = Array.from(text, (char) => {
    if (/[\\']/.test(char)) return `\\${char}`
    const isPlain = isByte ? /[ -~]/.test(char) : escapeInvisible(char, "lines") === char
    return isPlain ? char : bytesOf(char, isByte).map(hexadecimal).join("")
  })
  return `$'${escaped.join("")}'` as Bash
}

const bytesOf = (char: string, isByte: boolean): readonly number[] =>
  isByte ? [char.charCodeAt(0)] : [...new TextEncoder().encode(char)]

const hexadecimal = (byte: number): string => String.raw`\x${byte.toString(16).padStart(2, "0")}`
