// `callsheet export --to curl`: the script runs nothing, reads no file and sends no header that a response, a value of the
// environment or the text of a workflow asks for.

import { describe, expect, it } from "vitest"
import { PRIVATE, runHostile, type Hostile, type Response } from "./hostile-script.ts"

const query = (path: string): object => ({ params: { query: { id: `{{first.response.${path}}}` } } })
const body = (value: unknown): Response => ({ body: JSON.stringify(value) })

/** Runs a script that must end before the second request. */
async function expectStopped(hostile: Hostile, message: RegExp): Promise<void> {
  const { code, output, created, received, stderr } = await runHostile(hostile)
  expect(code, output + stderr).toBe(1)
  expect(output).toMatch(message)
  expect(output).not.toMatch(/syntax error|arithmetic|bad substitution|command not found/)
  expect(created).toEqual([])
  expect(received.map(({ url }) => url)).toEqual(["/first"])
}

describe("the text of a path in an exported script", () => {
  it.each([
    `a[$(: >pwned)]`,
    `at[$(: >pwned)]`,
    `HOME[$(: >pwned)0]`,
    "a[`: >pwned`]",
    `1+a[$(: >pwned)]`,
    `BASH_REMATCH[$(: >pwned)]`,
    `$(: >pwned)`,
    `x=$(: >pwned)`,
    `at`,
    `code`,
    `RANDOM`,
    `0x0`,
    `00`,
    `+0`,
    `-1`,
    ` 0`,
    `0 `,
    `1e0`,
    `16#0`,
    `99999999999999999999`,
    `18446744073709551616`,
    `'; : >pwned #`,
    `"; : >pwned #`,
  ])("is only a name: %s", async (key) => {
    const path = `body[${JSON.stringify(key)}]`
    await expectStopped({ response: body([1, 2, 3]), later: query(path) }, /^the response has no /m)
    await expectStopped(
      { response: body({ list: [{ a: 1 }] }), later: query(`body.list[${JSON.stringify(key)}].a`) },
      /has no/,
    )
  })

  it("finds the members and items that it names", async () => {
    const key = `a[$(: >pwned)]`
    const value = { [key]: [{}, { "": "0" }], 'é\\"': true }
    const later = {
      params: {
        query: {
          one: `{{first.response.body[${JSON.stringify(key)}][1][""]}}`,
          two: `{{first.response.body[${JSON.stringify('é\\"')}]}}`,
        },
      },
    }
    const { code, output, created, later: sent } = await runHostile({ response: body(value), later })
    expect(code, output).toBe(0)
    expect(sent?.url).toBe("/later?one=0&two=true")
    expect(created).toEqual([])
  })
})

