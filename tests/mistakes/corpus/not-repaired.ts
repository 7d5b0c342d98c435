// The mistakes whose hint says what was meant although no repair writes it, and why.

const document = "a document is often generated, and may be YAML"
const guess = "only a person knows which response was meant"

export const notRepaired: Readonly<Record<string, string>> = {
  "document part: a place of a parameter in upper case": document,
  "field of another kind: a condition of a group": "the block already has the field",
  "parameter in the wrong place: next to params": "the field belongs in another object",
  "path malformed: JSONPath": guess,
  "schema: a keyword misspelled": document,
  "schema: a type in upper case": document,
  "scripts of no workflow: a leftover directory": "files aren't renamed",
  "undeclared variable: in a secrets file": "a diff would show the value of an undeclared secret",
  "unknown operation: a path similar to a documented one": "the problem of the saved request has it",
}
