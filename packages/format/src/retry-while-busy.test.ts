import { describe, expect, it } from "vitest"
import { retryWhileBusy } from "./retry-while-busy.ts"

/** Creates a call that fails with these codes, one after the other, and then returns "done". */
function failing(...codes: readonly string[]) {
  const left = [...codes]
  return () => {
    const code = left.shift()
    if (code !== undefined) throw Object.assign(new Error(code), { code })
    return "done"
  }
}

function patience(isWindows: boolean) {
  const pauses: number[] = []
  return { pauses, retry: retryWhileBusy({ isWindows, pause: (ms) => void pauses.push(ms) }) }
}

describe("on Windows, a call", () => {
  it("is repeated while another program has the file open", () => {
    const { pauses, retry } = patience(true)
    expect(retry(failing("EPERM", "EBUSY", "EACCES"))).toBe("done")
    expect(pauses).toEqual([5, 10, 20])
  })

  it("fails after a second", () => {
    const { pauses, retry } = patience(true)
    expect(() => retry(failing(...Array<string>(100).fill("EPERM")))).toThrow("EPERM")
    expect(pauses.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(1000)
    expect(pauses.length).toBeGreaterThan(5)
  })

  it("fails at once for another reason", () => {
    const { pauses, retry } = patience(true)
    expect(() => retry(failing("ENOENT"))).toThrow("ENOENT")
    expect(pauses).toEqual([])
  })
})

it("fails at once on other systems, which replace open files", () => {
  const { pauses, retry } = patience(false)
  expect(() => retry(failing("EPERM"))).toThrow("EPERM")
  expect(pauses).toEqual([])
})
