// A page test reads the page with `expect.poll`. A read at one moment depends on how busy the machine is: three runs of CI
// failed on tests that read a row before its result had arrived.

import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"

const folder = fileURLToPath(new URL("../app-page/", import.meta.url))

const readAtOnce =
  /expect\(\s*await (?:(?!expect|await )[^;])*?\.(?:textContent|innerText|inputValue|count|isVisible|isChecked|getAttribute|allTextContents|allInnerTexts)\([^()]*\),?\s*\)(?!\.toBeLessThan)/

it("page tests wait for what they expect of the page", () => {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".test.ts"),
  )
  expect(paths.length).toBeGreaterThan(20)
  expect(paths.filter((path) => readAtOnce.test(readFileSync(folder + path, "utf8"))).toSorted()).toEqual([])
})
