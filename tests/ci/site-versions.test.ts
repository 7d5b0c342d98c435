// The tags whose documentation a release publishes. A tag's name becomes a path, so others than releases are ignored.

import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeEach, expect, it } from "vitest"

const scripts = fileURLToPath(new URL("../../scripts", import.meta.url))
const folder = mkdtempSync(join(tmpdir(), "callsheet-tags-"))
cpSync(scripts, join(folder, "scripts"), { recursive: true })

const git = (...words: readonly string[]) => execFileSync("git", words, { cwd: folder })
const settings = [
  "user.name=test",
  "user.email=test@example.com",
  "commit.gpgSign=false",
  "tag.gpgSign=false",
]
const options = settings.flatMap((setting) => ["-c", setting])

beforeEach(() => {
  rmSync(join(folder, ".git"), { recursive: true, force: true })
  git("init", "--quiet")
  git(...options, "commit", "--quiet", "--allow-empty", "--message", "Release")
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const list = (tags: readonly string[], ...words: readonly string[]): string => {
  for (const tag of tags) git(...options, "tag", tag)
  const script = join(folder, "scripts/site.mjs")
  return execFileSync(process.execPath, [script, "--list", ...words], { encoding: "utf8", stdio: "pipe" })
}

it("are the newest patches of the last five minor versions", () => {
  const tags = ["v0.9.0", "v1.2.0", "v1.9.0", "v1.9.2", "v1.9.10", "v1.10.0", "v2.0.0", "v10.0.0", "v10.1.3"]
  expect(list(tags, "--base", "/callsheet/")).toBe(
    [
      "10.1.3 /callsheet/",
      "10.0.0 /callsheet/v10.0/",
      "2.0.0 /callsheet/v2.0/",
      "1.10.0 /callsheet/v1.10/",
      "1.9.10 /callsheet/v1.9/",
      "",
    ].join("\n"),
  )
})

it("have exactly the form of a release", () => {
  const others = [
    "v1.0.0-rc.1",
    "v1.1",
    "v01.2.0",
    "1.3.0",
    "v1.4.0.1",
    "x/v1.5.0",
    "v1.6.0;touch${IFS}pwned",
    "v1.7.0$(id)",
    "v１.8.0",
  ]
  expect(list([...others, "v0.1.0"])).toBe("0.1.0 /\n")
})

it("are missing in a clone without tags, which the script says", () => {
  expect(() => list([])).toThrow("no tag such as v1.2.3; run git fetch --tags")
})

it.each(["callsheet", "/a b/", "/../", "//host/", "/a"])("can't be published below %s", (base) => {
  expect(() => list(["v1.0.0"], `--base=${base}`)).toThrow(`--base is ${base}; expected a path`)
})
