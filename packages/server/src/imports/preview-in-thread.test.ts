import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { previewingInThread } from "./preview-in-thread.ts"

/** Returns the entry of a thread that runs the code instead of a preview. */
function entryWith(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-thread-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "thread.mjs")
  writeFileSync(file, `import { parentPort, workerData } from "node:worker_threads"\n${code}\n`)
  return pathToFileURL(file)
}

const job = { root: ".", input: { sources: [] }, processEnvironment: {} }
const preview = { digest: "d", files: [], view: {} }

it.each([
  ["runs forever", 0.3, "for (;;);"],
  ["waits forever", 0.3, "setInterval(() => {}, 1000)"],
  ["matches a pattern forever", 0.3, `/^(a+)+$/.test("a".repeat(100) + "b")`],
  ["fills the memory", 2, "const all = []\nfor (;;) all.push(new Array(100_000).fill({}).map(() => ({})))"],
  ["ends without an answer", 2, "process.exit(0)"],
])("ends a thread that %s", async (_, seconds, code) => {
  const previewImport = previewingInThread(entryWith(code), seconds)
  await expect(previewImport(job)).rejects.toMatchObject({ code: "import-source" })
})

it("passes on what the thread reports, and the error of a bug", async () => {
  const answer = (code: string) => previewingInThread(entryWith(code))(job)
  await expect(
    answer(`parentPort.postMessage({ is: "preview", preview: ${JSON.stringify(preview)} })`),
  ).resolves.toEqual(preview)
  await expect(
    answer(`parentPort.postMessage({ is: "refused", code: "json-syntax", message: "m", problems: [] })`),
  ).rejects.toMatchObject({ code: "json-syntax", message: "m" })
  await expect(answer("throw new TypeError('broken')")).rejects.toMatchObject({ message: "broken" })
})

it("previews one import at a time, also after one that failed", async () => {
  const code = `if (workerData.root === "bad") process.exit(1)
parentPort.postMessage({ is: "preview", preview: { digest: workerData.root, files: [], view: {} } })`
  const previewImport = previewingInThread(entryWith(code))
  const all = await Promise.allSettled(["a", "bad", "b"].map((root) => previewImport({ ...job, root })))
  expect(all.map((one) => (one.status === "fulfilled" ? one.value.digest : "failed"))).toEqual([
    "a",
    "failed",
    "b",
  ])
})
