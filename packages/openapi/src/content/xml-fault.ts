// Decides whether text is well-formed XML 1.0. Reads no DTD and expands no entity of one, because a body can be hostile.

import { SaxesParser } from "saxes"

export interface XmlFault {
  /** Both are 1-based. */
  readonly line: number
  readonly column: number
}

/** Returns where text stops being well-formed XML. Undefined if all of it is. */
export function findXmlFault(text: string): XmlFault | undefined {
  const parser = new SaxesParser()
  const stop = new Error("not well-formed")
  let declaresEntities = false
  parser.on("doctype", () => {
    declaresEntities = true
  })
  parser.on("error", ({ message }) => {
    // A document type can declare entities anywhere, such as in another file.
    if (!declaresEntities || !message.includes("undefined entity")) throw stop
  })
  try {
    parser.write(text).close()
    return undefined
  } catch (error) {
    if (error !== stop) throw error
    return { line: parser.line, column: parser.columnIndex + 1 }
  }
}
