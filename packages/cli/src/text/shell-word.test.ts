import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { shellWord } from "./shell-word.ts"

describe("shellWord", () => {
  it("leaves plain paths unquoted", () => {
    expect(shellWord("a/b-c_1.x", false)).toBe("a/b-c_1.x")
    expect(shellWord("C:\\a\\b", true)).toBe("C:\\a\\b")
  })

  it
    .skipIf(process.platform === "win32")
    .each(["a b", "it's", '"', "$HOME", "`id`", "a\\b", "", "!x", "a\nb", "*"])(
    "is one word for a shell: %j",
    (text) => {
      const printed = execFileSync("sh", ["-c", `printf %s ${shellWord(text, false)}`], { encoding: "utf8" })
      expect(printed).toBe(text)
    },
  )

  it("quotes for Windows with double quotes", () => {
    expect(shellWord("my tests\\a", true)).toBe('"my tests\\a"')
  })
})
