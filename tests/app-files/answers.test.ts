// Checks file calls over HTTP with the real handlers and server: their statuses, and that pages see nothing else.

import { describe, expect, it, onTestFinished } from "vitest"
import type { CallFailure } from "@callsheet/server/calls"
import { shop, workflow } from "../app-project/shop.ts"
import { startTestApp } from "../app-server/start-test-app.ts"
import { diskError, faultyDisk } from "../../packages/project/src/testing/faulty-disk.ts"
import { checkout, openFiles } from "./open-files.ts"

const FILE = "apis/workflow/checkout.json"
const formatJson = (value: unknown) => JSON.stringify(value, null, 2)

async function open(options: Parameters<typeof openFiles>[1] = {}) {
  const project = await openFiles(shop, options)
  const app = await startTestApp({ handlers: project.calls, root: project.root })
  onTestFinished(app.close)
  const session = await app.enter()
  const post = async (name: string, input: unknown) => {
    const { status, body, headers } = await app.post(`/api/${name}`, input, session)
    return { status, headers, text: body, body: JSON.parse(body) as CallFailure & { readonly etag: string } }
  }
  return { ...project, post, app }
}

describe("a response about a file", () => {
  it("has the status for the error, and a hint", async () => {
    const { post, put, bytes } = await open()
    const read = await post("files.read", { file: checkout })
    expect([read.status, read.headers["cache-control"]]).toEqual([200, "no-store"])
    const { etag } = read.body
    const text = formatJson(workflow("ours"))
    const theirs = formatJson(workflow("theirs"))
    expect(await post("files.save", { file: checkout, text })).toMatchObject({
      status: 428,
      body: { code: "etag-missing" },
    })
    expect(await post("files.save", { file: checkout, etag, text: "{" })).toMatchObject({
      status: 422,
      body: { code: "json-syntax", problems: [{ file: FILE, line: 1, column: 2 }] },
    })
    expect(await post("files.read", { file: { ...checkout, workflow: "no" } })).toMatchObject({
      status: 404,
      body: { code: "file-missing" },
    })
    await put({ [FILE]: theirs })
    const conflict = await post("files.save", { file: checkout, etag, text })
    expect(conflict).toMatchObject({
      status: 409,
      body: { code: "file-changed", current: { text: theirs } },
    })
    expect(bytes(FILE).toString()).toBe(theirs)
    const gone = await post("files.save", { file: { ...checkout, workflow: "gone" }, etag, text })
    expect([gone.status, gone.body.current]).toEqual([409, null])
  })

  it("contains no path outside the project and no text of a file", async () => {
    const refusals = [
      faultyDisk(({ name }) => {
        if (name === "writeSync") throw diskError("ENOSPC")
      }),
      faultyDisk(({ name }) => {
        if (name === "renameSync") throw diskError("EACCES")
      }),
    ]
    for (const disk of refusals) {
      const { post, root, state, app } = await open({ write: { disk } })
      const { etag } = (await post("files.read", { file: checkout })).body
      const text = formatJson({ ...workflow("a"), description: undefined })
      const answer = await post("files.save", { file: checkout, etag, text })
      expect(answer).toMatchObject({ status: 400, body: { code: "write-failed" } })
      for (const place of [root, state, "/absolute", "node:fs"]) expect(answer.text).not.toContain(place)
      expect(app.bugs).toEqual([])
    }
    const { post } = await open()
    const broken = await post("files.save", { file: checkout, etag: null, text: "{ w0rd-of-the-text" })
    expect(broken.status).toBe(422)
    expect(broken.text).not.toContain("w0rd-of")
  })

  it("is a 500 if a bug prevents it, and the next one succeeds", async () => {
    let isBroken = true
    const { post, app } = await open({
      now: () => {
        if (isBroken) throw new TypeError("s3cr3t at /some/where")
        return new Date()
      },
    })
    const broken = await post("drafts.keep", { file: checkout, etag: null, text: "a" })
    expect([broken.status, broken.body.code]).toEqual([500, "internal"])
    expect(broken.text).not.toMatch(/s3cr3t|where/)
    expect(app.bugs).toHaveLength(1)
    isBroken = false
    expect((await post("drafts.keep", { file: checkout, etag: null, text: "a" })).status).toBe(200)
  })

  it("may contain 10 MiB of text, and is a 413 for more", async () => {
    const { post } = await open()
    const { etag } = (await post("files.read", { file: checkout })).body
    const fits = `${formatJson(workflow("a"))}${"\n".repeat(4 * 1024 * 1024)}`
    expect((await post("files.save", { file: checkout, etag, text: fits })).status).toBe(200)
    const large = await post("files.save", { file: checkout, etag, text: " ".repeat(11 * 1024 * 1024) })
    expect(large.status).toBe(413)
  })
})
