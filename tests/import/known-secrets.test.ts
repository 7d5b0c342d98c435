// A secret that the project or the imported source knows gets into no file that Git keeps, whatever names it.

import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn, type Files } from "../harness/callsheet.ts"
import { folderWith, importInto, readJson, validated } from "./import-into.ts"

/** A project whose API `shop` has the secret in one environment. */
const project = (secret: string, api = "shop"): Files => ({
  [`apis/${api}/environments/schema.json`]: {
    version: 1,
    variables: {
      baseUrl: { type: "string", required: true },
      apiKey: { type: "string", required: false, secret: true },
    },
  },
  [`apis/${api}/environments/staging.json`]: { baseUrl: "https://api.example.com" },
  [`apis/${api}/environments/staging.secrets.env`]: `apiKey=${JSON.stringify(secret)}\n`,
  ".gitignore": "*.secrets.env\n",
})

const slug = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")
const base64 = (text: string) => Buffer.from(text).toString("base64")

/** Returns the files outside of Git's ignored ones that contain the secret in some form, in their names or texts. */
async function leaksIn(folder: string, secrets: readonly string[]): Promise<readonly string[]> {
  const files = Object.entries(await textsIn(folder)).filter(([file]) => !file.endsWith(".secrets.env"))
  const forms = secrets.flatMap((secret) => [
    secret,
    slug(secret),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ])
  return files.flatMap(([file, text]) => {
    const whole = `${file}\n${text}`
    const isIn = forms.some((form) => whole.toLowerCase().includes(form.toLowerCase()))
    return isIn || secrets.some((secret) => whole.includes(base64(secret))) ? [file] : []
  })
}

/** Imports sources into a project that knows the secrets, and expects a valid project without them. */
async function importCleanly(secrets: readonly string[], files: Files, words: readonly string[]) {
  const folder = await folderWith(files)
  const called = await importInto(folder, [...words, "--into", "p"])
  expect(called.stderr.replaceAll(/^.*has no value.*$/gm, "")).not.toContain("error")
  expect(called.exitCode).toBeLessThan(2)
  expect(await leaksIn(`${folder}/p`, secrets)).toEqual([])
  const shown = (called.stdout + called.stderr).toLowerCase()
  for (const secret of secrets) expect(shown).not.toContain(secret.toLowerCase())
  const { stdout } = await callsheet(["validate", "--json", "--project", "p"], { folder })
  const { problems } = JSON.parse(stdout) as { problems: { severity: string }[] }
  expect(problems.filter(({ severity }) => severity === "error")).toEqual([])
  const again = await importInto(folder, [...words, "--into", "p"])
  expect([again.exitCode, again.result?.files]).toEqual([called.exitCode, []])
  return { folder, ...called }
}

const inProject = (files: Files): Files =>
  Object.fromEntries(Object.entries(files).map(([file, content]) => [`p/${file}`, content]))

const everywhere = (s: string) => ({
  info: { name: `Shop ${s}`, description: `Uses ${s}.` },
  variable: [
    { key: "plain", value: "1", description: `like ${s}` },
    { key: "note", value: `with ${s} inside` },
    { key: `name${s}`, value: "2" },
  ],
  event: [{ listen: "prerequest", script: { exec: [`const a = "${s}"`, "go(a)"] } }],
  item: [
    {
      name: `Folder ${s}`,
      description: `About ${s}`,
      item: [
        {
          name: `Get ${s}`,
          event: [
            {
              listen: "test",
              script: {
                exec: [
                  `pm.test("is ${s}", () => pm.expect(pm.response.json()["${s}"]).to.eql("${s}"))`,
                  `pm.expect(pm.response.json().a).to.eql({ "${s}": "x ${s}" })`,
                  `pm.environment.set("${s}", pm.response.json().id)`,
                  `pm.environment.set("made", pm.response.json()["${s}"].id)`,
                  `unknown("${s}")`,
                ],
              },
            },
          ],
          request: {
            method: "POST",
            description: `Sends ${s}`,
            url: {
              raw: "x",
              protocol: "https",
              host: ["api", "example", "com"],
              path: ["orders", s, `a-${s}-b`, ":id"],
              variable: [{ key: "id", value: s }],
              query: [
                { key: "q", value: s },
                { key: `k${s}`, value: "1" },
              ],
            },
            header: [
              { key: "X-A", value: `a ${s}` },
              { key: "X-Encoded", value: base64(`user:${s}`) },
              { key: `X-${slug(s)}`, value: "1" },
            ],
            body: {
              mode: "raw",
              raw: JSON.stringify({ a: s, [s]: [`x ${s}`], b: encodeURIComponent(s), c: s.toUpperCase() }),
              options: { raw: { language: "json" } },
            },
          },
        },
        {
          name: "Form",
          request: {
            method: "POST",
            url: `https://api.example.com/${encodeURIComponent(s)}?a={{name${s}}}`,
            body: {
              mode: "urlencoded",
              urlencoded: [
                { key: s, value: "1" },
                { key: "b", value: s },
              ],
            },
          },
        },
        {
          name: "Multipart",
          request: {
            method: "POST",
            url: "https://api.example.com/parts",
            body: {
              mode: "formdata",
              formdata: [
                { key: `p ${s}`, value: "1" },
                { key: "c", value: s },
              ],
            },
          },
        },
        {
          name: "Text",
          request: {
            method: "POST",
            url: `https://${slug(s)}.example.com/x`,
            body: { mode: "raw", raw: `is ${s}` },
          },
        },
      ],
    },
  ],
})

