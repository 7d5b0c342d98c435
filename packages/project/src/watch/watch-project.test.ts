import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  watch as watchFolder,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { describe, expect, it, onTestFinished } from "vitest"
import { temporaryProject } from "../testing/temporary-project.ts"
import { watchProject, type WatchOptions } from "./watch-project.ts"
import type { OpenWatch } from "./folder-watch.ts"

const files = {
  "apis/shop/openapi.json": "{}",
  "apis/shop/environments/local.json": "{}",
  "apis/shop/requests/orders/one.json": "{}",
  "apis/workflow/checkout.json": "{}",
}

/** Generous, because the machine may be busy. */
const BOUND_MS = 10_000

function watched(root: string, options?: WatchOptions) {
  let count = 0
  let wake = (): void => undefined
  const watch = watchProject(
    root,
    () => {
      count++
      wake()
    },
    options,
  )
  onTestFinished(watch.close)
  const next = (before: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("the change was not reported")), BOUND_MS)
      wake = () => {
        if (count === before) return
        clearTimeout(timer)
        resolve()
      }
      wake()
    })
  /** Performs an action, and waits until its change is reported and nothing is pending. */
  const reported = async (action: () => void): Promise<void> => {
    const before = count
    action()
    await next(before)
    for (let left = 100; watch.isPending() && left > 0; left--) await next(count)
  }
  return { root, watch, reported, count: () => count }
}

function put(root: string, file: string, text = `{"at": ${performance.now()}}`): void {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}

