// What has no translation. Each part of the translation throws it, and the reader of the script catches it.

/** A part of a script that can't be translated. The message names it for people. */
export class Untranslatable extends Error {}

export const refuse = (what: string): never => {
  throw new Untranslatable(what)
}
