// The example of a pull request says what the commands print.

import { cpSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet } from "../harness/callsheet.ts"
import { createTestFolder, git } from "./git-project.ts"

const example = fileURLToPath(new URL("../../examples/pull-request", import.meta.url))
const textOf = (file: string): string => readFileSync(join(example, file), "utf8")

/** Creates the repository of the example, with the changes of the pull request. */
async function proposed(): Promise<string> {
  const folder = await createTestFolder({})
  cpSync(example, folder, { recursive: true })
  git(folder, "init", "--quiet", "--initial-branch=main")
  git(folder, "add", "apis", ".github")
  git(folder, "commit", "--quiet", "--message", "The shop")
  cpSync(join(example, "proposed"), folder, { recursive: true })
  return folder
}

describe("examples/pull-request", () => {
  it("prints what its README says", async () => {
    const folder = await proposed()
    const outputs = [...textOf("README.md").matchAll(/```text[^\n]*\n([^]*?)```/g)].map(([, text]) => text)
    const impact = await callsheet(["impact", "--against", "main"], { folder })
    expect(impact).toMatchObject({ exitCode: 1, stdout: outputs[0] })
    const list = await callsheet(["run", "--changed-since", "main", "--list"], { folder })
    expect(list).toMatchObject({ exitCode: 0, stdout: outputs[1] })
  })

  it("runs the steps of its CI, which annotate the pull request", async () => {
    const folder = await proposed()
    const steps = [...textOf(".github/workflows/api.yml").matchAll(/npx callsheet (.*)/g)].map(
      ([, words = ""]) =>
        words
          .replace(/ >> .*/, "")
          .replaceAll(/origin\/\$\{\{ github\.base_ref \}\}/g, "main")
          .split(" "),
    )
    const api = await startApi({
      "POST /orders": { status: 400, body: { message: "currency is missing" } },
      "*": { body: {} },
    })
    const env = { CALLSHEET_VAR__SHOP__BASE_URL: api.url }
    const codes: (number | undefined)[] = []
    let output = ""
    for (const words of steps) {
      const { exitCode, stdout } = await callsheet(words, { folder, env })
      codes.push(exitCode)
      output += stdout
    }
    await api.close()
    expect(codes).toEqual([0, 1, 0, 1])
    expect(output).toContain(
      "::error file=apis/workflow/order.json,line=10,col=22,title=impact%3A property-added::shop",
    )
    expect(output).toContain("| shop POST /orders | the property")
    expect(output).toContain("::error file=apis/workflow/order.json,line=8,col=18,title=order%3A create::")
    expect(api.requests.map(({ path }) => path)).toEqual(["/orders"])
  })
})
