// The script of exported Postman collections that looks at values of responses before Postman sends them. Postman replaces
// `{{name}}` in the value of a variable, too, so a server could learn the values of other variables.

import { js, jsArray, jsString, type Js } from "./export/js-code.ts"

const check = [
  js`// Postman would replace {{ }} in these values of responses by values of other variables.`,
  js`const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value) || "")`,
  js`const unsafe = names.filter((name) => /\{\{|\{$/.test(textOf(pm.collectionVariables.get(name))))`,
  js`for (const name of unsafe) pm.collectionVariables.set(name, "")`,
  js`if (unsafe.length > 0) throw new Error("the response contains {{, which Postman would replace: " + unsafe)`,
]

/** Returns the lines of the script for variables with values of responses. */
export const postmanGuard = (names: readonly string[]): readonly Js[] => [
  js`const names = ${jsArray(names.map(jsString))}`,
  ...check,
]

/** Returns whether a script is this one, which only Postman needs. */
export const isPostmanGuard = (code: string): boolean =>
  /^const names = [^\n]*$/m.exec(code)?.index === 0 && code.slice(code.indexOf("\n") + 1) === check.join("\n")
