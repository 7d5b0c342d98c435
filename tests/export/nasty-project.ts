// A project whose values contain everything that a shell, a script or a document could misread.

import type { Files } from "../harness/callsheet.ts"

export const NASTY_SECRET = `s"$(secret)\\!& {{x}}`

const NASTY = `it's "so" $HOME $(id) \`id\` \\n !! é😀 <>&|;#*?[a]{b} %41 */ \${x} \\{{`

const request = (id: string, instance: string, overrides?: object) => ({
  id,
  type: "request",
  request: { api: "shop", instance, ...(overrides === undefined ? {} : { overrides }) },
})

const saved = (fields: object) => ({ version: 1, method: "POST", path: "/things", ...fields })

export function nastyFiles(baseUrl: string): Files {
  const instances: Record<string, object> = {
    json: saved({
      body: { text: `${NASTY}\n\t`, key: "{{apiKey}}", [NASTY]: [1.5, null, true, "{{item}}"] },
    }),
    text: saved({ bodyType: "text", body: `@${NASTY}\r\n{{apiKey}}\u0001` }),
    form: saved({ bodyType: "form", body: { [NASTY]: NASTY, key: "a {{apiKey}}", list: ["1", "2"] } }),
    empty: saved({ bodyType: "text", body: "" }),
    none: saved({}),
    put: saved({ method: "PUT", path: "/things/{id}", params: { path: { id: "a/b {{apiKey}}?" } } }),
    remove: saved({ method: "DELETE", path: "/things/[1]/{id}", params: { path: { id: "'é\"" } } }),
    file: saved({ bodyType: "file", body: "data/it's.bin" }),
    multipart: saved({
      bodyType: "multipart",
      body: {
        "a\"b'c": NASTY,
        at: "@/etc/passwd",
        key: "{{apiKey}}",
        json: { n: 1 },
        file: { file: "data/it's.bin", filename: `x";y'.bin`, contentType: "image/png" },
      },
    }),
    headers: saved({
      method: "GET",
      params: {
        header: {
          "X-Quote": `it's "é" $HOME \`id\` !`,
          "X-Empty": "",
          "X-Key": "k {{apiKey}}",
          "X-List": "a, b",
        },
        query: { q: NASTY, key: "{{apiKey}}", "a b&c": "" },
        cookie: { sid: "a$b!c" },
      },
    }),
  }
  const files = Object.entries(instances).map(([name, content]) => [
    `apis/shop/requests/things/${name}.json`,
    content,
  ])
  const blocks = Object.keys(instances).map((name) => request(name, name))
  const later = "{{json.response.body.id}}"
  return {
    "apis/shop/environments/schema.json": {
      version: 1,
      variables: {
        baseUrl: { type: "string", required: true },
        apiKey: { type: "string", required: true, secret: true },
        item: { type: "string", required: false, default: NASTY },
      },
    },
    "apis/shop/environments/local.json": { baseUrl },
    "apis/shop/environments/local.secrets.env": `apiKey='${NASTY_SECRET}'\n`,
    "data/it's.bin": new Uint8Array([0, 255, 10, 13, 39, 34, 36, 0]),
    ...Object.fromEntries(files),
    "apis/workflow/nasty.json": {
      version: 1,
      blocks: [
        ...blocks,
        request("later it's", "put", {
          params: { path: { id: `x${later}` }, header: { "X-Later": later } },
          body: { n: later, s: `<${later}>` },
        }),
      ],
    },
  }
}
