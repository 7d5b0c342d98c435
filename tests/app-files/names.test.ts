// The paths that file names lead to in the real app, by a log of its file calls.

import { readdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { shop } from "../app-project/shop.ts"
import { namePairs } from "../app-server/attack-names.ts"
import { tell } from "../harness/tell.ts"
import { program } from "../harness/callsheet.ts"
import type { FileName } from "./open-files.ts"
import { makeAppPlace } from "./start-app-command.ts"

const recorder = fileURLToPath(new URL("../app-server/record-files.cjs", import.meta.url))

/** A file with a name at each position with free text, and at the others. */
const filesOf = (name: string): readonly FileName[] => [
  { kind: "script", workflow: "checkout", script: name },
  { kind: "script", workflow: name, script: "sum" },
  { kind: "request", api: "shop", resource: name, request: "mine" },
  { kind: "request", api: "shop", resource: "orders", request: name },
  { kind: "workflow", workflow: name },
  { kind: "environment", api: "shop", environment: name },
]

it("no file name leads to a file call outside the project", { timeout: 120_000 }, async () => {
  const place = await makeAppPlace(shop)
  const log = join(place.state, "files.log")
  const app = await place.start({
    NODE_OPTIONS: `--require ${JSON.stringify(recorder)}`,
    CALLSHEET_TEST_FILES: log,
  })
  await app.ask("project.read", {})
  rmSync(log)
  const names = [...new Set(namePairs().flat())]
  const read = new Set<number>()
  for (const name of names)
    for (const file of filesOf(name)) read.add((await app.ask("files.read", { file })).status)
  // Rejected as names, or because the file doesn't exist: a name such as `%2e%2e` has no special meaning.
  expect(read).toEqual(new Set([400, 404]))
  const saved = new Map<string, number>()
  for (const name of names.filter((_, index) => index % 8 === 0)) {
    const file: FileName = { kind: "request", api: "shop", resource: name, request: name }
    const text = '{"version": 1, "operation": "listOrders"}'
    saved.set(name, (await app.ask("files.save", { file, etag: null, text })).status)
  }
  const written = [...saved].filter(([, status]) => status === 200).map(([name]) => name)
  expect(readdirSync(join(place.project, "apis/shop/requests")).toSorted()).toEqual(
    [...written, "orders"].toSorted(),
  )
  expect(readdirSync(join(place.project, ".."))).toEqual(expect.arrayContaining(["project", "state"]))
  const paths = readFileSync(log, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as string)
  const dist = join(program, "../..")
  const allowed = [place.project, place.state, dist, `file://${dist}`, "/proc/"]
  const lock = /[\\/]callsheet-locks(?:-\d+)?(?:[\\/]|$)/
  const foreign = paths.filter((path) => !allowed.some((at) => path.startsWith(at)) && !lock.test(path))
  expect([...new Set(foreign)]).toEqual([])
  const climbing = paths.filter((path) => path.split(/[\\/]/).includes(".."))
  expect(climbing).toEqual([])
  tell(
    `names of files: ${names.length} names, ${paths.length} file calls, ${foreign.length} outside of the project`,
  )
})
