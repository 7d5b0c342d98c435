// A command without an end would swallow the commands after it, so the import refuses the file.

import { describe, expect, it } from "vitest"
import { textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto } from "./import-into.ts"

const url = "http://shop.example"

describe("a file of curl commands with something unclosed", () => {
  it.each([
    ["a single quote", `curl ${url}/a\ncurl '${url}/b\ncurl ${url}/c\n`, 2, 6, "'"],
    ["a double quote", `curl ${url}/a\n\ncurl "${url}/b\ncurl ${url}/c\n`, 3, 6, '"'],
    ["a quote with escapes", `curl -d $'a ${url}/b\ncurl ${url}/c\n`, 1, 9, "$'"],
    ["a quote before one that is closed", `curl -d '{"a":1} ${url}/a\ncurl -d 'x' '${url}/b'\n`, 1, 9, "'"],
    ["two quotes", `curl -d '{"a":1} ${url}/a\ncurl -d '{"b":1} ${url}/b\n`, 1, 9, "'"],
    ["a substitution", `curl ${url}/a\ncurl $(date ${url}/b\ncurl ${url}/c\n`, 2, 6, "$("],
    ["a substitution in backticks", `curl ${url}/a\ncurl \`date ${url}/b\ncurl ${url}/c\n`, 2, 6, "`"],
    ["an expansion", `curl \${A:-x ${url}/a\ncurl ${url}/c\n`, 1, 6, "${"],
    ["a here-document", `curl -d @- ${url}/a <<END\n{}\ncurl ${url}/c\n`, 1, 34, "<<END"],
    ["a quote after Windows line breaks", `curl ${url}/a\r\ncurl '${url}/b\r\n`, 2, 6, "'"],
  ])("is refused at the start of %s", async (_, script, line, column, mark) => {
    const folder = await folderWith({ "cmds.sh": script })
    const { exitCode, stderr, stdout } = await importInto(folder, ["cmds.sh"])
    expect([exitCode, stdout]).toEqual([2, ""])
    expect(stderr).toContain(`cmds.sh:${line}:${column}`)
    expect(stderr).toContain(`${mark}" without an end`.replace('""', '\\""'))
    expect(stderr).toContain("hint: close it")
    expect(Object.keys(await textsIn(folder))).toEqual(["cmds.sh"])
  })

  it("is imported if its quotes only contain line breaks and commands", async () => {
    const folder = await folderWith({
      "cmds.sh": `curl ${url}/a -d 'Run\ncurl http://x.example\nand then' -H "A: b"\ncurl ${url}/b\n`,
    })
    expect((await importInto(folder, ["cmds.sh"])).result).toMatchObject({ requests: 2, losses: [] })
  })
})
