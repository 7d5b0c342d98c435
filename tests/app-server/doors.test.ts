// Checks who gets access: every route with foreign hosts and origins, without a session, and with methods and content
// types that it does not accept.

import { connect } from "node:net"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { everyRoute, type KnownRoute } from "./every-route.ts"
import { requestText, sendRaw, type RawAnswer } from "./raw-client.ts"
import { json, secretOf, startTestApp, type TestApp } from "./start-test-app.ts"
import { tell } from "../harness/tell.ts"

let app: TestApp
let routes: readonly KnownRoute[]
beforeEach(async () => {
  app = await startTestApp()
  routes = await everyRoute(app)
})
afterEach(() => app.close())

type Header = readonly [string, string]

/** The attempts of a suite: headers that replace the right `Host` or are added to it. */
const hosts = (port: number): readonly (readonly Header[])[] => [
  [],
  ...[
    "",
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    "localhost",
    "[::1]",
    `127.0.0.1:${port}.`,
    `127.0.0.1.:${port}`,
    `localhost.:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `evil.example#127.0.0.1:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `user@127.0.0.1:${port}`,
    `127.0.0.1:${port}:80`,
    `127.0.0.1:0${port}`,
    `127.0.0.1:${port + 1}`,
    `127.0.0.1:${port}/`,
    `127.0.0.1: ${port}`,
    `127.0.0.2:${port}`,
    `127.1:${port}`,
    `2130706433:${port}`,
    `0x7f000001:${port}`,
    `0.0.0.0:${port}`,
    `[::]:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `[0:0:0:0:0:0:0:1]:${port}`,
    `::1:${port}`,
    `LOCALHOST:${port}`,
    `app.localhost:${port}`,
    `127.0.0.1:${port}, evil.example`,
    `http://127.0.0.1:${port}`,
    `１２７.0.0.1:${port}`,
  ].map((host): readonly Header[] => [["Host", host]]),
  [
    ["Host", `127.0.0.1:${port}`],
    ["Host", "evil.example"],
  ],
  [
    ["Host", "evil.example"],
    ["Host", `127.0.0.1:${port}`],
  ],
  [
    ["Host", `127.0.0.1:${port}`],
    ["hOST", `127.0.0.1:${port}`],
  ],
]

const origins = (port: number): readonly string[] => [
  "null",
  "",
  "*",
  "http://evil.example",
  `http://evil.example:${port}`,
  `https://127.0.0.1:${port}`,
  "http://127.0.0.1",
  `http://127.0.0.1:${port + 1}`,
  `http://127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}.evil.example`,
  `http://127.0.0.1:${port}@evil.example`,
  `http://user@127.0.0.1:${port}`,
  `http://127.0.0.1.:${port}`,
  `http://localhost:${port}`,
  `http://[::1]:${port}`,
  `HTTP://127.0.0.1:${port}`,
  `http://127.0.0.1:${port} http://evil.example`,
  `http://127.0.0.1:${port}, http://evil.example`,
  "file://",
  "chrome-extension://abcdefghijklmnop",
  "http://localhost:3000",
  "http://app.localhost",
]

describe("the host", () => {
  it("is one of three, exactly and once, at every route", async () => {
    const tries = routes.flatMap(({ request }) =>
      hosts(app.port).map((given) => {
        const headers = [...given, ...request.headers]
        return () => sendRaw(app.port, requestText({ ...request, headers }))
      }),
    )
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 403).map(({ text }) => text)).toEqual([])
    expect(app.calls).toEqual([])
    tell(`hosts: ${tries.length} tries (${hosts(app.port).length} by ${routes.length} routes): 0 successes`)
  })

  it("is checked even after thousands of other headers", async () => {
    const many = Array.from({ length: 2_500 }, () => ["a", ""] as const)
    const answer = await app.send({ headers: [["host", app.host], ...many, ["host", "evil.example"]] })
    expect(answer.status).toBe(403)
  })

  it("may be any of the three", async () => {
    const names = [`127.0.0.1:${app.port}`, `localhost:${app.port}`, `[::1]:${app.port}`]
    const answers = await inTurn(names.map((name) => () => app.send({ headers: [["host", name]] })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })

  it("is not taken from the target, from HTTP/1.0 without one, or from CONNECT", async () => {
    const host = `Host: ${app.host}\r\n`
    const tries = [
      `GET http://${app.host}/ HTTP/1.1\r\n${host}\r\n`,
      `GET http://evil.example/ HTTP/1.1\r\n${host}\r\n`,
      `GET https://${app.host}/ HTTP/1.1\r\n${host}\r\n`,
      `GET file:///etc/passwd HTTP/1.1\r\n${host}\r\n`,
      "GET / HTTP/1.0\r\n\r\n",
      "GET / HTTP/1.1\r\n\r\n",
      "CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example:80\r\n\r\n",
    ]
    const answers = await inTurn(tries.map((bytes) => () => sendRaw(app.port, bytes)))
    expect(answers.map(({ status }) => status)).toEqual(tries.map(() => 403))
    expect((await sendRaw(app.port, `CONNECT ${app.host} HTTP/1.1\r\n${host}\r\n`)).status).toBe(405)
  })
})

