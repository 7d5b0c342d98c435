import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CallsheetError, type RunEvent } from "@callsheet/format"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { CommandCall } from "../args/command.ts"
import { Options } from "../args/options.ts"
import { CallerPath } from "@callsheet/project"
import { openReportDirectory } from "../reporters/report-directory.ts"
import { openReportFile } from "../reporters/report-file.ts"
import { plain, type Output } from "../screen.ts"
import { runVerified, type LeakWatch } from "./run-verified.ts"

const canary = "k3y-canary-77"
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "callsheet-leaks-"))
})
afterAll(() => rmSync(folder, { recursive: true }))

const started: RunEvent = {
  type: "run.started",
  run: 0,
  workflow: "checkout",
  startedAt: "2026-11-21T10:00:00.000Z",
  environments: { shop: { name: "blue-harbour", level: "local" } },
  inputs: {},
}

/** Runs with --verify-no-leak. The run learns its secrets first and then writes. */
async function verified(
  write: (call: CommandCall, watch: LeakWatch) => void,
  value: string | number = canary,
) {
  const written = { out: "", err: "" }
  const output = (name: "out" | "err"): Output => ({
    write: (text) => {
      written[name] += text
    },
    isTerminal: false,
    isLive: false,
    columns: () => 80,
    style: plain,
  })
  const call: CommandCall = {
    words: [],
    options: new Options(new Map()),
    screen: { out: output("out"), err: output("err"), isInteractive: false, input: process.stdin },
    cwd: folder,
    environment: {},
    scriptEntry: new URL("file:///nowhere"),
    exit: (code) => {
      throw new Error(`exit ${code}`)
    },
  }
  const code = await runVerified(call, async (inner, watch) => {
    watch.onSecrets([{ name: "shop.apiKey", value }])
    watch.hear(started)
    write(inner, watch)
    return 1
  })
  return { code, ...written }
}

const report = (watch: LeakWatch, name: string, text: string): string => {
  const path = join(folder, name)
  const file = watch.file(openReportFile(CallerPath.from("", path)), name)
  file.output.write(text)
  file.commit()
  return path
}

describe("a verified run", () => {
  it("removes the files of a report directory if one of them contains a secret, and no other file", async () => {
    const place = join(folder, "results")
    mkdirSync(place)
    writeFileSync(join(place, "other.txt"), canary)
    const { code, err } = await verified((_, watch) => {
      const directory = openReportDirectory(CallerPath.from(folder, "results"))
      const file = watch.file(directory, "results")
      directory.add("a.json", ["{}"])
      directory.add("b.txt", ["k3y-can", "ary-77"])
      file.commit()
      expect(readdirSync(place)).toEqual(["a.json", "b.txt", "other.txt"])
    })
    expect(code).toBe(2)
    expect(err).toContain("results contains the value of the secret shop.apiKey")
    expect(readdirSync(place)).toEqual(["other.txt"])
  })

  it("has the run's exit code if nothing leaked", async () => {
    const { code, out, err } = await verified((call, watch) => {
      call.screen.out.write("*** and k3y-canary-7\n")
      report(watch, "good.json", "{}")
    })
    expect([code, out, err]).toEqual([1, "*** and k3y-canary-7\n", ""])
    expect(readFileSync(join(folder, "good.json"), "utf8")).toBe("{}")
  })

  it("removes a file with a secret, names file and variable, never the value, and exits with 2", async () => {
    writeFileSync(join(folder, "leak.xml"), "an older report")
    const { code, err } = await verified(
      (_, watch) => void report(watch, "leak.xml", `<a b="${btoa(canary)}"/>`),
    )
    expect(code).toBe(2)
    expect(err).toContain(
      "leak.xml contains the value of the secret shop.apiKey; the file was removed (secret-leaked)",
    )
    expect(err).not.toContain(canary)
    expect(existsSync(join(folder, "leak.xml"))).toBe(false)
  })

  it("finds secrets split across writes to standard output and error, and in the final error", async () => {
    const out = await verified(({ screen }) => {
      for (const letter of canary) screen.out.write(letter)
    })
    expect([out.code, out.err]).toEqual([2, expect.stringContaining("standard output contains")])
    const err = await verified(() => {
      throw new CallsheetError({ code: "usage", message: `no ${canary}` })
    })
    expect([err.code, err.err]).toEqual([2, expect.stringContaining("standard error contains")])
  })

  const late = (watch: LeakWatch): void =>
    watch.onSecrets([{ name: "signin.response.body.token", value: "l8-canary" }])

  it("finds what became secret after it was written, in files and streams, however much was written since", async () => {
    const { code, err } = await verified(({ screen }, watch) => {
      screen.out.write("l8-canary\n")
      report(watch, "early.json", "l8-canary")
      for (let line = 0; line < 40; line++) screen.out.write(".".repeat(50_000))
      late(watch)
      screen.out.write("***")
    })
    expect(code).toBe(2)
    expect(err).toContain(
      "standard output contains the value of the secret signin.response.body.token (secret-leaked)",
    )
    expect(err).toContain(
      "early.json contains the value of the secret signin.response.body.token; the file was removed",
    )
    expect(err).toContain("hint: callsheet wrote this value before the run captured it as a secret")
    expect(err).not.toContain("this is a bug")
  })

  it("ignores what became secret before it was written", async () => {
    const { code, err } = await verified(({ screen }, watch) => {
      late(watch)
      screen.out.write("***")
    })
    expect([code, err]).toEqual([1, ""])
  })

  it("reports which file cannot be read again", async () => {
    const { code, err } = await verified((_, watch) => rmSync(report(watch, "gone.json", "{}")))
    expect([code, err]).toEqual([2, expect.stringMatching(/can't reread the report "[^"]*gone\.json"/)])
  })

  it.each(["passed", "20261121", "harbour", "checkout"])(
    "does not count %j as a leak, because reports always contain it, and says so",
    async (value) => {
      const { code, err } = await verified(
        ({ screen }) => screen.out.write("checkout passed blue-harbour 20261121"),
        value,
      )
      expect(code).toBe(1)
      expect(err).toContain("warning: callsheet did not search the output for the secret shop.apiKey")
    },
  )

  it("doesn't search for numbers", async () => {
    expect(await verified(({ screen }) => screen.out.write("1234567890123"), 1234567890123)).toMatchObject({
      code: 1,
      err: "",
    })
  })
})
