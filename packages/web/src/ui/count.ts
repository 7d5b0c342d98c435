// Formats numbers with their nouns.

/** Formats `1 block` or `1,200 blocks`. */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`
