// Shows why callsheet has its own file watch (docs/how-it-works/decisions/0011-own-file-watch.md). If chokidar passes
// this test, use it instead.

import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { watch as watchWithChokidar } from "chokidar"
import { expect, it, onTestFinished } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import { watchProject } from "./watch-project.ts"

/** Starts to watch. Returns a function that counts the reported changes. */
type Watch = (root: string) => Promise<() => number>

const ours: Watch = async (root) => {
  let count = 0
  onTestFinished(watchProject(root, () => count++).close)
  return () => count
}

const chokidar: Watch = async (root) => {
  let count = 0
  const watcher = watchWithChokidar(root, { ignoreInitial: true })
  onTestFinished(() => watcher.close())
  await new Promise<void>((resolve) => void watcher.on("ready", resolve))
  watcher.on("all", () => count++)
  return () => count
}

/** Replaces a watched directory and writes a file in the replacement. Returns whether each change was reported. */
async function reportsOfReplacedFolder(watch: Watch): Promise<readonly boolean[]> {
  const root = temporaryProject({ "apis/shop/openapi.json": "{}" })
  const count = await watch(root)
  const isReported = async (action: () => void): Promise<boolean> => {
    const before = count()
    action()
    for (let waits = 0; waits < 40 && count() === before; waits++) {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return count() > before
  }
  const shop = join(root, "apis/shop")
  // Generators often write their output next to the old one, then replace it.
  const replaced = await isReported(() => {
    mkdirSync(join(root, "apis/.new"))
    writeFileSync(join(root, "apis/.new/openapi.json"), '{ "new": true }')
    renameSync(shop, join(root, "apis/.old"))
    renameSync(join(root, "apis/.new"), shop)
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  return [replaced, await isReported(() => writeFileSync(join(shop, "openapi.json"), '{ "later": true }'))]
}

it("our watch reports a replaced directory, and what is written in it later", async () => {
  expect(await reportsOfReplacedFolder(ours)).toEqual([true, true])
})

it("chokidar misses what is written in a replaced directory", async () => {
  const [, isLaterReported] = await reportsOfReplacedFolder(chokidar)
  expect(isLaterReported).toBe(false)
})
