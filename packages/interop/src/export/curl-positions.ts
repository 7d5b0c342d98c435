// Owns what may stand where in curl's arguments. Each position has one rule for literals, which applies when a script is
// written, and one encoding of values that only a run of the script knows. Both refuse what would end the position.

import { isHttpToken } from "@callsheet/format"
import type { Reason } from "../losses.ts"
import { bash, shellWord, type Bash } from "./bash-code.ts"
import { codeTag, joinCode, type Code } from "./code.ts"
import { exportReasons as reasons } from "./messages.ts"
import type { Encoding } from "./model.ts"

/** Text of one of curl's arguments. */
type Argument = Code<"curl">

/** A tag for the parts of an argument that curl interprets. Text from outside comes from `literalAt`. */
export const argument = codeTag<"curl">()

export type Position =
  | "url"
  | "token"
  | "header"
  | "cookie"
  | "user"
  | "text"
  | "file"
  | "partName"
  | "partText"
  | "partFile"
  | "partType"

/** How a script encodes a value. `base`, `header`, `cookie` and `user` only check it. */
export type ShellEncoding = Exclude<Encoding, "base64"> | "base" | "header" | "cookie" | "user" | "quoted"

interface Rule {
  readonly allows: (text: string) => boolean
  readonly write?: (text: string) => string
  /** The encoding of a value that the request doesn't encode itself. */
  readonly encoding: Exclude<ShellEncoding, Encoding> | "raw"
  /** Why curl can't send a text here. */
  readonly reason: () => Reason
}

const matches =
  (pattern: RegExp) =>
  (text: string): boolean =>
    pattern.test(text)

const unquoted = {
  allows: (text: string) => !text.includes("\0"),
  encoding: "raw",
  reason: reasons.nul,
} as const
const quoted = (text: string): string => text.replaceAll(/[\\"]/g, (char) => `\\${char}`)

/** A content type. curl would read other parameters of a form field in it, such as `headers=@file`. */
const partType =
  /^[!#$&^_.+\w-]+\/[!#$&^_.+\w-]+(?:; *(?!(?:headers|encoder|filename|type)=)[!#$&^_.+\w-]+=[!#$&^_.+\w-]+)*$/i

const rules: { readonly [P in Position]: Rule } = {
  url: { allows: matches(/^[^\0-\x20\x7f]*$/), encoding: "base", reason: reasons.position },
  token: { allows: isHttpToken, encoding: "raw", reason: reasons.position },
  header: { allows: matches(/^[\t\x20-\x7e\x80-\xff]*$/), encoding: "header", reason: reasons.position },
  cookie: {
    allows: matches(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e"]*$/),
    encoding: "cookie",
    reason: reasons.position,
  },
  user: { allows: matches(/^[^\0-\x1f\x7f]*$/), encoding: "user", reason: reasons.position },
  text: unquoted,
  // curl reads standard input for the file `-`.
  file: { ...unquoted, write: (text) => `./${text}` },
  partName: { allows: matches(/^[^=\r\n\0]*$/), encoding: "raw", reason: reasons.partName },
  partText: { ...unquoted, write: quoted, encoding: "quoted" },
  partFile: { allows: matches(/^[^\r\n\0]*$/), write: quoted, encoding: "quoted", reason: reasons.position },
  partType: { allows: matches(partType), encoding: "raw", reason: reasons.position },
}

type Literal =
  | { readonly ok: true; readonly argument: Argument }
  | { readonly ok: false; readonly reason: Reason }

export function literalAt(position: Position, text: string): Literal {
  const { allows, write = (own) => own, reason } = rules[position]
  return allows(text) ? { ok: true, argument: write(text) as Argument } : { ok: false, reason: reason() }
}

export const encodingAt = (position: Position): Rule["encoding"] => rules[position].encoding

/** A part of an argument: a literal, or the shell variable of an encoded value. */
export type Piece = Argument | { readonly variable: Bash }

/** Joins pieces to one word of a command. */
export function wordOf(pieces: readonly Piece[], charset?: "latin1"): Bash {
  const words: Bash[] = []
  let literal = ""
  const end = (): void => {
    if (literal !== "") words.push(shellWord(literal, charset))
    literal = ""
  }
  for (const piece of pieces) {
    if (typeof piece === "string") literal += piece
    else {
      end()
      words.push(bash`"$${piece.variable}"`)
    }
  }
  end()
  return words.length === 0 ? bash`''` : joinCode(words, "")
}
