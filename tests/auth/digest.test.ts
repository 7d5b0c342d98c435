// HTTP digest: a server challenges the first request, and callsheet answers.

import { createHash } from "node:crypto"
import { describe, expect, it, onTestFinished } from "vitest"
import { startApi, type Answer, type ApiServer } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"

const user = 'ada "the" \\ lovelace'
const password = "kettle:lantern-47"

type Hash = "md5" | "sha256"

interface Challenge {
  readonly header: string
  readonly hash?: Hash
  readonly nonce?: string
}

const realm = 'shop "a", b=c'
const quote = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`
const challengeOf = (more: string, nonce = "n1") => `Digest realm=${quote(realm)}, nonce="${nonce}"${more}`

/** Checks an `authorization` by RFC 7616 section 3.4, independent of the code under test. */
function isRight(
  header: string,
  method: string,
  url: string,
  { hash = "md5", nonce = "n1" }: Challenge,
): boolean {
  const fields = Object.fromEntries(
    [...header.matchAll(/([a-z*]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(([, name, quoted, plain]) => [
      name,
      quoted?.replaceAll(/\\(.)/g, "$1") ?? plain,
    ]),
  )
  const digest = (...parts: readonly unknown[]) => createHash(hash).update(parts.join(":")).digest("hex")
  const account = digest(user, realm, password)
  const isSession = String(fields["algorithm"]).endsWith("-sess")
  const a1 = isSession ? digest(account, nonce, fields["cnonce"]) : account
  const a2 = digest(method, url)
  const expected =
    fields["qop"] === undefined
      ? digest(a1, nonce, a2)
      : digest(a1, nonce, fields["nc"], fields["cnonce"], fields["qop"], a2)
  return (
    fields["username"] === user &&
    fields["realm"] === realm &&
    fields["nonce"] === nonce &&
    fields["uri"] === url &&
    fields["response"] === expected
  )
}

async function start(
  challenge: Challenge,
  check: (header: string) => void = () => undefined,
): Promise<ApiServer> {
  const api = await startApi({
    "*": ({ method, url, headers }): Answer => {
      const given = headers.authorization
      if (given !== undefined) check(given)
      if (given !== undefined && isRight(given, method, url, challenge)) return { body: { ok: true } }
      return { status: 401, headers: { "www-authenticate": challenge.header } }
    },
  })
  onTestFinished(() => api.close())
  return api
}

const request = (id: string) => ({
  id,
  type: "request",
  request: {
    api: "shop",
    operation: "addItem",
    overrides: { params: { query: { q: "a b&c=ü" } }, body: { n: id } },
  },
})

async function run(api: ApiServer, value = `${user}:${password}`) {
  const result = await callsheet(["run", "one", "--json"], {
    files: {
      "apis/shop/openapi.json": {
        openapi: "3.1.0",
        info: { title: "Shop", version: "1" },
        components: { securitySchemes: { login: { type: "http", scheme: "Digest" } } },
        security: [{ login: [] }],
        paths: {
          "/items": {
            post: {
              operationId: "addItem",
              parameters: [{ name: "q", in: "query", schema: { type: "string" } }],
              requestBody: { content: { "application/json": { schema: { type: "object" } } } },
              responses: { 200: { description: "Done." } },
            },
          },
        },
      },
      "apis/shop/environments/schema.json": {
        version: 1,
        variables: {
          baseUrl: { type: "string", required: true },
          login: { type: "string", required: false, secret: true },
        },
      },
      "apis/shop/environments/local.json": { baseUrl: api.url },
      "apis/workflow/one.json": { version: 1, blocks: [request("a"), request("b")] },
    },
    env: { CALLSHEET_VAR__SHOP__LOGIN: value },
  })
  expect(`${result.stdout}${result.stderr}`).not.toContain(password)
  return {
    exitCode: result.exitCode,
    statuses: result.report?.runs[0]?.blocks.map(({ response }) => response?.status),
  }
}

describe("a digest challenge", () => {
  it.each<readonly [string, Challenge]>([
    ["MD5 without qop", { header: challengeOf("") }],
    ["MD5 and qop=auth", { header: challengeOf(', algorithm=MD5, qop="auth", opaque="o,1"') }],
    [
      "SHA-256 and a choice of qop",
      { header: challengeOf(', algorithm=SHA-256, qop="auth-int, auth"'), hash: "sha256" },
    ],
    ["an MD5 session", { header: challengeOf(', algorithm=MD5-sess, qop="auth"') }],
    ["a SHA-256 session", { header: challengeOf(', algorithm="SHA-256-sess", qop=auth'), hash: "sha256" }],
    [
      "unknown algorithms before a known one",
      {
        header: `Basic realm="x", ${challengeOf(", algorithm=SHA-512-256", "n0")}, ${challengeOf(", algorithm=MD5")}`,
      },
    ],
  ])("with %s is answered, with the body, and the next request needs none", async (_, challenge) => {
    const api = await start(challenge)
    expect(await run(api)).toEqual({ exitCode: 0, statuses: [200, 200] })
    expect(api.requests.map(({ text }) => text)).toEqual(['{"n":"a"}', '{"n":"a"}', '{"n":"b"}'])
  })

  it("counts the requests with a nonce, and follows a new nonce", async () => {
    const counts: string[] = []
    const challenge = { header: challengeOf(', qop="auth", stale=true', "n2"), nonce: "n2" }
    const api = await start(challenge, (header) => counts.push(/nc=(\w+)/.exec(header)?.[1] ?? ""))
    expect(await run(api)).toEqual({ exitCode: 0, statuses: [200, 200] })
    expect(counts).toEqual(["00000001", "00000002"])
  })

  it("is answered once per request, and a second 401 is the response", async () => {
    const api = await start({ header: challengeOf("") })
    expect(await run(api, `${user}:wrong`)).toEqual({ exitCode: 0, statuses: [401, 401] })
    expect(api.requests).toHaveLength(4)
  })

  it("of another origin after a redirect isn't answered", async () => {
    const other = await start({ header: challengeOf("") })
    const api = await startApi({ "*": { status: 307, headers: { location: `${other.url}/items` } } })
    onTestFinished(() => api.close())
    // The second request needs the answer to a challenge that this origin never sent.
    expect(await run(api)).toEqual({ exitCode: 0, statuses: [401, 401] })
    expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
    expect(api.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  })

  it("masks a password that a server repeats", async () => {
    const api = await startApi({ "*": { body: { echo: `your password is ${password}` } } })
    onTestFinished(() => api.close())
    expect(await run(api)).toEqual({ exitCode: 0, statuses: [200, 200] })
  })

  it.each([
    challengeOf(", algorithm=SHA-512-256"),
    challengeOf(', qop="auth-int"'),
    "Digest",
    "Basic realm=x",
    ...[
      "constructor",
      "__proto__",
      "toString",
      "valueOf",
      "hasOwnProperty",
      "isPrototypeOf",
      "__defineGetter__",
      "__lookupSetter__",
      "toLocaleString",
    ].flatMap((name) => [
      challengeOf(`, algorithm=${name}`),
      challengeOf(`, algorithm="${name.toLowerCase()}-sess"`),
    ]),
    "Digest constructor=a, __proto__=b, nonce=n, algorithm=__proto__",
  ])("that can't be answered is the response: %s", async (header) => {
    const api = await start({ header })
    expect(await run(api)).toEqual({ exitCode: 0, statuses: [401, 401] })
    expect(api.requests).toHaveLength(2)
  })
})
