// Numbers with their nouns.

/** `1 block`, `1,200 blocks` */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number.toLocaleString("en")} ${number === 1 ? one : many}`