const strong = ["tok-4711abcd", "Sk_Live.99/aB+c", "p@ss w0rd!x", "quzt", "MiXeDcAsE123"]

describe("a secret of the project", () => {
  it.each(strong)("is in no file of an imported collection: %s", async (secret) => {
    const { result, folder } = await importCleanly(
      [secret],
      { ...inProject(project(secret)), "shop.json": everywhere(secret) },
      ["shop.json", "--api", "shop"],
    )
    expect(result?.losses.some(({ reason }) => reason.includes("shop.apiKey"))).toBe(true)
    const requests = Object.entries(await textsIn(`${folder}/p`)).filter(([file]) =>
      file.includes("/requests/"),
    )
    expect(requests.map(([, text]) => text).join("")).toContain("{{apiKey}}")
    // The code of generated scripts stays code.
    for (const [file, text] of Object.entries(await textsIn(`${folder}/p`)))
      if (file.endsWith(".ts"))
        expect(text).toMatch(/^export function [A-Za-z_$][\w$]*\(ctx: ScriptContext\) \{$/m)
  })

  it.each<[string, (s: string) => Files, string[]]>([
    [
      "curl commands",
      (s) => ({
        "c.sh": `T=${s}x\ncurl 'https://api.example.com/a/${s}?x=${s}' -H 'x-a: ${s}' -d 'v=${s}'\ncurl "https://api.example.com/$T" -A '${s}'\ncurl https://${s}.example.com/\n`,
      }),
      ["c.sh"],
    ],
    [
      "an archive",
      (s) => ({
        "c.har": {
          log: {
            entries: [
              {
                request: {
                  method: "POST",
                  url: `https://api.example.com/${s}/b?${s}=1&c=${s.toUpperCase()}`,
                  headers: [{ name: "x-a", value: s }],
                  postData: { mimeType: "text/plain", text: `a ${s}` },
                },
              },
            ],
          },
        },
      }),
      ["c.har"],
    ],
    [
      "Bruno",
      (s) => ({
        "c/bruno.json": { version: "1", name: `B ${s}`, type: "collection" },
        [`c/environments/${s}.bru`]: `vars {\n  url: https://api.example.com/${s}\n  v: ${s}\n}\n`,
        [`c/f-${s}/a.bru`]: `meta {\n  name: A ${s}\n}\nget {\n  url: {{url}}/x/${s}\n}\nassert {\n  res.body.${s}: eq ${s}\n}\ndocs {\n  ${s}\n}\nscript:post-response {\n  go("${s}")\n}\n`,
      }),
      ["c"],
    ],
    [
      "Insomnia",
      (s) => ({
        "c.json": {
          type: "collection.insomnia.rest/5.0",
          name: `I ${s}`,
          environments: { data: { v: `a ${s}` }, subEnvironments: [{ name: s, data: { w: s } }] },
          collection: [
            {
              name: `A ${s}`,
              method: "GET",
              url: `https://api.example.com/${s}`,
              scripts: { preRequest: `go("${s}")` },
            },
          ],
        },
      }),
      ["c.json"],
    ],
    [
      "Arazzo",
      (s) => ({
        "o.json": {
          openapi: "3.1.0",
          info: { title: "O", version: "1" },
          servers: [{ url: "https://api.example.com" }],
          paths: {
            "/a/{id}": {
              post: {
                operationId: "a",
                parameters: [{ name: "id", in: "path", required: true }],
                responses: {},
              },
            },
          },
        },
        "c.json": {
          arazzo: "1.0.1",
          info: { title: `A ${s}`, description: s },
          sourceDescriptions: [{ name: "o", url: "o.json", type: "openapi" }],
          workflows: [
            {
              workflowId: `w-${s}`,
              inputs: { type: "object", properties: { [s]: { type: "string", default: s, description: s } } },
              steps: [
                {
                  stepId: `s-${s}`,
                  operationId: "a",
                  description: s,
                  parameters: [
                    { name: "id", in: "path", value: s },
                    { name: "h", in: "header", value: `{$inputs.${s}} ${s}` },
                  ],
                  requestBody: { contentType: "application/json", payload: { a: s, [s]: 1 } },
                  successCriteria: [{ condition: `$response.body#/${s} == '${s}'` }],
                  outputs: { [s]: `$response.body#/${s}` },
                },
              ],
              outputs: { [`o${s}`]: `$steps.s-${s}.outputs.${s}` },
            },
          ],
        },
      }),
      ["c.json"],
    ],
  ])("is in no file of %s", async (_, files, words) => {
    const secret = "tokabc4711xyz"
    await importCleanly([secret], { ...inProject(project(secret)), ...files(secret) }, [
      ...words,
      "--api",
      "shop",
    ])
  })

  it("of another API, or of the process, is replaced in the same way", async () => {
    const files = {
      ...inProject(project("tokabc4711xyz", "billing")),
      "shop.json": everywhere("tokabc4711xyz"),
    }
    const { folder } = await importCleanly(["tokabc4711xyz"], files, ["shop.json", "--api", "shop"])
    const texts = JSON.stringify(await textsIn(`${folder}/p`))
    expect(texts).toContain("{{apiKey}}")
    const other = await folderWith({
      ...inProject(project("other-value")),
      "c.sh": "curl https://api.example.com/proc-4711\n",
    })
    await callsheet(["import", "c.sh", "--into", "p", "--api", "shop"], {
      folder: other,
      env: { CALLSHEET_VAR__SHOP__API_KEY: "PROC-4711" },
    })
    expect(await leaksIn(`${other}/p`, ["proc-4711"])).toEqual([])
  })

  it.each<[string, Readonly<Record<string, string>>]>([
    [
      "of an environment without a value file",
      { "apis/shop/environments/old.secrets.env": "apiKey=STRANDED\n" },
    ],
    [
      "of an environment with an invalid name",
      { "apis/shop/environments/a b.secrets.env": "apiKey=STRANDED\n" },
    ],
    [
      "that a later line replaces",
      { "apis/shop/environments/staging.secrets.env": "apiKey=STRANDED\napiKey=other\n" },
    ],
    [
      "below a directory that isn't an API because of its name",
      { "apis/My Shop/environments/staging.secrets.env": "apiKey=STRANDED\n" },
    ],
    [
      "that is a committed default",
      {
        "apis/shop/environments/schema.json":
          '{ "version": 1, "variables": { "apiKey": { "type": "string", "required": false, "secret": true, "default": "STRANDED" } } }',
      },
    ],
  ])("%s is in no new file, and is listed", async (_, more) => {
    const secret = "tokabc4711xyz"
    const named = Object.entries(more).map(
      ([file, text]) => [file, text.replace("STRANDED", secret)] as const,
    )
    const own = { ...project("unrelated-4711"), ...Object.fromEntries(named) }
    const folder = await folderWith({
      ...inProject(own),
      "c.sh": `curl 'https://${secret}.example.com/a/${secret}?${secret}=1' -H 'x-a: ${secret}' -H 'content-type: x/${secret}' -d ${secret}\n`,
    })
    const { result, stdout, stderr } = await importInto(folder, ["c.sh", "--into", "p"])
    expect(stdout + stderr).not.toContain(secret)
    const leaks = await leaksIn(`${folder}/p`, [secret])
    expect(leaks.filter((file) => !(file in own))).toEqual([])
    const listed = result?.losses.map(({ what }) => what) ?? []
    for (const place of ["value", "path", "name of a query parameter"])
      expect(listed).toContain(`secret in ${place}`)
  })

  it("is sent by the request, although the file has its variable", async () => {
    const api = await startApi({ "*": {} })
    const folder = await folderWith({
      ...project("tok-4711abcd"),
      "c.sh": `curl '${api.url}/a/tok-4711abcd?q=tok-4711abcd'\n`,
    })
    const { exitCode } = await importInto(folder, ["c.sh", "--api", "shop"])
    expect(exitCode).toBe(0)
    const ran = await callsheet(["run", "c", "--env", "staging", "--var", `shop.baseUrl=${api.url}`], {
      folder,
    })
    await api.close()
    expect(ran.exitCode, ran.stderr).toBe(0)
    expect(api.requests.map(({ url }) => url)).toEqual(["/a/tok-4711abcd?q=tok-4711abcd"])
  })

  it("of less than 4 characters is replaced only as a whole value", async () => {
    const folder = await folderWith({
      ...project("x7z"),
      "c.sh": `curl 'https://api.example.com/ax7zb/x7z?a=x7z&b=ax7z' --json '{"a":"x7z","b":"x7z1","x7z":1}'\n`,
    })
    const { result } = await importInto(folder, ["c.sh", "--api", "shop"])
    const saved = await readJson(folder, result?.files.find((file) => file.includes("/requests/")) ?? "")
    expect(JSON.stringify(saved)).not.toMatch(/"x7z"(?!:)/)
    expect(JSON.stringify(saved)).toContain("ax7z")
  })

  it("is replaced in the document, with its references", async () => {
    const secret = "tok-4711abcd"
    const folder = await folderWith({
      ...inProject(project(secret, "billing")),
      "openapi.yaml": `openapi: 3.1.0\ninfo: { title: T, version: "1" }\nservers: [{ url: https://api.example.com }]\npaths:\n  /a:\n    get:\n      operationId: get-${secret}\n      parameters:\n        - { name: q, in: query, example: ${secret}, schema: { $ref: "#/components/schemas/${secret}" } }\n      responses: {}\ncomponents:\n  schemas:\n    ${secret}: { type: string, default: "${secret.toUpperCase()}" }\n`,
      "c.sh": "curl https://api.example.com/a\n",
    })
    const words = ["c.sh", "--document", "openapi.yaml", "--api", "shop", "--into", "p"]
    const { exitCode, result } = await importInto(folder, words)
    expect([exitCode, result?.operations]).toEqual([1, 1])
    expect(await leaksIn(`${folder}/p`, [secret])).toEqual([])
    const { stdout } = await callsheet(["validate", "--json", "--project", "p"], { folder })
    expect(JSON.parse(stdout)).toMatchObject({ problems: [] })
  })

  it("is in no file that is copied", async () => {
    const secret = "tok-4711abcd"
    const folder = await folderWith({
      ...inProject(project(secret)),
      "c.sh": "curl -T a.txt https://api.example.com/\ncurl -T b.txt https://api.example.com/\n",
      "a.txt": `a ${secret.toUpperCase()} b`,
      "b.txt": base64(`user:${secret}`),
    })
    const { result } = await importInto(folder, ["c.sh", "--api", "shop", "--into", "p", "--files", "."])
    expect(result?.losses.map(({ what }) => what)).toEqual(["file a.txt", "file b.txt"])
    expect(await leaksIn(`${folder}/p`, [secret])).toEqual([])
  })
})

describe("a secret of the source", () => {
  it("that an environment marks is in no other file", async () => {
    const secret = "tokabc4711xyz"
    await importCleanly(
      [secret],
      {
        "shop.json": everywhere(secret),
        "staging.json": {
          name: "Staging",
          values: [{ key: "apiKey", value: secret, type: "secret", enabled: true }],
        },
      },
      ["shop.json", "staging.json", "--api", "shop"],
    )
  })

  it("that a credential contains is in no name, path or text", async () => {
    const secret = "tokabc4711xyz"
    const collection = everywhere(secret)
    const auth = { type: "bearer", bearer: [{ key: "token", value: secret }] }
    const { folder } = await importCleanly([secret], { "shop.json": { ...collection, auth } }, [
      "shop.json",
      "--api",
      "shop",
    ])
    expect(JSON.stringify(await textsIn(`${folder}/p`))).toContain("Bearer {{bearerToken}}")
  })

  it("that a variable repeats makes the variable a secret", async () => {
    const secret = "tokabc4711xyz"
    const folder = await folderWith({
      "shop.json": {
        info: { name: "P" },
        item: [{ name: "A", request: { method: "GET", url: "https://api.example.com/{{both}}/{{twice}}" } }],
        variable: [
          { key: "apiKey", value: secret },
          { key: "both", value: "a {{apiKey}}" },
          { key: "twice", value: `x${secret}` },
        ],
      },
    })
    const { exitCode } = await importInto(folder, ["shop.json"])
    expect(exitCode).toBe(0)
    expect(await leaksIn(folder, [secret])).toEqual(["shop.json"])
    expect(await validated(folder)).toEqual([])
    const { stdout } = await callsheet(["env", "read", "p", "default", "--reveal", "--json"], { folder })
    expect(stdout).toContain(`x${secret}`)
  })

  it("that variables repeat is written as its own variable, also by a later import", async () => {
    const secret = "tokabc4711xyz"
    const raw = JSON.stringify({ whole: secret, longer: `x${secret}` })
    const { folder } = await importCleanly(
      [secret],
      {
        "shop.json": {
          info: { name: "Shop" },
          item: [
            {
              name: "A",
              request: {
                method: "POST",
                url: "https://a.example/x",
                header: [{ key: "content-type", value: "application/json" }],
                body: { mode: "raw", raw },
              },
            },
          ],
          variable: [
            { key: "alias", value: secret },
            { key: "longer", value: `x${secret}` },
            { key: "password", value: secret },
          ],
        },
      },
      ["shop.json", "--api", "shop"],
    )
    expect(await readJson(`${folder}/p`, "apis/shop/requests/shop/a.json")).toMatchObject({
      body: { whole: "{{password}}", longer: "{{longer}}" },
    })
  })

  it("that a document has as an example is replaced there, which nobody has to repair", async () => {
    const secret = "tokabc4711xyz9"
    const body = { mode: "raw", raw: JSON.stringify({ sessionId: secret }) }
    const header = [{ key: "content-type", value: "application/json" }]
    const schema = { type: "object", properties: { sessionId: { type: "string", example: secret } } }
    const folder = await folderWith({
      "c.json": {
        info: { name: "Shop" },
        item: [{ name: "A", request: { method: "POST", url: "https://a.example/x", header, body } }],
      },
      "openapi.json": {
        openapi: "3.1.0",
        info: { title: "T", version: "1" },
        servers: [{ url: "https://a.example" }],
        paths: {
          "/x": {
            post: {
              operationId: "a",
              requestBody: { content: { "application/json": { schema } } },
              responses: { 200: { description: "OK" } },
            },
          },
        },
      },
    })
    const words = ["c.json", "--document", "openapi.json", "--into", "p"]
    const { exitCode, result } = await importInto(folder, words)
    expect([exitCode, result?.operations]).toEqual([0, 1])
    expect(result?.losses).toMatchObject([
      {
        where: "openapi.json",
        what: "secret in document",
        group: "secrets replaced in the document",
        severity: "information",
      },
    ])
    expect(await leaksIn(`${folder}/p`, [secret])).toEqual([])
  })

  it("that is a common word changes no other name", async () => {
    const folder = await folderWith({
      "shop.json": {
        info: { name: "P" },
        item: [
          {
            name: "Reset password",
            request: {
              method: "POST",
              url: "https://a.example/password",
              body: {
                mode: "urlencoded",
                urlencoded: [
                  { key: "password", value: "password" },
                  { key: "grant_type", value: "password" },
                ],
              },
            },
          },
        ],
      },
    })
    const { exitCode, result } = await importInto(folder, ["shop.json"])
    expect([exitCode, result?.losses]).toEqual([0, []])
    expect(result?.files.some((file) => file.endsWith("/reset-password.json"))).toBe(true)
  })
})
