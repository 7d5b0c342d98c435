import { PassThrough } from "node:stream"
import type { ProductionBinding } from "@callsheet/engine"
import { describe, expect, it } from "vitest"
import { askConfirmation } from "./confirm.ts"
import { plain, type Style } from "../screen.ts"

const production: readonly ProductionBinding[] = [
  {
    api: "shop",
    environment: "live",
    atLeast: 12,
    methods: [
      { method: "GET", atLeast: 10 },
      { method: "POST", atLeast: 2 },
      { method: "DELETE", atLeast: 0 },
    ],
  },
  { api: "payments", environment: "live-eu", atLeast: 1, methods: [{ method: "POST", atLeast: 1 }] },
]

const marked: Style = (color, text) => `<${color}>${text}</${color}>`

/** Asks the question and answers it. Returns the output and the result. Undefined ends the input. */
async function ask(answer: string | undefined, { style = plain, of = production } = {}) {
  let asked = ""
  const write = (text: string): void => {
    asked += text
  }
  const input = new PassThrough()
  const output = { write, isTerminal: true, isLive: true, columns: () => 80, style }
  const pending = askConfirmation(of, { output, input, signal: new AbortController().signal })
  if (answer === undefined) input.end()
  else input.write(answer)
  return { confirmed: await pending, asked }
}

describe("the question before production", () => {
  it("shows where requests go, the minimum number, the methods, and which of those may write", async () => {
    expect((await ask("y\n")).asked).toBe(
      [
        "production: requests will be sent to",
        "",
        "  shop → live          at least 12 requests   GET 10, POST 2, perhaps DELETE",
        "  payments → live-eu   at least 1 request     POST 1",
        "",
        "POST and DELETE may change data. Send them? [y/N] ",
      ].join("\n"),
    )
  })

  it("marks methods that may write, and doesn't mention writing if none does", async () => {
    const { asked } = await ask("y\n", { style: marked })
    expect(asked).toContain("GET 10, <red>POST 2</red>, <red>perhaps DELETE</red>")
    const reads = [{ api: "shop", environment: "live", atLeast: 1, methods: [{ method: "GET", atLeast: 1 }] }]
    expect((await ask("y\n", { of: reads })).asked).toContain("GET 1\n\nSend them? [y/N] ")
  })

  it("cannot be disguised by names", async () => {
    const odd = [{ ...production[1]!, environment: "a\u001b[2J\u202e" }]
    expect((await ask("y\n", { of: odd })).asked).toContain(String.raw`a\u001b[2J\u202e`)
  })

  it.each([
    ["y\n", true],
    [" YES \n", true],
    ["\n", false],
    ["n\n", false],
    ["yess\n", false],
    ["no\ny\n", false],
    [undefined, false],
  ])("reads %j as %s", async (answer, confirmed) => {
    expect((await ask(answer)).confirmed).toBe(confirmed)
  })

  it("treats an interrupt as no, both before the question and during it", async () => {
    const input = new PassThrough()
    const output = { write: () => {}, isTerminal: true, isLive: true, columns: () => 80, style: marked }
    const controller = new AbortController()
    const waiting = askConfirmation(production, { output, input, signal: controller.signal })
    controller.abort()
    expect(await waiting).toBe(false)
    expect(await askConfirmation(production, { output, input, signal: controller.signal })).toBe(false)
  })
})
