import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { comparable, record, runBash } from "../export/export-from.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto, validated } from "./import-into.ts"

describe("callsheet import of curl commands", () => {
  it("sends the same requests as curl", async () => {
    const api = await startApi({ "*": { body: {} } })
    const script = `#!/bin/bash
# Sign in first.
TOKEN=tok-123456
curl ${api.url}/plain?a=1\\&b=x%20y
curl -sS -X PUT "${api.url}/json/$TOKEN" \\
  -H 'Content-Type: application/json' -H "Authorization: Bearer \${TOKEN}" \\
  --data-raw $'{"text": "it\\'s\\u0020fine"}'
curl -u ada:pass-123456 -d a=1 -d 'b=2 3' ${api.url}/form && curl -I ${api.url}/head
curl -G --data-urlencode 'q=a&b' ${api.url}/search
curl --json '{"a":1}' ${api.url}/short; curl -F n=1 -F 'f=@data.txt;type=text/plain' ${api.url}/upload
curl -d @data.txt -H 'content-type: text/plain' -b 'sid=cookie-123; x=1' ${api.url}/raw
`
    const folder = await folderWith({ "cmds.sh": script, "data.txt": "file content" })
    const { exitCode, result, stderr } = await importInto(folder, ["cmds.sh", "--files", "."])
    expect(stderr).toBe("")
    expect(result).toMatchObject({ source: "curl", requests: 8, saved: 8, workflows: ["cmds"], losses: [] })
    expect(exitCode).toBe(0)
    expect(await validated(folder)).toEqual([])
    const ran = await callsheet(["run", "cmds"], { folder })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(api.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /plain?a=1&b=x%20y",
      "PUT /json/tok-123456",
      "POST /form",
      "HEAD /head",
      "GET /search?q=a%26b",
      "POST /short",
      "POST /upload",
      "POST /raw",
    ])
    const [, json, form, , , short, upload, raw] = api.requests
    expect(json?.json).toEqual({ text: "it's fine" })
    expect(json?.headers.authorization).toBe("Bearer tok-123456")
    expect(form?.text).toBe("a=1&b=2+3")
    expect(form?.headers.authorization).toBe(`Basic ${Buffer.from("ada:pass-123456").toString("base64")}`)
    expect(short?.headers["content-type"]).toBe("application/json")
    expect(upload?.text).toContain("file content")
    expect(raw?.text).toBe("file content")
    expect(raw?.headers.cookie).toBe("sid=cookie-123; x=1")
    const texts = Object.entries(await textsIn(folder))
    const committed = texts.filter(([file]) => file.startsWith("apis/") && !file.endsWith(".secrets.env"))
    for (const secret of ["tok-123456", "pass-123456", "cookie-123"])
      for (const [file, text] of committed) expect(text, file).not.toContain(secret)
  })

  it("sends what curl sends for encoded data, forms, uploads and several requests in one command", async () => {
    const server = await record()
    const script = `B=${server.url}
curl -G "$B/search?a=1" --data-urlencode 'q=a&b' -d page=2
curl "$B/plain" -H 'Content-Type: text/plain' --data-urlencode 'k=a&b/c'
curl "$B/form" -F 'name="x;y"' -F 'quoted="a\\"b\\\\c"' -F plain=a --form-string 'at=@x;type=y'
curl -T up/a.txt "$B/files/"
curl -X PUT -d a=1 "$B/one" --next "$B/two" -H $'X-Tab: a\x41' -: -I "$B/three"
curl --max-filesize 100000 --max-redirs 3 \
  --json '{"a":' --json '1}' "$B/json" -g
curl -g "$B/[1-3]" --user-agent 'x y'
curl "\${B/127/ada:pass-123456@127}/account"
`.replace(/\$\{B.*\}/, `http://ada:pass-123456@${server.url.slice("http://".length)}`)
    const folder = await folderWith({ "cmds.sh": script, "up/a.txt": "file content" })
    const { code, output } = await runBash(script, folder, {})
    expect(code, output).toBe(0)
    const sent = comparable(server.sent.splice(0))
    const { result } = await importInto(folder, ["cmds.sh", "--files", "."])
    expect(result?.losses).toMatchObject([
      { where: "cmds.sh:7", what: "option --max-filesize" },
      { where: "cmds.sh:7", what: "option --max-redirs" },
    ])
    const ran = await callsheet(["run", "cmds"], { folder })
    await server.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    const seen = (all: typeof sent) =>
      all.map(({ request, body, headers: { accept, authorization } }) => ({
        request,
        body,
        accept,
        authorization,
      }))
    expect(seen(comparable(server.sent))).toEqual(seen(sent))
    const committed = Object.entries(await textsIn(folder)).filter(([file]) => file.startsWith("apis/"))
    for (const [file, text] of committed)
      if (!file.endsWith(".secrets.env")) expect(file + text).not.toContain("pass-123456")
  })

  it("reads standard input, and binds to a document", async () => {
    const document = {
      openapi: "3.1.0",
      info: { title: "Shop", version: "1" },
      servers: [{ url: "https://api.example.com" }],
      paths: {
        "/orders/{id}": { get: { operationId: "getOrder", responses: { 200: { description: "Done." } } } },
      },
    }
    const folder = await folderWith({ "openapi.json": document })
    const words = ["-", "--document", "openapi.json", "--api", "shop"]
    const { exitCode, result } = await importInto(
      folder,
      words,
      "curl 'https://api.example.com/orders/7' --compressed\n",
    )
    expect(exitCode).toBe(0)
    expect(result).toMatchObject({ source: "curl", requests: 1, operations: 1, saved: 0 })
    expect(await validated(folder)).toEqual([])
  })

  it("names what it can't carry over by its line, without values", async () => {
    const folder = await folderWith({
      "cmds.sh": `echo secret-echo
curl --proxy http://user:secret-proxy@p.example https://a.example/one

curl -H "X-Sum: $(secret-command)" -F f=@/etc/passwd -F g=@../up.txt https://a.example/two
curl --digest -u a:secret-digest https://a.example/three
curl --data-urlencode note@notes.txt -H 'Host: b.example' --proxy-header 'X: secret-y' https://a.example/four
curl 'https://a.example/{five,six}'
`,
    })
    const { exitCode, result, stdout, stderr } = await importInto(folder, ["cmds.sh"])
    expect(exitCode).toBe(1)
    expect(result?.losses.map(({ where, what }) => `${where}: ${what}`)).toEqual([
      "cmds.sh:1: command echo",
      "cmds.sh:2: option --proxy",
      "cmds.sh:4: command substitution",
      "cmds.sh:6: option --proxy-header",
      "cmds.sh:7: URL pattern",
      "cmds.sh:4: file /etc/passwd",
      "cmds.sh:4: file ../up.txt",
      "cmds.sh:5: digest authentication",
      "cmds.sh:6: header host",
      "cmds.sh:6: file notes.txt",
    ])
    expect(stdout + stderr).not.toContain("secret-")
  })

  it.each([
    "'".repeat(100_001),
    "$(".repeat(50_000),
    `curl ${"\\\n".repeat(100_000)}`,
    "<<a\na\n".repeat(50_000),
    "> ".repeat(100_000),
  ])("reads hostile input in time", async (text) => {
    const folder = await folderWith({ "cmds.sh": `curl https://a.example\n${text}` })
    const { exitCode } = await importInto(folder, ["cmds.sh"])
    expect([0, 1, 2]).toContain(exitCode)
  })

  it("reads redirects, here-documents, and commands for cmd", async () => {
    const api = await startApi({ "*": {} })
    const folder = await folderWith({
      "cmds.sh": `curl ${api.url}/out>out.json 2>&1
curl 2>/dev/null ${api.url}/in < in.json
curl ${api.url}/document <<-'END' -H 'X-A: 1'
  curl ${api.url}/never
  END
curl "${api.url}/last?a=>b"
`,
      "win.txt": [
        `curl ^"${api.url}/a?x=1^&y=^$2$^" ^`,
        `  -H ^"x-q: a \\^"b\\^"^" ^`,
        `  -H ^"content-type: application/json^" ^`,
        `  --data-raw ^"^{^\\^"a^\\^":1^}^"`,
      ].join("\r\n"),
    })
    for (const name of ["cmds.sh", "win.txt"]) {
      const { result } = await importInto(folder, [name, "--api", "shop"])
      expect(result?.losses).toEqual([])
    }
    const ran = await callsheet(["run", "--all"], { folder })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(api.requests.map(({ url }) => url)).toEqual([
      "/out",
      "/in",
      "/document",
      "/last?a=%3Eb",
      "/a?x=1&y=%242%24",
    ])
    expect(api.requests[2]?.headers["x-a"]).toBe("1")
    expect(api.requests[4]?.headers["x-q"]).toBe('a "b"')
    expect(api.requests[4]?.json).toEqual({ a: 1 })
  })
})
