// Makes docs/reference/command-line.md from the command table. After a change of the table: npx vitest run tests/architecture -u

import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { table } from "../../packages/cli/src/commands/index.ts"
import { renderHelp } from "../../packages/cli/src/help.ts"

const page = fileURLToPath(new URL("../../docs/reference/command-line.md", import.meta.url))

const opening = `# Command line

This page is made from what \`--help\` prints. \`--help\` and \`--version\` work at every level.

Exit codes: 0 all passed; 1 something failed; 2 it could not start, or was misused; 130 interrupted. Data goes to standard
output, everything else to standard error. File arguments are relative to the working directory.
`

it("has a page that prints what --help prints", async () => {
  const sections = ["", ...table.commands.map(({ name }) => name)].map(
    (about) =>
      `## ${about === "" ? "callsheet" : `callsheet ${about}`}\n\n\`\`\`console\n$ ${["callsheet", about, "--help"].filter(Boolean).join(" ")}\n${help(about)}\n\`\`\`\n`,
  )
  await expect([opening, ...sections].join("\n")).toMatchFileSnapshot(page)
})

function help(about: string): string {
  return renderHelp(about, table, (_style, text) => text).trimEnd()
}
