// The messages of a script process, by code. Imports nothing, because loading would delay every call.

const quote = (text: string): string => JSON.stringify(text)

export const childMessages = {
  "script-error": {
    notFunction: (exportName: string, received: string | undefined) =>
      received === undefined
        ? `the script has no export ${quote(exportName)}; expected a function`
        : `the script exports ${received} as ${quote(exportName)}; expected a function`,
    contextEnded: () => "the block has ended: its context can no longer be used",
    wrongText: (name: string, received: string) => `ctx.${name} expects a string, received ${received}`,
    wrongSecret: (received: string) =>
      `ctx.secret expects a non-empty string, a number or a bigint, received ${received}`,
    longSecret: (limit: number, received: number) =>
      `ctx.secret expects at most ${limit} characters, received ${received}`,
    wrongSleep: (received: string) => `ctx.sleep expects a number of milliseconds, received ${received}`,
    shutOut: (what: "the network" | "processes") => `a script can't use ${what} in a replay`,
    expectsPromise: () => "ctx.expect received a promise; await it first",
    wrongValue: (name: string, received: string) => `${name} expects JSON values, received ${received}`,
    wrongArgument: (check: string, expected: string, received: string) =>
      `${check} expects ${expected}, received ${received === "" ? "nothing" : received}`,
    noText: (received: string) => `the value is ${received}, not a string`,
    unchecked: (text: string) =>
      `ctx.expect(${text}) is not followed by a check, such as .toEqual(…), so it checks nothing`,
    assertion: () => "the assertion failed",
    untranslated: () => "the script is not translated yet",
    timeOver: () => "the script exceeded its time limit",
    cancelled: () => "the run was canceled",
    threw: (value: string) => `the script threw ${value}`,
    threwUnreadable: (name: string) => `the script threw an ${name} whose message can't be read`,
    threwEmpty: (name: string) => `the script threw an ${name} without a message`,
    unhandled: (error: string) => `unhandled promise rejection: ${error}`,
    /** Follows Node's message. */
    notInstalled: (name: string) => `: the package is not installed. Run \`npm install ${name}\``,
    noAlias: () =>
      `. If it is an alias, add it to "paths" in the nearest tsconfig.json, or in a project that it references`,
    nestedSource: () => "the script is too deeply nested to compile",
  },
  "script-result": {
    wrongResult: (received: string, expected: "true or false" | "a plain object") =>
      `the script returned ${received}; expected ${expected}`,
    wrongOutput: (received: string, path: string | undefined) =>
      `the script returned ${received}${path === undefined ? "" : ` at ${path}`}; expected JSON values${received === "a promise" ? ", so await it first" : ""}`,
  },
  log: {
    leftRunning: (resources: readonly string[]) =>
      `callsheet: stopped work that was still running when the script ended (${resources.join(", ")})`,
  },
} as const
