// The name of the command in lines that users copy.

/** Returns `npx callsheet` if npm started it: it sets the variable. The command may then not be on the path. */
export const ownName = (environment: Readonly<Record<string, string | undefined>>): string =>
  environment["npm_command"] === undefined ? "callsheet" : "npx callsheet"
