// Text from outside can't get into an exported script without being quoted.

import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { bash, shellWord } from "./bash-code.ts"
import { commentText, identifierCode, numberCode } from "./code.ts"
import { argument, literalAt, wordOf } from "./curl-positions.ts"
import { js, jsKey, jsString } from "./js-code.ts"

describe("code of a script", () => {
  it("takes no plain string, and no code of another language", () => {
    const text: string = "$(id)"
    // @ts-expect-error -- Text isn't code.
    expect(bash`echo ${text}`).toBe("echo $(id)")
    // @ts-expect-error -- Text isn't code.
    expect(js`run(${text})`).toBe("run($(id))")
    // @ts-expect-error -- JavaScript quotes in another way.
    expect(bash`echo ${jsString(text)}`).toBe('echo "$(id)"')
    // @ts-expect-error -- curl reads a text in its own way, too.
    expect(wordOf([argument`name="`, text])).toBe(`'name="$(id)'`)
    expect(bash`echo ${shellWord(text)}`).toBe("echo '$(id)'")
  })

  it("is made of text only where text is quoted", () => {
    const folder = new URL(".", import.meta.url)
    const casts = readdirSync(folder).filter((file) =>
      /\bas (?:Code|Bash|Js|Argument)\b/.test(readFileSync(new URL(file, folder), "utf8")),
    )
    const own = ["bash-code.ts", "bash-functions.ts", "code.ts", "curl-positions.ts", "js-code.ts"]
    expect(casts.sort()).toEqual([...own, "k6-functions.ts"])
  })

  it.each(["a b", "1a", "a-b", "", "a;b", "é", "a\n"])("refuses the identifier %j", (text) => {
    expect(() => identifierCode(text)).toThrow("identifier")
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])("refuses the number %s", (value) => {
    expect(() => numberCode(value)).toThrow("finite")
  })

  it("escapes what a reader can't see", () => {
    expect(shellWord("a\u202eb\u2028'")).toBe(String.raw`$'a\xe2\x80\xaeb\xe2\x80\xa8\''`)
    expect(shellWord("é\u0001'", "latin1")).toBe(String.raw`$'\xe9\x01\''`)
    expect(jsString("a\u202e\u2028")).toBe(String.raw`"a\u202e\u2028"`)
    expect(commentText("a\nb\r\u2029\u0085")).toBe(String.raw`a\u000ab\u000d\u2029\u0085`)
    expect(jsKey("__proto__")).toBe(`["__proto__"]`)
  })

  it("has no text where curl would read it as something else", () => {
    const refused = (["token", "header", "cookie", "url", "user", "partFile", "partName"] as const).map(
      (position) => literalAt(position, "a\r\nb").ok,
    )
    expect(refused).not.toContain(true)
    expect(literalAt("partText", `"\\`)).toEqual({ ok: true, argument: String.raw`\"\\` })
    expect(literalAt("partType", "a/b; headers=@c").ok).toBe(false)
    expect(literalAt("partType", "text/plain; charset=utf-8").ok).toBe(true)
  })
})
