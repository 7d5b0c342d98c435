import { EventEmitter } from "node:events"
import { describe, expect, it } from "vitest"
import { createScreen, type Host } from "./screen.ts"

class FakeStream extends EventEmitter {
  readonly isTTY: boolean
  readonly columns = 100
  readonly written: string[] = []
  failure: Error | undefined
  constructor(isTTY: boolean) {
    super()
    this.isTTY = isTTY
  }
  write(text: string, done?: () => void): boolean {
    if (this.failure !== undefined) this.emit("error", this.failure)
    else this.written.push(text)
    done?.()
    return true
  }
}

function screenOf(isTTY: boolean, env: Host["env"] = {}) {
  const stdout = new FakeStream(isTTY)
  const stderr = new FakeStream(isTTY)
  const host = { stdin: { isTTY }, stdout, stderr, env } as unknown as Host
  return { stdout, screen: createScreen(host) }
}

const isColored = (isTTY: boolean, env: Host["env"]) =>
  screenOf(isTTY, env).screen.out.style("red", "x") !== "x"

const failing = (code: string) => Object.assign(new Error(code), { code })

describe("createScreen", () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: "1" }, false],
    [true, { NO_COLOR: "" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { FORCE_COLOR: "1" }, true],
    [false, { FORCE_COLOR: "" }, true],
    [true, { FORCE_COLOR: "0" }, false],
    [false, { FORCE_COLOR: "1", NO_COLOR: "1" }, true],
    [false, { CI: "true" }, false],
  ])("decides on color: terminal %s, %j", (isTTY, env, expected) => {
    expect(isColored(isTTY, env)).toBe(expected)
  })

  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { CI: "true" }, false],
    [true, { CI: "false" }, true],
    [true, { TERM: "dumb" }, false],
    [false, { FORCE_COLOR: "1" }, false],
  ])("decides on redrawing: terminal %s, %j", (isTTY, env, expected) => {
    expect(screenOf(isTTY, env).screen.out.isLive).toBe(expected)
  })

  it.each([
    [true, {}, true],
    [false, {}, false],
    // In a CI job with a terminal, nobody can answer.
    [true, { CI: "true" }, false],
    [true, { CI: "false" }, true],
  ])("decides whether to prompt: terminal %s, %j", (isTTY, env, expected) => {
    expect(screenOf(isTTY, env).screen.isInteractive).toBe(expected)
  })

  it("continues silently when the reader of a pipe has closed it", async () => {
    const { screen, stdout } = screenOf(false)
    screen.out.write("one")
    stdout.failure = failing("EPIPE")
    screen.out.write("two")
    screen.out.write("three")
    expect(await screen.flush()).toBeUndefined()
    expect(stdout.written).toEqual(["one"])
  })

  it("reports output that was lost for any other reason", async () => {
    const { screen, stdout } = screenOf(false)
    stdout.failure = failing("ENOSPC")
    screen.out.write("one")
    expect(await screen.flush()).toBe(stdout.failure)
  })
})