describe("the origin", () => {
  it("is exactly the server's own, at every route", async () => {
    const tries = routes.flatMap(({ request }) =>
      origins(app.port).map((origin) => () => app.send(beside(request, ["Origin", origin]))),
    )
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 403).map(({ text }) => text)).toEqual([])
    expect(app.calls).toEqual([])
    tell(
      `origins: ${tries.length} tries (${origins(app.port).length} by ${routes.length} routes): 0 successes`,
    )
  })

  it("may be its own, with the name that the page was opened with", async () => {
    const answers = await inTurn(
      ["127.0.0.1", "localhost"].map((name) => () => {
        const host = `${name}:${app.port}`
        return app.send({
          headers: [
            ["host", host],
            ["origin", `http://${host}`],
          ],
        })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
  })
})

describe("Sec-Fetch headers", () => {
  it("reject every request from another site, at every route", async () => {
    const sites = ["cross-site", "same-site", "", "Same-Origin", "same-origin, cross-site", "whatever"]
    const tries = routes.flatMap(({ request }) =>
      sites.map((site) => () => app.send(beside(request, ["Sec-Fetch-Site", site]))),
    )
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 403).map(({ text }) => text)).toEqual([])
    tell(`Sec-Fetch-Site: ${tries.length} tries: 0 successes`)
  })

  it("allow a user who types an address to open only the page", async () => {
    const answers = await inTurn(
      routes.map(
        ({ request }) =>
          () =>
            app.send(beside(request, ["Sec-Fetch-Site", "none"])),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, ...routes.slice(1).map(() => 403)])
  })

  it("allow its own page", async () => {
    const known = routes.filter(({ name }) => name !== "POST /events")
    const answers = await inTurn(
      known.map(
        ({ request }) =>
          () =>
            app.send(beside(request, ["Sec-Fetch-Site", "same-origin"])),
      ),
    )
    expect(answers.map(({ status }) => status).filter((status) => status === 403)).toEqual([])
  })
})

describe("without a session", () => {
  it("no route does anything, and every route is tested", async () => {
    const guarded = routes.filter(({ isGuarded }) => isGuarded)
    expect(guarded.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        "POST /events",
        "POST /session/resume",
        "POST /link",
        "POST /api/project.read",
      ]),
    )
    const answers = await inTurn(
      guarded.map(
        ({ request }) =>
          () =>
            app.send({ ...request, headers: [json] }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(guarded.map(() => 401))
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
    expect(app.calls).toEqual([])
  })
})

describe("half of the credentials", () => {
  it("opens no route; the port file's secret gives only a link", async () => {
    const guarded = routes.filter(({ isGuarded }) => isGuarded)
    const [cookie, key] = await app.enter()
    const proofs = { cookie, key, owner: ["x-callsheet-owner", app.owner] as const }
    const opened: string[] = []
    for (const [name, proof] of Object.entries(proofs)) {
      const headers = [json, ...(proof === undefined ? [] : [proof])]
      const answers = await inTurn(
        guarded.map(
          ({ request }) =>
            () =>
              app.send({ ...request, headers }),
        ),
      )
      answers.forEach(({ status }, at) => {
        if (status !== 401) opened.push(`${guarded[at]?.name}: ${name}`)
      })
    }
    expect(opened).toEqual(["POST /link: owner"])
    expect(app.calls).toEqual([])
    tell(`halves of a proof: ${guarded.length * 3} tries: 0 successes`)
  })
})

describe("a body", () => {
  it("is exactly application/json, at every route", async () => {
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json; charset=utf-8",
      "application/json;",
      "Application/JSON",
      "text/plain, application/json",
      "application/jsonx",
      "",
    ]
    const posts = routes.filter(({ request }) => request.method === "POST")
    const tries = posts.flatMap(({ request }) => {
      const rest = request.headers.filter(([name]) => name !== "content-type")
      const given: (readonly Header[])[] = [
        [],
        [json, json],
        ...types.map((type) => [["content-type", type] as const]),
      ]
      return given.map((type) => () => app.send({ ...request, headers: [...type, ...rest] }))
    })
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 415).map(({ text }) => text)).toEqual([])
    expect(app.calls).toEqual([])
    tell(`content types: ${tries.length} tries: 0 successes`)
  })
})

