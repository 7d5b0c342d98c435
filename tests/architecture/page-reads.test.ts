// A page test reads the page, and the files that it writes, with `expect.poll`. A read at one moment depends on how busy the
// machine is: four runs of CI failed on tests that read a row before its result had arrived, or a file before it was saved.

import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const folder = fileURLToPath(new URL("../app-page/", import.meta.url))

const readAtOnce =
  /expect\(\s*await (?:(?!expect|await )[^;])*?\.(?:textContent|innerText|inputValue|count|isVisible|isChecked|getAttribute|allTextContents|allInnerTexts)\([^()]*\),?\s*\)(?!\.toBeLessThan)/

const fileReadAtOnce =
  /(?<!await )expect\(\s*(?:JSON\.parse\()?\(?await (?:project\.read|page\.title|shopFile|text|saved|secrets|requestOf|suites|blocksIn)\([^()]*\)[^;\n]*\)\.to/

it("page tests wait for what they expect of the page and of files", () => {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".test.ts"),
  )
  expect(paths.length).toBeGreaterThan(20)
  const isEarly = (text: string) => readAtOnce.test(text) || fileReadAtOnce.test(text)
  expect(paths.filter((path) => isEarly(readFileSync(folder + path, "utf8"))).toSorted()).toEqual([])
})
