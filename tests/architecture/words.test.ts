// Keeps words that read as translated out of sources, docs and rendered messages.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { bannedWords } from "../harness/banned-words.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
}).split("\n")

const texts = {
  sources: files.filter(
    (path) => /^(packages|examples\/shop\/server)\/.*\.(tsx?|mjs|css|html)$/.test(path) && !isTest(path),
  ),
  "Markdown pages": files.filter((path) => path.endsWith(".md")),
  messages: files.filter((path) => /^tests\/messages\/.*\.txt$/.test(path)),
}

function isTest(path: string): boolean {
  return /\.test\.tsx?$|\/testing\//.test(path)
}

describe.each(Object.entries(texts))("%s", (_, paths) => {
  it("avoid words that make a reader stumble", () => {
    expect(paths.length).toBeGreaterThan(3)
    const found = paths.flatMap((path) =>
      readFileSync(root + path, "utf8")
        .split("\n")
        .flatMap((line, index) => (bannedWords.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    )
    expect(found).toEqual([])
  })
})