describe("methods", () => {
  it("are POST for actions and GET for the page, and OPTIONS allows no other origin", async () => {
    const methods = ["OPTIONS", "HEAD", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "GET", "POST"]
    const tries = routes.flatMap(({ request }) =>
      methods
        .filter((method) => method !== (request.method ?? "GET"))
        .map((method) => () => app.send({ ...request, method, headers: [...request.headers, json] })),
    )
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 405).map(({ text }) => text)).toEqual([])
    expect(answers.filter(({ text }) => /access-control/i.test(text))).toEqual([])
    expect(app.calls).toEqual([])
    tell(`methods: ${tries.length} tries: 0 successes`)
  })

  it("reject another origin's preflight with 405", async () => {
    const answer = await app.send({
      method: "OPTIONS",
      target: "/api/project.read",
      headers: [
        ["origin", "http://evil.example"],
        ["access-control-request-method", "POST"],
        ["access-control-request-headers", "x-callsheet-key"],
      ],
    })
    expect([answer.status, answer.headers["allow"]]).toEqual([405, "GET, POST"])
    expect(answer.text).not.toMatch(/access-control/i)
  })
})

describe("an upgrade", () => {
  it("is rejected at every route, even with all credentials of a session", async () => {
    const protocols = ["websocket", "h2c", "TLS/1.3", "x"]
    const tries = routes.flatMap(({ request }) =>
      protocols.map((protocol) => () => {
        const upgrade: readonly Header[] = [
          ["connection", "Upgrade"],
          ["upgrade", protocol],
          ["sec-websocket-version", "13"],
          ["sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="],
        ]
        return app.send({ ...request, headers: [...request.headers, ...upgrade] })
      }),
    )
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 403).map(({ text }) => text)).toEqual([])
    tell(`upgrades: ${tries.length} tries: 0 successes`)
  })
})

describe("a path", () => {
  it("is exactly in the table, or unknown", async () => {
    const [cookie, key] = await app.enter()
    if (cookie === undefined || key === undefined) throw new Error("no session")
    const spellings = [
      "//api/project.read",
      "/api//project.read",
      "/api/project.read/",
      "/api/project.read?x=1",
      "/api/project.read#x",
      "/API/project.read",
      "/api/Project.Read",
      "/api/project%2eread",
      "/%61pi/project.read",
      "/./api/project.read",
      "/x/../api/project.read",
      "/api/project.read%00",
      "/api/project.read;x",
      "/api\\project.read",
      "/api/__proto__",
      "/api/constructor",
      "/api/toString",
      "/api/",
      "/api",
      "/index.html",
      "/?link=1",
      "/assets/../assets/page.js",
      "/assets/page.js.map",
      "/assets",
    ]
    const tries = spellings.flatMap((target) =>
      (["GET", "POST"] as const).map(
        (method) => () => app.send({ method, target, body: "{}", headers: [json, cookie, key] }),
      ),
    )
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 404).map(({ text }) => text)).toEqual([])
    expect(app.calls).toEqual([])
    tell(`spellings of paths: ${tries.length} tries: 0 successes`)
  })
})

describe("a request with Expect: 100-continue", () => {
  const expecting = ["expect", "100-continue"] as const

  it("is checked first", async () => {
    const headers = [json, expecting, ["origin", "http://evil.example"] as const]
    const refused = await app.send({ method: "POST", target: "/session", body: "{}", headers })
    expect(refused.text).toMatch(/^HTTP\/1\.1 403 /)
  })

  it("may continue if it is allowed", async () => {
    const headers = [json, expecting, ...(await app.enter())]
    const text = await untilClosed(
      requestText({
        method: "POST",
        target: "/api/project.read",
        body: "{}",
        headers: [["host", app.host], ["connection", "close"], ...headers],
      }),
    )
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })
})