describe("watchProject reports", () => {
  it("a file that is written, as often as it is", async () => {
    const { root, reported } = watched(temporaryProject(files))
    for (let round = 0; round < 3; round++) await reported(() => put(root, "apis/workflow/checkout.json"))
  })

  it("callsheet.json that appears, changes and disappears, also as a link", async () => {
    const { root, reported } = watched(temporaryProject({ ...files, "config/x.json": "{}" }))
    await reported(() => put(root, "callsheet.json"))
    await reported(() => put(root, "callsheet.json"))
    await reported(() => unlinkSync(join(root, "callsheet.json")))
    await reported(() => symlinkSync("config/x.json", join(root, "callsheet.json")))
    await reported(() => put(root, "config/x.json"))
  })

  it("a file that is emptied and then written", async () => {
    const { root, reported } = watched(temporaryProject(files))
    const file = join(root, "apis/workflow/checkout.json")
    await reported(() => writeFileSync(file, ""))
    await reported(() => appendFileSync(file, "{}"))
  })

  it("a file that is renamed over another, as often as it is", async () => {
    const { root, reported } = watched(temporaryProject(files))
    const file = join(root, "apis/workflow/checkout.json")
    for (let round = 0; round < 3; round++) {
      await reported(() => {
        writeFileSync(join(root, "apis/workflow/.new"), "{}")
        renameSync(join(root, "apis/workflow/.new"), file)
      })
    }
    await reported(() => writeFileSync(file, "{ }"))
  })

  it("a file that is moved away and written again", async () => {
    const { root, reported } = watched(temporaryProject(files))
    const file = join(root, "apis/workflow/checkout.json")
    await reported(() => {
      renameSync(file, `${file}~`)
      writeFileSync(file, "{}")
      unlinkSync(`${file}~`)
    })
    await reported(() => writeFileSync(file, "{ }"))
  })

  it("changes in directories that are created later", async () => {
    const { root, reported } = watched(temporaryProject(files))
    await reported(() => put(root, "apis/pay/requests/cards/new.json"))
    await reported(() => put(root, "apis/pay/requests/cards/new.json"))
  })

  it("changes in a directory that was deleted and created again, at once or later", async () => {
    const { root, reported } = watched(temporaryProject(files))
    const shop = join(root, "apis/shop")
    await reported(() => rmSync(shop, { recursive: true }))
    await reported(() => put(root, "apis/shop/environments/local.json"))
    await reported(() => put(root, "apis/shop/environments/local.json"))
    await reported(() => {
      rmSync(shop, { recursive: true })
      put(root, "apis/shop/environments/local.json")
    })
    await reported(() => put(root, "apis/shop/environments/local.json"))
  })

  it("changes in a directory that was renamed", async () => {
    const { root, reported } = watched(temporaryProject(files))
    await reported(() => renameSync(join(root, "apis/shop"), join(root, "apis/store")))
    await reported(() => put(root, "apis/store/requests/orders/one.json"))
  })

  it("apis/ deleted and created again, and another one in its place", async () => {
    const { root, reported } = watched(temporaryProject(files))
    await reported(() => rmSync(join(root, "apis"), { recursive: true }))
    await reported(() => put(root, "apis/shop/environments/local.json"))
    await reported(() => put(root, "apis/shop/environments/local.json"))
    await reported(() => {
      renameSync(join(root, "apis"), join(root, "old"))
      put(root, "apis/shop/environments/local.json")
    })
    await reported(() => put(root, "apis/shop/environments/local.json"))
  })

  it("the project's directory deleted and created again", async () => {
    const { root, reported } = watched(temporaryProject(files), { everyMs: 20 })
    await reported(() => rmSync(root, { recursive: true }))
    await reported(() => put(root, "apis/workflow/checkout.json"))
    await reported(() => put(root, "apis/workflow/checkout.json"))
  })

  it("200 files at once as one change or a few", async () => {
    const { root, reported, count } = watched(temporaryProject(files))
    await reported(() => {
      for (let index = 0; index < 200; index++) put(root, `apis/workflow/w${index}.json`)
    })
    expect(count()).toBeLessThan(10)
    await reported(() => put(root, "apis/workflow/w7.json"))
  })

  it("changes that never stop", async () => {
    const { root, watch, count } = watched(temporaryProject(files))
    const end = performance.now() + BOUND_MS
    while (count() === 0 && performance.now() < end) {
      put(root, "apis/workflow/checkout.json")
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    expect(count()).toBeGreaterThan(0)
    watch.close()
  })
})

describe("links", () => {
  it("are watched at their targets inside the project, and when they are replaced", async () => {
    const root = temporaryProject({ ...files, "contract/shop.yaml": "a", "shared/pay/openapi.yaml": "a" })
    symlinkSync("../../contract/shop.yaml", join(root, "apis/shop/part.yaml"))
    symlinkSync("../shared/pay", join(root, "apis/pay"))
    const { reported } = watched(root)
    await reported(() => put(root, "contract/shop.yaml"))
    await reported(() => {
      put(root, "contract/other.yaml")
      renameSync(join(root, "contract/other.yaml"), join(root, "contract/shop.yaml"))
    })
    await reported(() => put(root, "shared/pay/openapi.yaml"))
  })

  it("are not followed out of the project, nor in a cycle", () => {
    const outside = temporaryProject({ "secret/openapi.yaml": "a" })
    const root = temporaryProject(files)
    symlinkSync(join(outside, "secret"), join(root, "apis/leak"))
    symlinkSync("..", join(root, "apis/shop/round"))
    const opened: string[] = []
    const watch = watchProject(root, () => undefined, { open: recorder(opened), seesTrees: false })
    onTestFinished(watch.close)
    expect(opened.filter((folder) => !folder.startsWith(root))).toEqual([])
    expect(new Set(opened).size).toBe(opened.length)
  })
})

interface Heard {
  readonly listeners: Map<string, (type: string, name: string | null) => void>
}

const recorder =
  (opened: string[], { listeners }: Heard = { listeners: new Map() }): OpenWatch =>
  (folder, _, listener) => {
    opened.push(folder)
    listeners.set(folder, listener)
    return { close: () => undefined, on: () => undefined }
  }

describe("paths that are ignored", () => {
  it("are hidden, are packages, or are next to apis/", () => {
    const root = temporaryProject({ ...files, "apis/workflow/node_modules/a/index.js": "", "src/a.ts": "" })
    const opened: string[] = []
    const listeners: Heard["listeners"] = new Map()
    const watch = watchProject(root, () => undefined, {
      open: recorder(opened, { listeners }),
      seesTrees: false,
    })
    onTestFinished(watch.close)
    expect(opened.filter((folder) => /node_modules|src/.test(folder))).toEqual([])
    const heard = (folder: string, name: string): boolean => {
      listeners.get(join(root, folder))?.("change", name)
      return watch.isPending()
    }
    expect(heard("apis/workflow", ".callsheet-0123456789abcdef.secrets.env")).toBe(false)
    expect(heard("apis/workflow", "node_modules")).toBe(false)
    expect(heard(".", "package.json")).toBe(false)
    expect(heard("apis/workflow", "checkout.json")).toBe(true)
  })
})

describe("with one recursive watch", () => {
  it("opens one, and splits its paths", () => {
    const root = temporaryProject(files)
    const opened: string[] = []
    const listeners: Heard["listeners"] = new Map()
    const watch = watchProject(root, () => undefined, {
      open: recorder(opened, { listeners }),
      seesTrees: true,
    })
    onTestFinished(watch.close)
    expect(opened).toEqual([root])
    const heard = (path: string): boolean => {
      listeners.get(root)?.("change", join(...path.split("/")))
      return watch.isPending()
    }
    expect(heard("src/index.ts")).toBe(false)
    expect(heard("apis/.git/index")).toBe(false)
    expect(heard("apis/shop/openapi.json")).toBe(true)
  })
})

describe("when the system provides no more watches", () => {
  const withWatches =
    (most: number): OpenWatch =>
    (folder, { recursive }, listener) => {
      if (most-- > 0) return watchFolder(folder, { persistent: false, recursive }, listener)
      throw Object.assign(new Error("no space"), { code: "ENOSPC" })
    }

  it("reports that, polls instead, and reports changes", async () => {
    const root = temporaryProject(files)
    const { reported, watch } = watched(root, { open: withWatches(2), seesTrees: false, everyMs: 20 })
    expect(watch.problems()).toMatchObject([{ code: "watch-limit", severity: "warning" }])
    await reported(() => put(root, "apis/shop/requests/orders/one.json", '{"longer": true}'))
    await reported(() => put(root, "apis/new/environments/local.json"))
    await reported(() => rmSync(join(root, "apis/new"), { recursive: true }))
    await reported(() => put(root, "callsheet.json"))
    expect(watch.problems()).toHaveLength(1)
  })

  it("reports other files that it is asked to watch, with watches and without", async () => {
    const root = temporaryProject({ ...files, "data/rows.csv": "a" })
    for (const most of [100, 2]) {
      const { reported, watch } = watched(root, { open: withWatches(most), seesTrees: false, everyMs: 20 })
      watch.watchMore(["data/rows.csv", "none/missing.csv"])
      await reported(() => put(root, "data/rows.csv"))
      await reported(() => rmSync(join(root, "data/rows.csv")))
      await reported(() => put(root, "data/rows.csv", "longer"))
    }
  })

  it("reports that too if it happens later", async () => {
    const root = temporaryProject(files)
    const { reported, watch } = watched(root, { open: withWatches(7), seesTrees: false, everyMs: 20 })
    expect(watch.problems()).toEqual([])
    await reported(() => put(root, "apis/a/requests/b/c.json"))
    expect(watch.problems()).toHaveLength(1)
    await reported(() => put(root, "apis/a/requests/b/c.json", "{}"))
  })
})
