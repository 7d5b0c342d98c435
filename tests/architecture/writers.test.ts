// Lists the modules that change files. A path that a project file names reaches the disk only through the write scope of
// `packages/project/src/write`, so a new writer needs a reason here.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

const writing =
  /\b(?:writeFile|appendFile|rename|mkdir|mkdtemp|copyFile|cp|symlink|link|rm|rmdir|unlink|truncate|chmod|open|write)Sync\(|\b(?:writeFile|appendFile|mkdir|mkdtemp|copyFile|symlink|unlink|createWriteStream)\(/
const importsDisk = /from "node:fs(?:\/promises)?"/

/** Why each module may change files, or that it only opens files to read. */
const writers: Readonly<Record<string, string>> = {
  "packages/project/src/write": "changes of a project",
  "packages/project/src/create": "changes of a project, by the scope of write/",
  "packages/project/src/read": "opens files to read",
  "packages/cli/src/main.ts": "writes to standard output",
  "packages/cli/src/reporters/report-file.ts": "CallerPath or ProjectPath",
  "packages/cli/src/reporters/report-directory.ts": "CallerPath or ProjectPath",
  "packages/cli/src/record":
    "the path of --record, which only the command line names; an unnamed temporary file",
  "packages/cli/src/commands/demo.ts": "the directory that the command line names",
  "packages/cli/src/lsp/run-for-editor.ts": "a private temporary directory for the report of a run",
  "packages/cli/src/leaks": "an unnamed temporary file; removes a report with a secret",
  "packages/engine/src/node": "the user's cache and state directories",
  "packages/server/src/files/script-parser.ts": "a temporary directory",
  "packages/server/src/type-checks/allowed-compiler.ts": "the user's state directory",
}

it("callsheet changes files only in modules that name a reason", () => {
  const modules = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  })
    .split("\n")
    .filter((path) => /^packages\/[a-z-]+\/src\/.*\.ts$/.test(path) && !/\.test\.ts$|\/testing\//.test(path))
    .filter((path) => {
      const text = readFileSync(root + path, "utf8")
      return importsDisk.test(text) && writing.test(text)
    })
  const places = Object.keys(writers)
  expect(modules.filter((path) => !places.some((place) => path.startsWith(place)))).toEqual([])
  expect(places.filter((place) => !modules.some((path) => path.startsWith(place)))).toEqual([])
})
