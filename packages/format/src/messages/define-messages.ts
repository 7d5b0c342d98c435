// Defines messages as tables, so that each package keeps its wording in one file.

import { once } from "../memo.ts"
import type { Finding } from "../problems.ts"

/** The message of a finding, alone or with a hint and other properties. */
type MessageText = string | Omit<Finding, "code">

type MessageTable = Readonly<Record<string, Readonly<Record<string, (...facts: never[]) => MessageText>>>>

type Messages<Table extends MessageTable> = {
  readonly [Code in keyof Table & string]: {
    readonly [Name in keyof Table[Code]]: (...facts: Parameters<Table[Code][Name]>) => Finding<Code>
  }
}

/** Converts a table of message functions, by code, to functions that return findings. */
export function defineMessages<const Table extends MessageTable>(table: Table): Messages<Table> {
  const ofCode = (code: string) =>
    Object.fromEntries(
      Object.entries(table[code] ?? {}).map(([name, text]) => [
        name,
        (...facts: never[]) => {
          const made = text(...facts)
          return typeof made === "string" ? { code, message: made } : { code, ...made }
        },
      ]),
    )
  const messages = {}
  // A run uses few codes, so each is converted on first use.
  for (const code of Object.keys(table))
    Object.defineProperty(messages, code, { get: once(() => ofCode(code)), enumerable: true })
  // `messages` has the same keys as `table`.
  return messages as Messages<Table>
}

/** Quotes a string for a message and escapes line breaks and control characters. */
export const quote = (text: string): string => JSON.stringify(text)

/** Quotes and joins strings: `"a", "b" or "c"`. */
export function quoteList(texts: readonly string[], last: "and" | "or"): string {
  const all = texts.map(quote)
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`
}
