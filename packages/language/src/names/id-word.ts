// Makes words for ids and names from the names of a document.

/** Returns a word for an id: `createOrder` becomes `create-order`. */
export const idWord = (name: string): string =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "") || "item"
