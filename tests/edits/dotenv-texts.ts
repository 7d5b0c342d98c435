// Generated secrets files, with every way to write an assignment in the dialect.

import fc from "fast-check"

export interface DotenvText {
  readonly text: string
  /** The lines of the file in order, with their endings: each an assignment or something in between. */
  readonly pieces: readonly {
    readonly name: string | undefined
    readonly value: string
    readonly text: string
  }[]
}

const names = ["apiKey", "api_key", "APIKEY", "a.b-c", "pin", "_"]

const bare = fc.constantFrom("", "x", "a=b", "C:\\new", "a 'b' c", "$HOME", "é𝄞", "x\\n")
const content = fc.constantFrom(
  "",
  "x",
  " outer ",
  "a#b",
  "a\nb",
  "-----\nQUJD\n=\n-----",
  "$HOME",
  "# no comment",
  "n=m",
)

/** A value as written and as read. */
const written = (eol: string) =>
  fc.oneof(
    bare.map((value) => ({ raw: value, value })),
    fc
      .tuple(fc.constantFrom("'", '"', "`"), content)
      .map(([quote, value]) => ({ raw: `${quote}${value.replaceAll("\n", eol)}${quote}`, value })),
    fc.constant({ raw: String.raw`"a\nb"`, value: "a\nb" }),
  )

const assignment = (eol: string) =>
  fc
    .record({
      margin: fc.constantFrom("", "", "  ", "\t"),
      exported: fc.constantFrom("", "", "export "),
      name: fc.constantFrom(...names),
      separator: fc.constantFrom("=", "=", " = ", "= ", ": "),
      written: written(eol),
      comment: fc.constantFrom("", "", " # theirs", "  "),
    })
    .map(({ margin, exported, name, separator, written: { raw, value }, comment }) => ({
      name,
      value,
      text: `${margin}${exported}${name}${separator}${raw}${comment}${eol}`,
    }))
    // `name: ` without a value would continue on the next line.
    .filter(({ text }) => !/:\s*(?:# theirs)?\s*$/.test(text))

const between = (eol: string) =>
  fc.constantFrom("", "# a comment", "  # apiKey=commented").map((text) => ({
    name: undefined,
    value: "",
    text: `${text}${eol}`,
  }))

/** Secrets files of at most eight lines. A name may occur several times. */
export const dotenvText: fc.Arbitrary<DotenvText> = fc
  .record({
    mark: fc.constantFrom("", "", "\ufeff"),
    eol: fc.constantFrom("\n", "\r\n"),
    isOpen: fc.boolean(),
  })
  .chain(({ mark, eol, isOpen }) =>
    fc
      .array(fc.oneof({ weight: 3, arbitrary: assignment(eol) }, { weight: 1, arbitrary: between(eol) }), {
        maxLength: 8,
      })
      .map((lines) => {
        const last = lines.at(-1)
        const pieces =
          isOpen && last !== undefined
            ? [...lines.slice(0, -1), { ...last, text: last.text.replace(/\r?\n$/, "") }]
            : lines
        return { text: mark + pieces.map(({ text }) => text).join(""), pieces }
      }),
  )