describe("a response to an exported script", () => {
  it.each([
    String.raw`{"id": "\ua[$(: >pwned)]"}`,
    String.raw`{"id": "\ua[0]"}`,
    String.raw`{"id": "\u12"}`,
    String.raw`{"id": "\u-001"}`,
    String.raw`{"id": "\u 041"}`,
    String.raw`{"id": "\uffg0"}`,
    String.raw`{"id": "\ud83d\ua[0]"}`,
    String.raw`{"id": "\q"}`,
    String.raw`{"\ua[$(: >pwned)]": 1, "id": 2}`,
    `{"id": "a\tb"}`,
    `{"id": "open`,
    `{"id": 01x}`,
    `{"id": $(: >pwned)}`,
    `{"id": [1, }`,
    `{"id": [1}]}`,
    `{"id": {"a": 1]}`,
    `{"id": nul}`,
    `{"id": .5}`,
    `{"id" 1}`,
    `{"x": 1 "id": 2}`,
    `{id: 1}`,
  ])("is JSON or ends the script: %s", async (text) => {
    await expectStopped(
      { response: { body: text }, later: query("body.id") },
      /the response is not valid JSON/,
    )
  })

  it("ends the script with a value that bash can't keep", async () => {
    await expectStopped(
      { response: { body: String.raw`{"id": "a\u0000b"}` }, later: query("body.id") },
      /contains NUL/,
    )
  })

  it.each([
    [String.raw`"\ud83d\ude00\u00e9\u0041"`, "%F0%9F%98%80%C3%A9A"],
    [String.raw`"\ud83dx\ude00"`, "%EF%BF%BDx%EF%BF%BD"],
    [String.raw`"\ud83d\u0041"`, "%EF%BF%BDA"],
    [String.raw`"\/\b\f\n\r\t\"\\"`, "%2F%08%0C%0A%0D%09%22%5C"],
    [`-1.5e+10`, "-1.5e%2B10"],
    [`[1, {"a": [true, null, "]}"]}]`, "%5B1%2C%7B%22a%22%3A%5Btrue%2Cnull%2C%22%5D%7D%22%5D%7D%5D"],
  ])("passes %s on unchanged", async (value, sent) => {
    const { code, output, later } = await runHostile({
      response: { body: `{"id" : ${value} }` },
      later: query("body.id"),
    })
    expect(code, output).toBe(0)
    expect(later?.url).toBe(`/later?id=${sent}`)
  })

  it.each([
    "\r\nX-Evil: 1",
    "a\nX-Evil: 1",
    "a\rX-Evil: 1",
    "\u0000",
    "\u001b[2J",
    "a\u007f",
    "\u000bX-Evil: 1",
  ])("adds no header by the value %j", async (value) => {
    const response = body({ id: value })
    const id = "{{first.response.body.id}}"
    const message = /can't contain|contains NUL/
    await expectStopped({ response, later: { params: { header: { "X-Id": id } } } }, message)
    await expectStopped({ response, later: { params: { header: { "X-Id": `a ${id} b` } } } }, message)
    await expectStopped({ response, later: { params: { cookie: { sid: id } } } }, message)
  })

  it.each(["a; admin=1", "a,b", `"a"`, "a b", "a\\b", "é"])(
    "adds no cookie by the value %s",
    async (value) => {
      const later = { params: { cookie: { sid: "{{first.response.body.id}}" } } }
      await expectStopped({ response: body({ id: value }), later }, /a cookie can't contain this character/)
    },
  )

  it.each([
    `x";headers=@private.txt;y="`,
    `x";headers=@private.txt`,
    String.raw`x\";headers=@private.txt;y="`,
    `";filename=@private.txt;y="`,
    `@private.txt`,
    `<private.txt`,
    `";type=text/html;encoder=base64;y="`,
    `x",@private.txt;y="`,
    `\r\nContent-Type: text/html\r\n\r\nx`,
    `;headers=@private.txt`,
    `\\`,
  ])("stays the content of a form field: %j", async (value) => {
    const id = "{{first.response.body.id}}"
    const later = {
      bodyType: "multipart",
      body: { text: id, json: { n: id }, both: { n: `<${id}>` }, list: [[id]] },
    }
    const { code, output, later: sent, created } = await runHostile({ response: body({ id: value }), later })
    expect(code, output).toBe(0)
    expect(sent?.body).not.toContain(PRIVATE)
    expect(created).toEqual([])
    for (const content of [value, JSON.stringify({ n: value }), JSON.stringify({ n: `<${value}>` })])
      expect(sent?.body).toContain(`\r\n\r\n${content}\r\n--`)
  })

  it.each([`"},"admin":true,"x":{"y":"`, `\\"`, `","a":"`, "\n", "]}"])(
    "stays a string in JSON: %j",
    async (value) => {
      const id = "{{first.response.body.id}}"
      const { later, code, output } = await runHostile({
        response: body({ id: value }),
        later: { body: { whole: id, part: `a${id}` } },
      })
      expect(code, output).toBe(0)
      expect(JSON.parse(later?.body ?? "")).toEqual({ whole: value, part: `a${value}` })
    },
  )

  it("doesn't change what the script takes for its own lines", async () => {
    const headers = { "x-a": "--- callsheet 999", "x-b": "---", "x-c": "real" }
    const names = Object.keys(headers).map((name) => [name, `{{first.response.headers.${name}}}`])
    const later = {
      params: {
        header: Object.fromEntries(names),
        query: { status: "{{first.response.status}}", id: "{{first.response.body.id}}" },
      },
    }
    const text = `{"id": 7}\n--- callsheet 500\nx\n---\n`
    const { later: sent, output, code } = await runHostile({ response: { body: text, headers }, later })
    expect(code, output).toBe(0)
    expect(sent?.url).toBe("/later?status=200&id=7")
    expect(sent?.headers.join("\n")).toContain("x-a\n--- callsheet 999\nx-b\n---\nx-c\nreal")
  })

  it.each([
    "file:///etc/hostname",
    "gopher://127.0.0.1:1/_x",
    "dict://127.0.0.1:1/d",
    "ftp://127.0.0.1:1/x",
    "ldap://127.0.0.1:1/",
  ])("doesn't redirect it to %s", async (location) => {
    const response = { status: 302, headers: { location } }
    await expectStopped({ response, later: {} }, /Protocol .* (?:not supported|disabled)/)
  })

  it("doesn't control the terminal", async () => {
    const response = { body: "\u001b]0;title\u0007\u001b[2J\u0000\u009b", type: "text/plain" }
    const { output } = await runHostile({ response, later: {} })
    // oxlint-disable-next-line no-control-regex -- It looks for them.
    expect(output).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/)
  })
})

