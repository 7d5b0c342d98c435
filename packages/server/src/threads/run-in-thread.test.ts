import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { expect, it, onTestFinished } from "vitest"
import { runningInThread } from "./run-in-thread.ts"

/** Returns the entry of a thread that runs the code. */
function entryWith(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), "callsheet-thread-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, "thread.mjs")
  writeFileSync(file, `import { parentPort, workerData } from "node:worker_threads"\n${code}\n`)
  return pathToFileURL(file)
}

/** Returns a function that runs jobs in threads with the code. */
const runs = (code: string, maxSeconds?: number) =>
  runningInThread<{ readonly root: string }, string>({
    entry: entryWith(code),
    exhausted: (seconds) => ({ code: "import-source", message: `more than ${seconds} s` }),
    maxSeconds,
  })

it.each([
  ["runs forever", 0.3, "for (;;);"],
  ["waits forever", 0.3, "setInterval(() => {}, 1000)"],
  ["matches a pattern forever", 0.3, `/^(a+)+$/.test("a".repeat(100) + "b")`],
  ["fills the memory", 2, "const all = []\nfor (;;) all.push(new Array(100_000).fill({}).map(() => ({})))"],
  ["ends without an answer", 2, "process.exit(0)"],
])("ends a thread that %s", async (_, seconds, code) => {
  await expect(runs(code, seconds)({ root: "." })).rejects.toMatchObject({
    code: "import-source",
    message: `more than ${seconds} s`,
  })
})

it("passes on what the thread reports, and the error of a bug", async () => {
  const answer = (code: string) => runs(code)({ root: "." })
  await expect(answer('parentPort.postMessage({ is: "done", result: "r" })')).resolves.toBe("r")
  await expect(
    answer(`parentPort.postMessage({ is: "refused", code: "json-syntax", message: "m", problems: [] })`),
  ).rejects.toMatchObject({ code: "json-syntax", message: "m" })
  await expect(answer("throw new TypeError('broken')")).rejects.toMatchObject({ message: "broken" })
})

it("runs one job at a time, also after one that failed", async () => {
  const run = runs(`if (workerData.root === "bad") process.exit(1)
parentPort.postMessage({ is: "done", result: workerData.root })`)
  const all = await Promise.allSettled(["a", "bad", "b"].map((root) => run({ root })))
  expect(all.map((one) => (one.status === "fulfilled" ? one.value : "failed"))).toEqual(["a", "failed", "b"])
})
