// Keeps words that read as translated out of sources, tests, docs and rendered messages.

import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { bannedInMessages, bannedWords } from "../harness/banned-words.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: root,
  encoding: "utf8",
}).split("\n")

/** The lists of the words themselves. */
const wordLists = new Set(["tests/harness/banned-words.ts"])

const texts = {
  sources: files.filter(
    (path) => /^(packages|examples\/shop\/server)\/.*\.(tsx?|mjs|css|html)$/.test(path) && !isTest(path),
  ),
  tests: files.filter((path) => isTest(path) && !wordLists.has(path)),
  "Markdown pages": files.filter((path) => path.endsWith(".md")),
  messages: files.filter((path) => /^tests\/messages\/.*\.txt$/.test(path)),
}

function isTest(path: string): boolean {
  return (
    /\.test\.tsx?$|\/testing\/.*\.ts$/.test(path) ||
    /^(?:tests|bench|scripts|\.ci)\/.*\.(?:ts|[cm]js)$/.test(path)
  )
}

function bannedLines(
  path: string,
  banned: RegExp,
  isChecked = (_line: string): boolean => true,
): readonly string[] {
  return readFileSync(root + path, "utf8")
    .split("\n")
    .flatMap((line, index) =>
      isChecked(line) && banned.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
    )
}

describe.each(Object.entries(texts))("%s", (_, paths) => {
  it("avoid words that make a reader stumble", () => {
    expect(paths.length).toBeGreaterThan(3)
    expect(paths.flatMap((path) => bannedLines(path, bannedWords))).toEqual([])
  })
})

describe("titles and comments of tests", () => {
  // Comment lines, calls with a title, titles after the rows of `each`, and titles on their own line.
  const isText = (line: string): boolean =>
    /^\s*(?:\/\/|\/?\*)|\b(?:it|test|describe)(?:\.\w+)*\(["'`]|\)\(["'`]|^ *["'`](?:[a-z]|[A-Z]{2}-\d).*["'`],$/.test(
      line,
    )

  it("avoid the words that messages avoid", () => {
    expect(texts.tests.flatMap((path) => bannedLines(path, bannedInMessages, isText))).toEqual([])
  })
})
