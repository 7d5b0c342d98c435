// How a part of a document is named: by its JSON pointer and, where it stands in another file than the document, that file.

/** A part's file, where it is not the document's own, and its JSON pointer there. */
export interface PartName {
  /** Path from the project root. */
  readonly file?: string
  readonly pointer: string
}

/**
 * One text for both: `/paths/~1orders` in the document itself, `apis/shop/order.yaml#/Order` in another file. What stands
 * inside is named by more steps behind it, and no two parts share a name.
 */
export const namePart = ({ file, pointer }: PartName): string =>
  file === undefined ? pointer : `${file.replaceAll("%", "%25").replaceAll("#", "%23")}#${pointer}`

/** The file and the pointer of a part by its name. */
export function readPartName(name: string): PartName {
  if (isInDocument(name)) return { pointer: name }
  const end = name.indexOf("#")
  const file = name.slice(0, end).replaceAll("%23", "#").replaceAll("%25", "%")
  return { file, pointer: name.slice(end + 1) }
}

/** A part's name as messages show it: `#/paths/~1orders`, `apis/shop/order.yaml#/Order`. */
export const showPart = (name: string): string => (isInDocument(name) ? `#${name}` : name)

/** Whether a part stands in the document's own file: no path from the root begins with a slash. */
const isInDocument = (name: string): boolean => name === "" || name.startsWith("/")
