// The reasons why a rename is refused, and the sentences about places that it doesn't change.

import { defineMessages, quote } from "@callsheet/format"

export const messages = defineMessages(() => ({
  usage: {
    nothing: () => ({ message: "nothing here has a name that callsheet can change" }),
    conventional: (name: string, meaning: string) => ({
      message: `${quote(name)} is ${meaning}, so a rename would change what it does`,
      hint: "declare another variable",
    }),
    api: (name: string) => ({
      message: `the name of the API ${quote(name)} is that of its directory, which an editor can't rename safely`,
      hint: "rename the directory, and run callsheet validate",
    }),
    operation: () => ({
      message: "an operation gets its name in the OpenAPI document",
      hint: "rename it there",
    }),
    exported: () => ({
      message: "a script gives this function its name",
      hint: "rename it in the script, then here",
    }),
    several: (name: string) => ({
      message: `${quote(name)} has several meanings: workflows that send this request differ`,
      hint: "rename it where it gets its name",
    }),
    fileRenames: () => ({
      message: "this editor can't rename files",
      hint: "rename it in the app or by the command",
    }),
    broken: (file: string) => ({
      message: `${quote(file)} is not valid JSON`,
      hint: "correct it first, so that nothing is missed",
    }),
    unknown: (name: string) => ({ message: `${quote(name)} doesn't get its name in this project` }),
    invalid: (name: string, what: string) => ({ message: `${quote(name)} is not a valid name for ${what}` }),
  },
  "id-duplicate": {
    taken: (name: string) => `a block, an input or an iterator is already named ${quote(name)}`,
    suite: (name: string) => `a suite is already named ${quote(name)}`,
  },
}))

export const notes = {
  unchanged: (place: string, name: string): string =>
    `${place}: this may mean ${quote(name)}, but is not changed`,
  list: (to: string, lines: readonly string[]): string =>
    [`Renamed to ${quote(to)}. Check these places:`, ...lines].join("\n"),
}
