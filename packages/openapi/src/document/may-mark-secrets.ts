// Whether a document can mark a value as secret at all: known without a walk, and for most documents the answer is no.

import type { OpenApiDocument } from "./document.ts"
import { memo } from "./memo.ts"

/** The words that marks are made of. */
const marks = /writeOnly|password/

/** What JSON and YAML write within a word in place of a character. */
const escapes = /\\[uxU\r\n]/

/** Whether the text of a file, in JSON or in YAML, may hold words that a search for them does not find. */
export const mayHideWords = (text: string): boolean => escapes.test(text)

/** Whether the text of a file may hold a mark. */
export const mayHoldMarks = (text: string): boolean => marks.test(text) || mayHideWords(text)

/** By its outline or, where it is read whole, by the words in it; the same for the other files that it leads to. */
export const mayMarkSecrets = memo(
  (document: OpenApiDocument): boolean =>
    (document.marks?.marksSecrets ?? mayHoldMarks(document.source.text)) || othersMayMark(document),
)

const othersMayMark = ({ files, othersMarkSecrets }: OpenApiDocument): boolean =>
  othersMarkSecrets ?? files !== undefined
