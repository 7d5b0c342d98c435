// The documents whose contracts are checked: all documents of the packages, and two variants with features that no
// package has.

import { furtherDocuments, publicDocuments, type PublicDocument } from "../documents.ts"
import { parseDocument, type Raw } from "../raw-document.ts"
import { asVersion32 } from "./as-version-3.2.ts"
import { splitDocument } from "./split-document.ts"

export interface ContractDocument {
  readonly name: string
  readonly origin: string
  readonly extension: "json" | "yaml"
  readonly read: () => ReadContent
}

export interface ReadContent {
  /** The content of the document, as one tree. */
  readonly root: Raw
  /** The text of the document's own file. */
  readonly text: string
  /** The other texts, by their paths relative to the API's directory. */
  readonly others: ReadonlyMap<string, string>
}

const whole = (document: PublicDocument): ContractDocument => ({
  ...document,
  read: () => {
    const text = document.text()
    return { text, root: parseDocument(text, document.extension), others: new Map() }
  },
})

function named(name: string): PublicDocument {
  const found = publicDocuments.find((document) => document.name === name)
  if (found === undefined) throw new Error(`the document ${name} does not exist`)
  return found
}

/** For 3.2, npm had no document in November 2026. */
function version32(document: PublicDocument): ContractDocument {
  const { name, origin, extension } = document
  const read = (): ReadContent => {
    const root = asVersion32(parseDocument(document.text(), extension))
    return { root, text: JSON.stringify(root, null, 2), others: new Map() }
  }
  return { name: `${name} (made 3.2)`, origin, extension: "json", read }
}

/** Nor a document that is split into files. */
function inFiles(document: PublicDocument): ContractDocument {
  const { name, origin, extension } = document
  const read = (): ReadContent => {
    const root = parseDocument(document.text(), extension)
    return { root, ...splitDocument(root) }
  }
  return { name: `${name} (split)`, origin, extension: "yaml", read }
}

export const contractDocuments: readonly ContractDocument[] = [
  ...[...publicDocuments, ...furtherDocuments].map(whole),
  version32(named("train-travel")),
  inFiles(named("figma")),
  inFiles(named("petstore-expanded-2.0")),
]
