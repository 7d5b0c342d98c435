// Messages as tables: what callsheet can say stands together, and every call site names facts.

import type { Finding } from "../problems.ts"

/** The text of a finding: the message alone, or with what belongs to it. */
type MessageText = string | Omit<Finding, "code">

type MessageTable = Readonly<Record<string, Readonly<Record<string, (...facts: never[]) => MessageText>>>>

type Messages<Table extends MessageTable> = {
  readonly [Code in keyof Table & string]: {
    readonly [Name in keyof Table[Code]]: (...facts: Parameters<Table[Code][Name]>) => Finding<Code>
  }
}

/** Makes a table of functions from facts to findings out of one of functions from facts to text, by code. */
export function defineMessages<const Table extends MessageTable>(table: Table): Messages<Table> {
  const ofCode = (code: string) =>
    Object.entries(table[code] ?? {}).map(([name, text]) => [
      name,
      (...facts: never[]) => {
        const said = text(...facts)
        return typeof said === "string" ? { code, message: said } : { code, ...said }
      },
    ])
  const codes = Object.keys(table).map((code) => [code, Object.fromEntries(ofCode(code))])
  // The entries are those of `table`, under their own names.
  return Object.fromEntries(codes) as Messages<Table>
}

/** A text in quotes, as a message shows it: line breaks and control characters are escaped. */
export const quote = (text: string): string => JSON.stringify(text)

/** Quoted texts as a list: `"a", "b" or "c"`. */
export function quoteList(texts: readonly string[], last: "and" | "or"): string {
  const all = texts.map(quote)
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} ${last} ${all.at(-1)}`
}