describe("request smuggling", () => {
  it("finds no second request in the body of the first", async () => {
    const headers = (await app.enter()).map(([name, value]) => `${name}: ${value}\r\n`).join("")
    const inner = `POST /api/project.read HTTP/1.1\r\nHost: ${app.host}\r\nContent-Type: application/json\r\n${headers}Content-Length: 2\r\n\r\n{}`
    const start = `POST /session HTTP/1.1\r\nHost: ${app.host}\r\nContent-Type: application/json\r\n`
    const bodies = [
      `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
      `Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${inner}`,
      `Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
      `Content-Length: 0, ${inner.length}\r\n\r\n${inner}`,
      `Content-Length: +0\r\n\r\n${inner}`,
      `Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${inner}`,
      `Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${inner}`,
      `Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${inner}`,
      `Transfer-Encoding:\n chunked\r\n\r\n0\r\n\r\n${inner}`,
      `Content-Length: ${inner.length}\n\n${inner}`,
      `X: y\rContent-Length: 0\r\n\r\n${inner}`,
      `Content-Length: ${inner.length}\r\n\r\n${inner}`,
    ]
    const answers = await inTurn(bodies.map((body) => () => sendRaw(app.port, start + body)))
    expect(answers.filter(({ status }) => status !== 400 && status !== 0).map(({ text }) => text)).toEqual([])
    expect(app.calls).toEqual([])
    tell(`smuggling: ${bodies.length} tries: 0 successes`)
  })

  it("guards a pipelined request like any other", async () => {
    const good = requestText({ headers: [["host", app.host]] })
    const foreign = requestText({
      headers: [
        ["host", "evil.example"],
        ["connection", "close"],
      ],
    })
    const statuses = [...(await untilClosed(good + foreign)).matchAll(/HTTP\/1\.1 (\d+)/g)]
    expect(statuses.map(([, status]) => status)).toEqual(["200", "403"])
  })
})

describe("another page", () => {
  it("does nothing with forms, images, scripts, links and beacons, even with the session's cookie", async () => {
    const [cookie] = await app.enter()
    if (cookie === undefined) throw new Error("no session")
    const sent = (type: string): readonly Header[] => [
      cookie,
      ["content-type", type],
      ["origin", "http://evil.example"],
      ["sec-fetch-site", "cross-site"],
    ]
    const link = secretOf(app.makeLink())
    const tries = routes.flatMap(({ request: { target = "/" } }) => [
      () =>
        app.send({
          method: "POST",
          target,
          body: `link=${link}`,
          headers: sent("application/x-www-form-urlencoded"),
        }),
      () => app.send({ method: "POST", target, body: JSON.stringify({ link }), headers: sent("text/plain") }),
      () =>
        app.send({
          method: "POST",
          target,
          body: JSON.stringify({ link }),
          headers: sent("application/json"),
        }),
      () =>
        app.send({
          target,
          headers: [cookie, ["sec-fetch-site", "cross-site"], ["sec-fetch-mode", "no-cors"]],
        }),
    ])
    const answers = await inTurn(tries)
    expect(answers.filter(({ status }) => status !== 403).map(({ text }) => text)).toEqual([])
    expect(app.calls).toEqual([])
    expect((await app.post("/session", { link })).status).toBe(200)
    tell(`cross-site requests: ${tries.length} tries: 0 successes`)
  })
})

const beside = (request: KnownRoute["request"], header: Header) => ({
  ...request,
  headers: [...request.headers, header],
})

/** Sends requests in sequence, because another test checks the number of connections. */
async function inTurn(tries: readonly (() => Promise<RawAnswer>)[]): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = []
  for (const attempt of tries) answers.push(await attempt())
  return answers
}

/** Everything received until the server closes the connection. */
function untilClosed(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ""
    connect({ port: app.port, host: "127.0.0.1" })
      .on("data", (chunk: Buffer) => (text += chunk.toString("latin1")))
      .on("error", reject)
      .on("close", () => resolve(text))
      .write(bytes)
  })
}
