import { parse } from "dotenv"
import { describe, expect, it } from "vitest"
import { renameSecret, setSecret, unsetSecret, type EditedSecrets } from "./write-secret.ts"

const editedText = (edited: EditedSecrets): string => {
  if (!edited.ok) throw new Error(edited.code)
  return edited.text
}
const set = (text: string, name: string, value: string) => editedText(setSecret(text, name, value))
const unset = (text: string, name: string) => editedText(unsetSecret(text, name))

// A private key in the usual format, without content.
const pem = ["-----BEGIN KEY-----", "bm90IGE=", "a2V5 #==", "-----END KEY-----", ""].join("\n")

describe("setSecret", () => {
  it("replaces only the value and keeps export, blanks, comments and other lines", () => {
    const text = "# theirs\n\nexport  a = 'old'   # why\n  b=2\nnot:  x\n"
    expect(set(text, "a", "new")).toBe("# theirs\n\nexport  a = 'new'   # why\n  b=2\nnot:  x\n")
    expect(set(text, "b", "3")).toBe("# theirs\n\nexport  a = 'old'   # why\n  b=3\nnot:  x\n")
    expect(set("a=  # none yet\n", "a", "new")).toBe("a=new  # none yet\n")
  })

  it("edits the last of several assignments, because that one counts", () => {
    expect(set("a=1\na=2\nb=3\n", "a", "4")).toBe("a=1\na=4\nb=3\n")
  })

  it("appends a new name on its own last line, with the file's line endings", () => {
    expect(set("", "a", "1")).toBe("a=1\n")
    expect(set("a=1", "b", "2")).toBe("a=1\nb=2\n")
    expect(set("\ufeffa=1\r\n", "b", "2")).toBe("\ufeffa=1\r\nb=2\r\n")
    expect(set("a=1\r\n", "b", "two\nlines")).toBe("a=1\r\nb='two\r\nlines'\r\n")
  })

  it.each([
    ["plain", "plain"],
    ["", ""],
    ["C:\\new\\table", "C:\\new\\table"],
    ["a#b", "'a#b'"],
    ["  blanks  ", "'  blanks  '"],
    ["it's", "it's"],
    ["it's #1", `"it's #1"`],
    [`'both' "kinds" #`, `\`'both' "kinds" #\``],
    ["line one\r\nline two", `"line one\\r\\nline two"`],
    [pem, `'${pem}'`],
    ["$HOME and ${x}", "$HOME and ${x}"],
    ["=a", "=a"],
  ])("writes %j as %j", (value, written) => {
    const text = set("before=1\nafter=2\n", "a", value)
    expect(text).toBe(`before=1\nafter=2\na=${written}\n`)
    expect(parse(text)).toEqual({ before: "1", after: "2", a: value })
  })

  it("keeps the existing quotes if they still work", () => {
    expect(set('a="old"\n', "a", "new")).toBe('a="new"\n')
    expect(set('a="old"\n', "a", 'say "hi" #')).toBe("a='say \"hi\" #'\n")
  })

  it.each([
    ["'\"`#", "quotes"],
    ["\r\\n", "carriage return"],
    ['\r"#', "carriage return"],
    ["half \ud800", "surrogate"],
    ["nul \0", "NUL"],
    [`"'#\n<<<<<<< theirs`, "conflict marker"],
  ])("rejects %j and gives the reason without quoting it", (value, reason) => {
    const edited = setSecret("a=1\n", "a", value)
    expect(edited).toMatchObject({ ok: false, code: "secret-unquotable" })
    expect(edited.ok || edited.code === "dotenv-syntax" ? "" : edited.reason).toContain(reason)
  })

  it.each(["a=1\nno assignment\n", "<<<<<<< HEAD\na=1\n=======\na=2\n>>>>>>> x\n"])(
    "rejects a text with an error: %j",
    (text) => {
      expect(setSecret(text, "a", "2")).toMatchObject({ ok: false, code: "dotenv-syntax" })
      expect(unsetSecret(text, "a")).toMatchObject({ ok: false, code: "dotenv-syntax" })
    },
  )

  it("quotes a value that needs it, also in place of one with a warning", () => {
    const value = "x\u2028`y`"
    expect(setSecret("a=$OLD\n", "a", value)).toEqual({ ok: true, text: `a='${value}'\n` })
  })

  it("leaves the text unchanged if the value is already there", () => {
    expect(set('a = "1" # x', "a", "1")).toBe('a = "1" # x')
  })

  it("never lets an unclosed quote of another line swallow the new value", () => {
    const text = set("open='half\nb=2\n", "a", "it's #1")
    expect(parse(text)).toEqual({ open: "'half", b: "2", a: "it's #1" })
  })
})

describe("unsetSecret", () => {
  it("refuses to remove a line that stops an unclosed quote from swallowing others", () => {
    const text = "a='\nb='x #'\na='\n"
    expect(parse(text)).toEqual({ a: "'", b: "x #" })
    expect(unsetSecret(text, "b")).toMatchObject({ ok: false, code: "dotenv-syntax" })
    expect(unset(text, "a")).toBe("b='x #'\n")
  })

  it("removes every assignment of the name with its lines", () => {
    expect(unset("# c\na=1\nb=2\nexport a='x\ny' # z\nc=3", "a")).toBe("# c\nb=2\nc=3")
    expect(unset("a=1\r\nb=2\r\n", "b")).toBe("a=1\r\n")
    expect(unset("a=1", "a")).toBe("")
  })

  it("changes nothing if the name doesn't exist", () => {
    expect(unset("a=1\n", "b")).toBe("a=1\n")
  })
})

describe("renameSecret", () => {
  it.each([
    [
      "# theirs\r\nexport key = 'a b' # x\r\nother=1\r\n",
      "# theirs\r\nexport token = 'a b' # x\r\nother=1\r\n",
    ],
    ["\ufeffkey=1\nkey: key\nkeys=key\n", "\ufefftoken=1\ntoken: key\nkeys=key\n"],
    ["other=key", "other=key"],
  ])("renames each assignment of %j and changes no other byte", (text, expected) => {
    expect(renameSecret(text, "key", "token")).toEqual({ ok: true, text: expected })
  })

  it("never creates a second assignment of a name, and leaves a text that doesn't parse unchanged", () => {
    expect(() => renameSecret("key=1\ntoken=2\n", "key", "token")).toThrow("taken")
    expect(renameSecret("key\n", "key", "token")).toMatchObject({ ok: false })
  })
})
