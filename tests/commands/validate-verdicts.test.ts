// What `validate` finds before a run meets it: requests that can't be sent, and scripts that can't be called.

import { describe, expect, it } from "vitest"
import { callsheet, type Files } from "../harness/callsheet.ts"

const upload = {
  operationId: "upload",
  requestBody: { content: { "multipart/form-data": { schema: { type: "object" } } } },
  responses: { 200: { description: "Done." } },
}

const project = (files: Files): Files => ({
  "apis/shop/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Shop", version: "1" },
    servers: [{ url: "http://127.0.0.1:9" }],
    paths: { "/uploads": { post: upload } },
  },
  "apis/shop/environments/local.json": {},
  ...files,
})

const workflow = (...blocks: object[]) => ({ version: 1, blocks })

const send = (overrides: object, target: object = { operation: "upload" }) => ({
  id: "send",
  type: "request",
  request: { api: "shop", ...target, overrides },
})

/** Returns the findings as `severity file:line code: message`. */
async function findings(files: Files): Promise<readonly string[]> {
  const { stdout } = await callsheet(["validate", "--json"], { files: project(files) })
  const { problems } = JSON.parse(stdout) as { problems: Record<string, unknown>[] }
  return problems.map(
    ({ severity, file, line, code, message }) =>
      `${String(severity)} ${String(file)}:${String(line)} ${String(code)}: ${String(message)}`,
  )
}

describe("callsheet validate", () => {
  it("finds headers that HTTP can't carry, in workflows and saved requests", async () => {
    const header = { "x key": "1", "X-Lines": "a\r\n{{$uuid}}", "X-Fine": "{{$uuid}}", "X-List": "[\n1]" }
    const files = {
      "apis/workflow/w.json": workflow(send({ params: { header } })),
      "apis/shop/requests/uploads/one.json": {
        version: 1,
        operation: "upload",
        params: { header: { "X-Emoji": "🙂", "": "1" } },
      },
    }
    expect(await findings(files)).toEqual([
      'error apis/shop/requests/uploads/one.json:6 field-value: the header "X-Emoji" contains a character outside Latin-1, which HTTP does not allow',
      'error apis/shop/requests/uploads/one.json:7 field-value: the header name "" is not a valid HTTP token',
      'error apis/workflow/w.json:13 field-value: the header name "x key" is not a valid HTTP token',
      'error apis/workflow/w.json:14 field-value: the header "X-Lines" contains a line break, which HTTP does not allow',
    ])
    const { report } = await callsheet(["run", "w", "--json"], { files: project(files) })
    expect(report?.runs[0]?.blocks[0]?.error?.message).toBe(
      'the request was not sent: the header name "x key" is not a valid HTTP token',
    )
  })

  it("finds a default of null", async () => {
    const variables = {
      key: { type: "string", required: false, default: null },
      token: { type: "string", required: false, secret: true, default: null },
    }
    expect(await findings({ "apis/shop/environments/schema.json": { version: 1, variables } })).toEqual([
      'warning apis/shop/environments/schema.json:7 variable-type: the default of "key" is null, which is the same as no default',
      'warning apis/shop/environments/schema.json:13 variable-type: the default of "token" is null, which is the same as no default',
    ])
  })

  it("finds a missing file that an override sends", async () => {
    const bodies = {
      "photos[0]": { file: "gone.png" },
      "cover.file": "there.png",
      "back.file": "{{$uuid}}.png",
      note: { text: "gone.png" },
    }
    expect(
      await findings({
        "there.png": "",
        "apis/workflow/w.json": workflow(send({ body: bodies })),
        "apis/workflow/saved.json": workflow(
          send({ body: { "photo.file": "../out.png" } }, { instance: "photo" }),
        ),
        "apis/shop/requests/uploads/photo.json": {
          version: 1,
          operation: "upload",
          bodyType: "multipart",
          body: { photo: { file: "there.png" }, other: { file: "gone-too.png" } },
        },
      }),
    ).toEqual([
      'warning apis/shop/requests/uploads/photo.json:10 file-unreadable: "gone-too.png": can\'t read the file: it does not exist',
      'error apis/workflow/saved.json:12 link-outside: "../out.png": the path leads outside the project',
      'warning apis/workflow/w.json:13 file-unreadable: "gone.png": can\'t read the file: it does not exist',
    ])
  })
})
