// Parts of requests whose names are in variables: they are sent if the value is known, and otherwise a loss.

import { describe, expect, it } from "vitest"
import { textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson } from "./import-into.ts"
import { postman } from "./sources.ts"

async function importCurl(script: string) {
  const folder = await folderWith({ "cmds.sh": script })
  const { result, exitCode } = await importInto(folder, ["cmds.sh"])
  const saved = result?.files.find((file) => file.includes("/requests/"))
  const request = saved === undefined ? undefined : await readJson(folder, saved)
  const losses = result?.losses.map(({ where, what }) => `${where} ${what}`) ?? []
  return { folder, request, losses, exitCode }
}

describe("arguments of curl in a variable", () => {
  it.each<readonly [script: string, request: object]>([
    ['T="X-Trace: 1"\ncurl -H "$T" http://127.0.0.1:1/a', { params: { header: { "X-Trace": "1" } } }],
    [
      'ID=7\nT="X-Trace: $ID"\ncurl -H "$T" http://127.0.0.1:1/a',
      { params: { header: { "X-Trace": "{{ID}}" } } },
    ],
    ['N=X-Trace\ncurl -H "$N: 1" http://127.0.0.1:1/a', { params: { header: { "X-Trace": "1" } } }],
    ['F="a=1"\ncurl -F "$F" http://127.0.0.1:1/a', { bodyType: "multipart", body: { a: "1" } }],
    ['D="a=b c"\ncurl --data-urlencode "$D" http://127.0.0.1:1/a', { bodyType: "form", body: { a: "b c" } }],
    ["M=PUT\ncurl -X $M http://127.0.0.1:1/a", { method: "PUT" }],
  ])("sends %s", async (script, request) => {
    const imported = await importCurl(script)
    expect(imported.request).toMatchObject(request)
    expect([imported.losses, imported.exitCode]).toEqual([[], 0])
  })

  it("sends cookies, as a secret", async () => {
    const { request, exitCode } = await importCurl('C="a=1; b=2"\ncurl -b "$C" http://127.0.0.1:1/a')
    expect(request).toMatchObject({ params: { header: { Cookie: "{{cookie}}" } } })
    expect(exitCode).toBe(0)
  })

  it("sends the password of a user in a variable, as a secret", async () => {
    const { folder, losses } = await importCurl('U="ada:pass-123456"\ncurl -u "$U" http://127.0.0.1:1/a')
    const texts = Object.entries(await textsIn(folder))
    const encoded = Buffer.from("ada:pass-123456").toString("base64")
    const files = texts.flatMap(([file, text]) => (text.includes(encoded) ? [file] : []))
    expect([files, losses]).toEqual([["apis/cmds/environments/default.secrets.env"], []])
  })

  it.each([
    ['curl -H "X-A: 1" http://127.0.0.1:1/a \\\n  -H "$T"', "cmds.sh:1 option --header $T"],
    ['curl http://127.0.0.1:1/a\n\ncurl -F "$F" http://127.0.0.1:1/b', "cmds.sh:3 option --form $F"],
    ['curl -b "$C" http://127.0.0.1:1/a\nC="a=1"', "cmds.sh:1 option --cookie $C"],
    ['curl --data-urlencode "$D" http://127.0.0.1:1/a', "cmds.sh:1 option --data-urlencode $D"],
  ])("lists %s as a loss", async (script, loss) => {
    const { losses, exitCode } = await importCurl(script)
    expect([losses, exitCode]).toEqual([[loss], 1])
  })
})

describe("names of headers and fields in a variable", () => {
  it("are filled in if every environment has the same value", async () => {
    const header = [
      { key: "{{known}}", value: "1" },
      { key: "X-{{unknown}}", value: "2" },
    ]
    const folder = await folderWith({
      "shop.json": postman([{ url: "http://127.0.0.1:1/a", header }], { known: "X-Known" }),
    })
    const { result } = await importInto(folder, ["shop.json"])
    expect(await readJson(folder, "apis/shop/requests/shop/r0.json")).toMatchObject({
      params: { header: { "X-Known": "1" } },
    })
    expect(result?.losses.map(({ what }) => what)).toEqual(["header unknown"])
  })
})