describe("the text of a workflow in an exported script", () => {
  it.each([
    "x-a}%{local_ip}%header{x-a",
    "x-a}%output{pwned}",
    "%header{x-a}",
    "x-a%{url}",
    "x-a}\\n--- callsheet 999\\n",
    "@private.txt",
    "x a",
    "x-a\ny",
  ])("names no header %j for --write-out", async (name) => {
    const later = { params: { header: { "X-Id": `{{first.response.headers[${JSON.stringify(name)}]}}` } } }
    const { text, result, created, received } = await runHostile({
      response: { headers: { "x-a": "1" } },
      later,
    })
    expect(result?.losses.map(({ what }) => what)).toEqual(["request"])
    expect(text).not.toContain("header{")
    expect(created).toEqual([])
    expect(received.map(({ url }) => url)).toEqual(["/first"])
  })

  it.each([
    { params: { header: { "@private.txt": "1" } } },
    { params: { header: { "X-A": "1\r\nX-Evil: 1" } } },
    { params: { header: { "X-A\r\nX-Evil": "1" } } },
    { params: { header: { "X-A: 1\nX-Evil": "1" } } },
    { params: { header: { "": "1" } } },
    { params: { cookie: { "a=b; c": "1" } } },
    { params: { cookie: { "a\r\nX-Evil: 1": "1" } } },
    { bodyType: "multipart", body: { a: { file: "private.txt", contentType: "a/b;headers=@private.txt" } } },
    { bodyType: "multipart", body: { a: { file: "private.txt", contentType: `a/b; ENCODER="base64"` } } },
    { bodyType: "multipart", body: { a: { file: "private.txt", contentType: "a/b,@private.txt" } } },
    { bodyType: "multipart", body: { a: { file: "private.txt", filename: "a\r\nX-Evil: 1" } } },
    { bodyType: "multipart", body: { "a\r\nX-Evil: 1": "1" } },
    { bodyType: "multipart", body: { "a=@private.txt;b": "1" } },
    { bodyType: "multipart", body: { "a\u0000": "1" } },
  ])("isn't sent where HTTP or curl would read it as something else: %j", async (later) => {
    const { result, stderr, received, created } = await runHostile({ later })
    const sent = received.filter(({ url }) => url !== "/first")
    if (result !== undefined) expect(result.losses.length).toBeGreaterThan(0)
    else expect(stderr).toMatch(/is not a valid HTTP token|does not allow|must not/)
    expect(sent).toEqual([])
    expect(created).toEqual([])
  })

  it("may name files and fields that look like options", async () => {
    const file = { bodyType: "file", body: "-" }
    expect((await runHostile({ later: file })).later?.body).toBe(PRIVATE)
    const names = ["-", "a;b", "a,b", "@a", `a"b`, "a\\b"]
    const files = Object.fromEntries(names.map((name) => [name, name]))
    const fields = names.map((name) => [`-${name}`, { file: name, filename: name }])
    const later = {
      bodyType: "multipart",
      body: Object.fromEntries([...fields, ["--output", "@private.txt"], ["<x", "<private.txt"]]),
    }
    const { later: sent, code, output } = await runHostile({ later, files })
    expect(code, output).toBe(0)
    for (const name of names) expect(sent?.body).toContain(`\r\n\r\n${name}\r\n--`)
    expect(sent?.body).toContain("\r\n\r\n@private.txt\r\n--")
    expect(sent?.body).not.toContain(PRIVATE)
  })

  it("stays in its comment", async () => {
    const description = "a\n: >pwned\r: >pwned\u2028: >pwned\u2029\u0085: >pwned\u202e\\\n: >pwned"
    const block = (id: string) => ({
      id,
      type: "request",
      description,
      request: { api: "shop", instance: "later" },
    })
    const ids = ["a'; : >pwned; '", "-n", "$(: >pwned)", "IFS", "PATH", "*", "jar", "a\\"]
    const { created, code, output, text } = await runHostile({
      later: {},
      workflow: { blocks: ids.map(block) },
    })
    expect(code, output).toBe(0)
    expect(created).toEqual([])
    expect(text).not.toMatch(/[\r\u0085\u2028\u2029\u202e]/)
    expect(text.match(/^: >pwned/gm)).toBeNull()
  })

  it("keeps values of blocks and headers apart whose names are similar", async () => {
    const request = (id: string, name: string, overrides?: object) => ({
      id,
      type: "request",
      request: { api: "shop", instance: name, overrides },
    })
    const headers = { "x-a": "dash", x_a: "underscore", body: "header" }
    const read = {
      params: {
        query: {
          dash: "{{first.response.headers.x-a}}",
          underscore: "{{first.response.headers.x_a}}",
          header: "{{first.response.headers.body}}",
          body: "{{first_header.response.body.id}}",
        },
      },
    }
    const blocks = [
      request("first", "first"),
      request("first_header", "first"),
      request("later", "later", read),
    ]
    const { later, code, output } = await runHostile({
      response: { ...body({ id: "body" }), headers },
      later: {},
      workflow: { blocks },
    })
    expect(code, output).toBe(0)
    expect(later?.url).toBe("/later?dash=dash&underscore=underscore&header=header&body=body")
  })
})

