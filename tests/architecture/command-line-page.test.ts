// Generates the command line pages from the command table. After a change of the table: npx vitest run
// tests/architecture -u

import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { table } from "../../packages/cli/src/commands/index.ts"
import { renderHelp } from "../../packages/cli/src/args/help.ts"

const isEnv = (name: string): boolean => name.startsWith("env ")
const names = table.commands.map(({ name }) => name)
const ofRecords = [
  "report",
  "replay",
  "diff",
  "impact",
  ...names.filter((name) => name.startsWith("baseline ")),
]

const ofDocuments = names.filter((name) => ["generate", "mock", "probe"].includes(name))

const pages = [
  {
    page: "command-line",
    opening: `# Which options do commands have?

Look up the options of a command. [\`callsheet run\`](run-command.md), [\`callsheet env\`](env-commands.md) [commands that read records](record-commands.md) and [those that start from a document](document-commands.md) have their own pages. \`--help\` also explains arguments and shows examples.

All commands have the same [exit codes](running.md#exit-codes). They write only data to standard output. File arguments are relative to the working directory. All take:
`,
    about: [
      "",
      ...names.filter(
        (name) => !isEnv(name) && name !== "run" && ![...ofRecords, ...ofDocuments].includes(name),
      ),
    ],
  },
  {
    page: "run-command",
    opening: `# Which options does callsheet run have?

Run workflows with these options, and those of [\`callsheet\`](command-line.md#callsheet). [Running](running.md) explains what they do.
`,
    about: ["run"],
  },
  {
    page: "record-commands",
    opening: `# Which commands read records?

Render, replay and compare the [records](record.md) of runs, update the [baseline](../guide/baseline.md), or see the [impact](../guide/impact.md) of a changed document. Every command also takes the options of [\`callsheet\`](command-line.md#callsheet).
`,
    about: ofRecords,
  },
  {
    page: "document-commands",
    opening: `# Which commands start from a document?

Serve an OpenAPI document as a [mock](../guide/mock.md). Every command also takes the options of [\`callsheet\`](command-line.md#callsheet).
`,
    about: ofDocuments,
  },
  {
    page: "env-commands",
    opening: `# Which commands manage environments?

Manage environments from a shell. Every command also takes the options of [\`callsheet\`](command-line.md#callsheet).
`,
    about: names.filter(isEnv),
  },
]

it.each(pages)("has a page $page that matches --help", async ({ page, opening, about }) => {
  const sections = about.map(
    (name) => `## ${`callsheet ${name}`.trim()}\n\n\`\`\`text ignore="generated"\n${help(name)}\n\`\`\`\n`,
  )
  const path = fileURLToPath(new URL(`../../docs/reference/${page}.md`, import.meta.url))
  await expect([opening, ...sections].join("\n")).toMatchFileSnapshot(path)
})

/** The help of a command without its arguments, its examples and the common options. For `callsheet`, only the common options. */
function help(about: string): string {
  const text = renderHelp(about, table, (_style, shown) => shown).trimEnd()
  if (about === "") return /^Options\n(?: .*\n)+/m.exec(text)?.[0].trimEnd() ?? ""
  const own = table.commands.find(({ name }) => name === about)?.options() ?? []
  const lines = text.split("\n").filter((line) => !isCommon(line))
  const shown = own.length > 0 ? lines : lines.filter((line) => line !== "Options")
  return shown
    .join("\n")
    .replaceAll(/^(?:Arguments|Examples)\n(?: .*\n?)+/gm, "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trimEnd()
}

const common = [...table.common().map(({ name }) => name), "help", "version"]
const isCommon = (line: string): boolean => common.some((name) => line.startsWith(`  --${name} `))
