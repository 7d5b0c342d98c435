// Files that curl commands read, and commands without a URL.

import { afterEach, describe, expect, it } from "vitest"
import { comparable, record, runBash, type Sent } from "../export/export-from.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson } from "./import-into.ts"

type Recorder = Awaited<ReturnType<typeof record>>
let server: Recorder | undefined
afterEach(async () => {
  await server?.close()
})

/** curl and callsheet encode a query in different ways that mean the same. */
const decoded = (sent: readonly Sent[]) =>
  comparable(sent).map((one) => ({ ...one, request: decodeURIComponent(one.request.replaceAll("+", " ")) }))

describe("callsheet import of curl commands that read files", () => {
  it("sends what curl sends", async () => {
    server = await record()
    const script = `B=${server.url}
curl "$B/lines" -H "Content-Type: text/plain" -d @lines.txt
curl "$B/bytes" -H "Content-Type: text/plain" --data-binary @lines.txt
curl "$B/json" --json @lines.txt
curl "$B/encoded" --data-urlencode note@lines.txt --data-urlencode @lines.txt -d a=1
curl "$B/form" -d @form.txt -d c=3
curl "$B/joined" -H "Content-Type: text/plain" -d x -d @lines.txt
curl -G "$B/query?a=1" --data-urlencode q@lines.txt -d @form.txt
curl "$B/url-query" --url-query q@lines.txt --url-query b=2
curl "$B/parts" -F "text=<lines.txt" -F 'quoted=<"lines.txt"'
`
    const files = { "lines.txt": "a b\r\nc&d=é\n", "form.txt": "m=1\r\n&n=2\n" }
    const folder = await folderWith({ "cmds.sh": script, ...files })
    const { code, output } = await runBash(script, folder, {})
    expect(code, output).toBe(0)
    const sent = decoded(server.sent.splice(0))
    const { result } = await importInto(folder, ["cmds.sh", "--files", ".", "--into", "p"])
    expect(result?.losses).toEqual([])
    const ran = await callsheet(["run", "cmds", "--project", "p"], { folder })
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(decoded(server.sent)).toEqual(sent)
  })

  it("loses a part whose file isn't allowed, isn't there or isn't text", async () => {
    const folder = await folderWith({
      "cmds.sh": `curl https://shop.example/a -F "a=<ok.txt" -F "b=<missing.txt" -F "c=<bytes.bin"
curl https://shop.example/b -d x=1 --data-urlencode y@/etc/passwd
`,
      "ok.txt": "fine",
      "bytes.bin": Buffer.from([0xff, 0xfe, 0x00]),
    })
    const { result } = await importInto(folder, ["cmds.sh", "--files", ".", "--into", "p"])
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "cmds.sh:1: file missing.txt",
      "cmds.sh:1: file bytes.bin",
      "cmds.sh:2: file /etc/passwd",
    ])
    const without = await importInto(folder, ["cmds.sh", "--into", "q"])
    expect(without.result?.losses[0]).toMatchObject({ what: "file ok.txt" })
  })

  it("writes no secret that a file contains", async () => {
    const secret = "tok-4711abcd"
    const folder = await folderWith({
      "p/apis/shop/environments/schema.json": {
        version: 1,
        variables: { baseUrl: { type: "string" }, apiKey: { type: "string", secret: true } },
      },
      "p/apis/shop/environments/default.json": { baseUrl: "https://shop.example" },
      "p/apis/shop/environments/default.secrets.env": `apiKey=${secret}\n`,
      "p/.gitignore": "*.secrets.env\n",
      "cmds.sh": `curl https://shop.example/a -F "a=<note.txt" -F "password=<word.txt"\n`,
      "note.txt": `is ${secret}`,
      "word.txt": "pass-4711",
    })
    const { result, stdout } = await importInto(folder, ["cmds.sh", "--files", ".", "--into", "p"])
    expect(result?.losses.length).toBeGreaterThan(0)
    expect(stdout).not.toContain(secret)
    for (const [file, text] of Object.entries(await textsIn(`${folder}/p`)))
      if (!file.endsWith(".secrets.env")) expect(text, file).not.toMatch(/tok-4711|pass-4711/)
    const saved = await readJson(`${folder}/p`, "apis/cmds/requests/cmds/post-a.json")
    expect(saved).toMatchObject({ body: { a: "is {{apiKey}}", password: "{{password}}" } })
  })
})

describe("a source without a request that can be sent", () => {
  it.each([
    ["cmds.sh", "curl -X POST\n"],
    ["vars.sh", "A=1\ncurl -X POST -H 'X-A: $A'\n"],
    ["shop.har", JSON.stringify({ log: { entries: [{ request: { method: "GET", url: "data:,x" } }] } })],
    ["shop.json", JSON.stringify({ info: { name: "a" }, item: [{ name: "x", request: { url: "no url" } }] })],
  ])("writes nothing: %s", async (name, text) => {
    const folder = await folderWith({ [name]: text })
    const { exitCode, result, stderr } = await importInto(folder, [name, "--into", "p"])
    expect([exitCode, result?.files, stderr]).toEqual([1, [], ""])
    expect(result?.losses).toMatchObject([{ what: "request" }])
    expect(Object.keys(await textsIn(folder))).toEqual([name])
  })
})
