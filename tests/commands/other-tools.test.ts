// People who come from other tools learn what to write instead.

import { rm } from "node:fs/promises"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { callsheet, createFolder } from "../harness/callsheet.ts"

const smoke = { version: 1, blocks: [{ id: "a", type: "group", blocks: [] }] }

let folder = ""
beforeAll(async () => {
  folder = await createFolder({
    "apis/workflow/smoke.json": smoke,
    "callsheet.json": {
      version: 1,
      suites: {
        nightly: { workflows: ["smoke"] },
        weekly: { workflows: ["nightly"] },
        monthly: { before: [{ workflow: "nightly" }], workflows: ["smoke"] },
      },
    },
    "exported/.keep": "",
    "report.json": { runs: [] },
    "list.curl": "curl http://127.0.0.1:1/orders\n",
  })
})
afterAll(() => rm(folder, { recursive: true }))

async function refusal(words: string) {
  const { exitCode, stderr } = await callsheet(words.split(" "), { folder })
  expect(exitCode).toBe(2)
  return stderr.trimEnd().split("\n  hint: ")
}

describe("an option of another tool", () => {
  it.each([
    ["-e local", "write --env <environment>"],
    ["--environment=local", "write --env <environment>"],
    ["-d rows.csv", "write --data <file>"],
    ["-n 5", "write --repeat <number>"],
    ["-r junit", "write --reporter <name> or --reporter <name>=<file> once per reporter"],
    ["-k", 'set "tls": { "verify": false } in the environment\'s file'],
    ["--insecure", 'set "tls": { "verify": false } in the environment\'s file'],
    ["--env-var a=b", "write --var <api>.<name>=<value>"],
    ["--cacert ca.pem", "set NODE_EXTRA_CA_CERTS=<file> to trust a certificate authority"],
    ["--report-html out.html", "write --reporter html=<file>"],
  ])("%s names callsheet's", async (option, hint) => {
    const [message = "", found] = await refusal(`run smoke ${option}`)
    expect(message).toMatch(/^unknown option "-/)
    expect(found).toBe(hint)
  })

  it("gets a hint only where callsheet has its own", async () => {
    expect((await refusal("list -e local"))[1]).toBe("see callsheet list --help")
    expect((await refusal("run smoke -z"))[1]).toBe("see callsheet run --help")
  })

  it("of several reporters is to be repeated", async () => {
    expect(await refusal("run smoke --reporter junit,html")).toEqual([
      'unknown reporter "junit,html" (usage)',
      "repeat the option: --reporter junit=<file> --reporter html=<file>",
    ])
  })
})

describe("a command of another tool", () => {
  it.each([
    ["smoke", "to run a workflow: callsheet run smoke; for all commands: callsheet --help"],
    ["smoke!", "see callsheet --help"],
    ["test", "write callsheet run"],
    ["lint", "write callsheet validate"],
    ["rnu", 'did you mean "run"?'],
    ["env set shop local", "write callsheet env write"],
    ["list environments", "write callsheet env list"],
    ["env show shop local", "write callsheet env read"],
    ["env rm shop local", "write callsheet env delete"],
  ])("%s", async (words, hint) => {
    expect((await refusal(words))[1]).toBe(hint)
  })
})

describe("a suite in place of a workflow", () => {
  it("is run by --suite", async () => {
    expect(await refusal("run nightly")).toEqual([
      '"nightly" is a suite, not a workflow (workflow-unknown)',
      "run it as a suite: callsheet run --suite nightly",
    ])
  })

  it.each(["weekly", "monthly"])("can't be an entry of a suite (%s)", async (suite) => {
    const [message = "", hint] = await refusal(`run --suite ${suite}`)
    expect(message).toMatch(
      /^callsheet\.json:\d+:\d+: "nightly" is a suite; a suite can contain only workflows/,
    )
    expect(hint).toBe('list the workflows of "nightly" here, or use a pattern such as "browse-*"')
  })
})

describe("a file of another kind", () => {
  it.each([
    ["import https://user:pass@shop.example/openapi.json"],
    ["import HTTP://shop.example/c.json --dry-run"],
    ["import file:///tmp/c.json"],
    ["import list.curl --document https://shop.example/openapi.json"],
  ])("%s says that a URL must be downloaded first", async (words) => {
    expect(await refusal(words)).toEqual([
      "callsheet imports files, not URLs (import-source)",
      "download the file first, for example with curl -LO <url>, then import it",
    ])
  })

  it.each(["report report.json", "replay report.json", "diff report.json report.json"])(
    "%s says how to record a run",
    async (words) => {
      expect(await refusal(words)).toEqual([
        '"report.json" is not a record of callsheet run --record (record-invalid)',
        "record a run: callsheet run <workflow> --record run.callsheet",
      ])
    },
  )

  it.each(["exported", "exported/"])("is not overwritten if it is the directory %s", async (output) => {
    for (const force of ["", " --force"])
      expect(await refusal(`export smoke --to curl --output ${output}${force}`)).toEqual([
        `"${output}" is a directory; --output takes the name of a file (file-exists)`,
        "for example, --output exported/<file>",
      ])
  })
})