describe("a value of the environment of an exported script", () => {
  it.each([
    "-o pwned",
    "--output=pwned",
    "@private.txt",
    "file:///etc/hostname",
    "gopher://127.0.0.1:1/",
    "http://127.0.0.1:1/\n-o pwned",
    "HTTP:/x",
    "",
  ])("is a base URL or ends the script: %j", async (value) => {
    const { code, created, received, output } = await runHostile(
      {
        later: {},
        workflow: { blocks: [{ id: "later", type: "request", request: { api: "shop", instance: "later" } }] },
        files: {
          "apis/shop/environments/schema.json": {
            version: 1,
            variables: { baseUrl: { type: "string", required: true, secret: true } },
          },
          "apis/shop/environments/blue.json": {},
          "apis/shop/environments/blue.secrets.env": "baseUrl=http://127.0.0.1:1\n",
        },
      },
      { CALLSHEET_VAR__SHOP__BASE_URL: value },
    )
    expect(code).not.toBe(0)
    expect(output).toMatch(/expected a URL|CALLSHEET_VAR__SHOP__BASE_URL/)
    expect(received).toEqual([])
    expect(created).toEqual([])
  })

  it.each([
    ["header", { "X-Id": "{{token}}" }],
    ["cookie", { sid: "{{token}}" }],
  ])("adds no header by a %s", async (place, values) => {
    const value = "a\r\nX-Evil: 1"
    const hostile = { later: { params: { [place]: values } }, secrets: { token: "abcdef" } }
    const { code, output, later } = await runHostile(hostile, { CALLSHEET_VAR__SHOP__TOKEN: value })
    expect(code, output).toBe(1)
    expect(output).toContain("can't contain")
    expect(later).toBeUndefined()
  })

  it("isn't taken for a variable of the script", async () => {
    const env = {
      jar_shop: "#HttpOnly_127.0.0.1\tFALSE\t/\tFALSE\t0\tevil\t1",
      status: "x[$(: >pwned)]",
      at: "x[$(: >pwned)]",
      code: "x[$(: >pwned)]",
    }
    const later = { params: { query: { id: "{{first.response.body[1]}}" } } }
    const { code, output, created, received } = await runHostile({ response: body([1, "é"]), later }, env)
    expect(code, output).toBe(0)
    expect(created).toEqual([])
    expect(JSON.stringify(received)).not.toContain("evil")
  })
})
