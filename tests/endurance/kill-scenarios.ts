// The changes that are killed: the initial project, and the command.

import type { Files } from "../harness/callsheet.ts"

export interface Scenario {
  readonly name: string
  readonly files: Files
  readonly words: readonly string[]
}

/** Texts that are only in secrets files. None is part of another. */
export const secretTexts = ["first-known-0", "n3w-kept-away", "child-hidden"] as const

const [oldSecret, newSecret, childSecret] = secretTexts

const folder = "apis/shop/environments"

/** Another command writes to this file after each kill. */
export const SPARE_FILE = `${folder}/spare.json`
export const spareWords = ["env", "write", "shop", "spare", "note=afterwards"] as const

const ignored = { ".gitignore": "node_modules/\n*.secrets.env\n" }

const declarations = {
  note: { type: "string", required: false },
  count: { type: "number", required: false },
  apiKey: { type: "string", required: false, secret: true },
  token: { type: "string", required: false, secret: true },
}

const bare: Files = {
  "README.md": "not ours\n",
  [SPARE_FILE]: { note: "before" },
  [`${folder}/schema.json`]: { version: 1, variables: declarations },
  [`${folder}/base.json`]: { note: "from the base" },
  [`${folder}/local.json`]: '{\r\n\t"extends": "base",\r\n\t"note": "old"\r\n}',
}

const usual: Files = {
  ...bare,
  ...ignored,
  [`${folder}/local.secrets.env`]: `# a comment\nexport apiKey='${oldSecret}' # another\n`,
}

const children: Files = Object.fromEntries(
  Array.from({ length: 30 }, (_, at) => `child-${at}`).flatMap((name, at) => [
    [`${folder}/${name}.json`, { note: `of ${name}`, extends: "base", count: at }],
    [`${folder}/${name}.secrets.env`, `token=${childSecret}-${at}\n`],
  ]),
)

export const scenarios: readonly Scenario[] = [
  { name: "write, a value", files: usual, words: ["env", "write", "shop", "local", "note=new"] },
  {
    name: "write, a secret",
    files: usual,
    words: ["env", "write", "shop", "local", `apiKey=${newSecret}`],
  },
  {
    name: "write, both",
    files: usual,
    words: ["env", "write", "shop", "local", "note=new", `apiKey=${newSecret}`, `token=${newSecret}`],
  },
  {
    name: "write, a new environment",
    files: usual,
    words: ["env", "write", "shop", "fresh", "--extends", "local", "count=1", `token=${newSecret}`],
  },
  {
    name: "write, the first secret",
    files: bare,
    words: ["env", "write", "shop", "local", `apiKey=${newSecret}`],
  },
  {
    name: "write, a secret out of a value file",
    files: { ...usual, [`${folder}/base.json`]: { note: "from the base", token: "committed" } },
    words: ["env", "write", "shop", "base", `token=${newSecret}`],
  },
  {
    name: "rename, 30 children",
    files: { ...usual, ...children, [`${folder}/base.secrets.env`]: `token=${oldSecret}\n` },
    words: ["env", "rename", "shop", "base", "core"],
  },
  { name: "delete", files: usual, words: ["env", "delete", "shop", "local"] },
]
