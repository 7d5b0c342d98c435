// A secret as a name is masked by every reporter and in records, and no member of an object gets lost.

import { rm } from "node:fs/promises"
import { afterEach, describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, createFolder, textsIn } from "../harness/callsheet.ts"
import { membersIn, secretNames, SECRETS } from "../harness/secret-names.ts"

let folder = ""
afterEach(() => rm(folder, { recursive: true, force: true }))

const files = ["json", "ndjson", "junit", "ctrf", "allure", "har", "html", "coverage", "github"]

describe("a secret that is a name", () => {
  it("is masked by every reporter, without losing a member", async () => {
    const [alpha, beta] = SECRETS
    const inner = { [alpha]: 1, [beta]: [{ [beta]: "a", [alpha]: "b" }], public: 2 }
    const headers = {
      "content-type": "application/json",
      [`x-${alpha}`]: "1",
      [`x-${beta}`]: "2",
      "set-cookie": `${alpha}=1`,
    }
    const api = await startApi({ "*": { body: inner, headers } })
    folder = await createFolder(secretNames(api.url, { script: true }))
    const reporters = files.flatMap((name) => ["--reporter", `${name}=out/${name}`])
    const words = ["run", "names", "-vv", "--reporter", "pretty", ...reporters, "--record", "out/record"]
    const ran = await callsheet(words, { folder })
    await api.close()
    expect(ran.exitCode, ran.stderr + ran.stdout).toBe(0)
    const written = Object.entries(await textsIn(folder)).filter(([path]) => path.startsWith("out/"))
    expect(written.length).toBeGreaterThan(files.length)
    const rendered = await Promise.all(
      ["json", "ndjson", "har", "html"].map((name) =>
        callsheet(["report", "out/record", "--reporter", name], { folder }),
      ),
    )
    const texts = [...written, ...[ran, ...rendered].map(({ stdout, stderr }) => ["", stdout + stderr])]
    for (const [path = "", text = ""] of texts)
      for (const secret of SECRETS) {
        expect(text.toLowerCase(), path).not.toContain(secret)
        expect(path).not.toContain(secret)
      }
    const json = written.filter(([path]) => /json$|har$|ctrf$/.test(path)).map(([, text]) => text)
    expect(json.join("\n")).toContain('"*** (2)"')
    for (const members of json.flatMap(membersIn))
      expect(new Set(members).size, members.join()).toBe(members.length)
  })
})
