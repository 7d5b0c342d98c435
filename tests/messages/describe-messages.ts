// One page per package with every message of its table, rendered with sample facts.

import { describe, expect, it } from "vitest"
import { bannedInMessages } from "../harness/banned-words.ts"

type Message = (...facts: never[]) => unknown
type Messages = Readonly<Record<string, Readonly<Record<string, Message>>>>

/**
 * At least one call of every message, by code or by group of reasons. A message without a sample doesn't type-check.
 */
export type Samples<Table extends Messages> = {
  readonly [Code in keyof Table]: {
    readonly [Name in keyof Table[Code]]: readonly [
      Parameters<Table[Code][Name]>,
      ...Parameters<Table[Code][Name]>[],
    ]
  }
}

interface Rendered {
  readonly code?: string
  readonly message: string
  readonly hint?: string
  readonly severity?: string
}

/** Describes the messages of a package. `reasons` are its texts without a code. */
export function describeMessages<Table extends Messages, Reasons extends Messages = Table>(
  owner: string,
  messages: Table,
  samples: NoInfer<Samples<Table & Reasons>>,
  reasons?: Reasons,
): void {
  const rendered = Object.entries<Readonly<Record<string, readonly never[][]>>>(samples).flatMap(
    ([code, named]) =>
      Object.entries(named).flatMap(([name, calls]) =>
        calls.map((facts) => {
          const said = (reasons?.[code] ?? messages[code])?.[name]?.(...facts) as string | Rendered
          return typeof said === "string" ? { message: said } : said
        }),
      ),
  )
  describe(`the messages of ${owner}`, () => {
    it("are the reviewed ones", async () => {
      const page = rendered.map(
        ({ code, message, hint, severity = "error" }: Rendered) =>
          `${code === undefined ? message : `${severity}: ${message} (${code})`}\n${hint === undefined ? "" : `  hint: ${hint}\n`}`,
      )
      await expect(page.join("")).toMatchFileSnapshot(`./${owner}.txt`)
    })

    it("contain no banned words", () => {
      const texts = rendered.flatMap(({ message, hint = "" }: Rendered) => [message, hint])
      expect(texts.filter((text) => bannedInMessages.test(text))).toEqual([])
    })

    it("start in lowercase and end without a period", () => {
      const texts = rendered.flatMap(({ message, hint }: Rendered) =>
        hint === undefined ? [message] : [message, hint],
      )
      expect(texts.filter((text) => /^[A-Z][a-z]+ |[^.…]\.$/.test(text))).toEqual([])
    })
  })
}
