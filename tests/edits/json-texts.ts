// Generated value files: JSON objects in every layout that people and tools use.

import fc from "fast-check"

export interface JsonText {
  readonly text: string
  /** Decoded keys with the text of each value, in order. */
  readonly members: readonly { readonly key: string; readonly value: string }[]
  /** Each key is on its own line. */
  readonly isOneKeyPerLine: boolean
}

const plainKeys = [
  "a",
  "A",
  "a ",
  "b",
  "level",
  "x.y",
  "__proto__",
  "constructor",
  "kéy",
  "{",
  "}",
  ",",
  ":",
  "𝄞",
  "",
]

/** A key in the text: plain, or with its first character escaped. */
const keyText = (key: string, isEscaped: boolean): string =>
  isEscaped && /^[a-zA-Z]/.test(key)
    ? `"\\u${key.charCodeAt(0).toString(16).padStart(4, "0")}${JSON.stringify(key.slice(1)).slice(1)}`
    : JSON.stringify(key)

const scalar = fc.oneof(
  fc.constantFrom(
    "1",
    "-0.50",
    "1e3",
    "1E+2",
    "123456789012345678901234567890",
    "0",
    "true",
    "false",
    "null",
  ),
  fc.constantFrom('""', '"}"', '","', '"\\""', '"\\\\"', '"\\u2028\\/"', '"a: {b}, [c]"', '"\u2028"', '"é𝄞"'),
  fc.string({ unit: "binary", maxLength: 8 }).map((text) => JSON.stringify(text)),
)

const nested = (eol: string, indent: string) =>
  fc.oneof(
    { weight: 6, arbitrary: scalar },
    { weight: 1, arbitrary: scalar.map((one) => `[${one}, {"a": ${one}}]`) },
    { weight: 1, arbitrary: scalar.map((one) => `{${eol}${indent}${indent}"a" : ${one}${eol}${indent}}`) },
    { weight: 1, arbitrary: fc.constantFrom("{}", "[]", "{ }") },
  )

const space = fc.constantFrom("", "", " ", "\t", "  ")
const lineEnds = fc.constantFrom("\n", "\r\n", "\r", "mixed")

/** The text around a member on its line. */
interface Around {
  readonly colon: string
  readonly beforeComma: string
  readonly afterComma: string
  readonly isEscaped: boolean
  readonly eol: string
}

const around = fc.record({
  colon: fc.constantFrom(": ", ":", " : ", "\t:\t"),
  beforeComma: space,
  afterComma: space,
  isEscaped: fc.boolean(),
  eol: fc.constantFrom("\n", "\r\n", "\r"),
})

const style = fc.record({
  mark: fc.constantFrom("", "", "\ufeff"),
  indent: fc.constantFrom("  ", "    ", "\t", ""),
  eol: lineEnds,
  layout: fc.constantFrom("lines", "lines", "one line", "commas first"),
  last: fc.constantFrom("", "\n", "\r\n"),
  inner: space,
})

type Style = typeof style extends fc.Arbitrary<infer S> ? S : never
type Written = { readonly key: string; readonly value: string; readonly around: Around }

/** Value files of at most eight keys. */
export const jsonText: fc.Arbitrary<JsonText> = style.chain((chosen) =>
  fc
    .uniqueArray(
      fc.record({
        key: fc.constantFrom(...plainKeys),
        value: nested(chosen.eol === "mixed" ? "\r\n" : chosen.eol, chosen.indent),
        around,
      }),
      { selector: ({ key }) => key, maxLength: 8 },
    )
    .map((members) => layOut(chosen, members)),
)

function layOut({ mark, indent, eol, layout, last, inner }: Style, members: readonly Written[]): JsonText {
  const breakAfter = (one: Around) => (layout === "one line" ? "" : eol === "mixed" ? one.eol : eol)
  const written = members.map(({ key, value, around: one }) => ({
    ...one,
    pair: `${keyText(key, one.isEscaped)}${one.colon}${value}`,
  }))
  let body = ""
  for (const [index, one] of written.entries()) {
    const isLast = index === written.length - 1
    const margin = layout === "one line" ? "" : indent
    if (layout === "commas first") {
      body += `${margin}${index > 0 ? "," : ""}${one.afterComma}${one.pair}${one.beforeComma}${breakAfter(one)}`
    } else {
      body += `${margin}${one.pair}${one.beforeComma}${isLast ? "" : `,${one.afterComma}`}${breakAfter(one)}`
    }
  }
  const first = written[0]
  const open = layout === "one line" || first === undefined ? inner : breakAfter(first)
  const isMultiline = members.some(({ value }) => /[\r\n]/.test(value))
  return {
    text: `${mark}{${open}${body}}${last}`,
    members: members.map(({ key, value }) => ({ key, value })),
    isOneKeyPerLine: layout === "lines" && !isMultiline,
  }
}
