// Defines messages as tables, so that each package keeps its wording in one file.

import { ownOf } from "../json/value.ts"
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

/**
 * Converts a table of message functions, by code, to functions that return findings. The table is created for the first
 * message that is needed, because most processes need none, and hundreds of functions take time to create.
 */
export function defineMessages<const Table extends MessageTable>(create: () => Table): Messages<Table> {
  const table = once<MessageTable>(create)
  const message =
    (code: string, name: string) =>
    (...facts: never[]) => {
      const made = ownOf(ownOf(table(), code), name)?.(...facts)
      return typeof made === "object" ? { code, ...made } : { code, message: made }
    }
  // The proxies have the same members as the table.
  return byName((code) => byName((name) => message(code, name))) as Messages<Table>
}

/** Creates an object with a member for every name. */
const byName = (create: (name: string) => unknown): object =>
  new Proxy({}, { get: (_, name) => create(String(name)) })

/** Counts things for a message: `1 block`, `2 blocks`. */
export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`

/** Quotes a string for a message and escapes line breaks and control characters. */
export const quote = (text: string): string => JSON.stringify(text)

/** Quotes and joins strings: `"a", "b" or "c"`. */
export function quoteList(texts: readonly string[], last: "and" | "or"): string {
  const all = texts.map(quote)
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`
}
