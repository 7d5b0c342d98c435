// Checks that each line of `--help` is one imperative sentence.

import { describe, expect, it } from "vitest"
import { table } from "../../packages/cli/src/commands/index.ts"

const rows = [
  ...table.commands.flatMap((row) => [row, ...row.arguments, ...row.options()]),
  ...table.common(),
]
const lines = [...rows.map(({ summary }) => summary), ...Object.values(table.groups)]

describe("the lines of --help", () => {
  it("have at most ten words and end with a period", () => {
    expect(lines.filter((line) => line.split(/\s+/).length > 10 || !line.endsWith("."))).toEqual([])
  })

  it("start with a verb, not with a noun or a condition", () => {
    expect(
      lines.filter((line) => !/^[A-Z]/.test(line) || /^(An?|The|How|What|Where|With|For|\w+s) /.test(line)),
    ).toEqual([])
  })
})
