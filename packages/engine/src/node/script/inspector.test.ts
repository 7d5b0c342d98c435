// Checks the environment of script processes, and the standard error of an inspected one.

import { describe, expect, it } from "vitest"
import { scriptEnvironment, withoutInspectorLines } from "./inspector.ts"

describe("the environment of a script process", () => {
  it.each([
    ["--inspect", undefined],
    ["--inspect=0.0.0.0:9229 --require ./a.cjs", "--require ./a.cjs"],
    ["--trace-warnings --inspect-brk --max-http-header-size=1", "--trace-warnings  --max-http-header-size=1"],
    ["--inspect_wait=1 --inspect-port 9230", undefined],
    ["--debug-port=9230 --inspect-brk-node", undefined],
  ])("does not let Node listen for debuggers: %s", (options, kept) => {
    const environment = scriptEnvironment({ A: "1", NODE_OPTIONS: options })
    expect(environment).toEqual({ A: "1", ...(kept === undefined ? {} : { NODE_OPTIONS: kept }) })
  })

  it.each([[undefined], ["--require ./inspect.cjs --inspect-publish-uid=http"], ["--title=--inspecting"]])(
    "is the runner's with NODE_OPTIONS %s",
    (options) => {
      expect(scriptEnvironment({ A: "1", ...(options === undefined ? {} : { NODE_OPTIONS: options }) })).toBe(
        undefined,
      )
    },
  )
})

describe("standard error of an inspected process", () => {
  it("loses Node's messages and keeps every other byte", () => {
    const own = Buffer.from([0xff, 0x20, 0xc3, 0xa4, 0x0a])
    const nodes = "Debugger attached.\nFor help, see: https://nodejs.org/en/docs/inspector\n"
    const chunk = Buffer.concat([
      Buffer.from(nodes),
      own,
      Buffer.from("Debugger ending on ws://127.0.0.1:1/x\n"),
    ])
    expect(withoutInspectorLines(chunk)).toEqual(own)
    expect(withoutInspectorLines(own)).toBe(own)
  })
})
