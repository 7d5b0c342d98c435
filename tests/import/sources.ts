// One collection in each format that has variables: GET requests to URLs, with the values of variables.

import type { Files } from "../harness/callsheet.ts"

export type Values = Readonly<Record<string, string>>

export interface Source {
  readonly files: (urls: readonly string[], values: Values) => Files
  readonly words: readonly string[]
  /** The workflow. */
  readonly name: string
  /** Writes a variable. */
  readonly variable?: (name: string) => string
}

export const postman = (requests: readonly object[], values: Values) => ({
  info: { name: "shop" },
  variable: Object.entries(values).map(([key, value]) => ({ key, value })),
  item: requests.map((request, at) => ({ name: `r${at}`, request: { method: "GET", ...request } })),
})

/** Splits a URL into the parts of Postman's object form, as Postman does. */
function partsOf(url: string) {
  const [, protocol, host = "", port, path, query = ""] =
    /^(?:(.*?):\/\/)?(.*?)(?::([^:/]*))?(?:\/([^?]*))?(?:\?(.*))?$/s.exec(url) ?? []
  return {
    raw: url,
    host: host.split("."),
    ...(path === undefined ? {} : { path: path.split("/") }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(port === undefined ? {} : { port }),
    ...(query === ""
      ? {}
      : {
          query: query.split("&").map((pair) => {
            const [key = "", value] = pair.split("=")
            return { key, value: value ?? null }
          }),
        }),
  }
}

export const sources: Readonly<Record<string, Source>> = {
  "Postman's text form": {
    files: (urls, values) => ({
      "shop.json": postman(
        urls.map((url) => ({ url })),
        values,
      ),
    }),
    words: ["shop.json"],
    name: "shop",
  },
  "Postman's object form": {
    files: (urls, values) => ({
      "shop.json": postman(
        urls.map((url) => ({ url: partsOf(url) })),
        values,
      ),
    }),
    words: ["shop.json"],
    name: "shop",
  },
  "Bruno's .bru": {
    files: (urls, values) => ({
      "c/bruno.json": { version: "1", name: "shop", type: "collection" },
      "c/environments/default.bru": `vars {\n${Object.entries(values)
        .map(([name, value]) => `  ${name}: ${value}\n`)
        .join("")}}\n`,
      ...Object.fromEntries(
        urls.map((url, at) => [
          `c/r${at}.bru`,
          `meta {\n  name: r${at}\n  seq: ${at + 1}\n}\nget {\n  url: ${url}\n}\n`,
        ]),
      ),
    }),
    words: ["c"],
    name: "shop",
  },
  "Bruno's YAML": {
    files: (urls, values) => ({
      "c.json": {
        opencollection: "1.0.0",
        info: { name: "shop" },
        config: {
          environments: [
            { name: "default", variables: Object.entries(values).map(([name, value]) => ({ name, value })) },
          ],
        },
        items: urls.map((url, at) => ({
          info: { name: `r${at}`, type: "http" },
          http: { method: "GET", url },
        })),
      },
    }),
    words: ["c.json"],
    name: "shop",
  },
  Insomnia: {
    files: (urls, values) => ({
      "c.json": {
        type: "collection.insomnia.rest/5.0",
        name: "shop",
        environments: { data: values },
        collection: urls.map((url, at) => ({
          name: `r${at}`,
          method: "GET",
          url,
          meta: { sortKey: at },
        })),
      },
    }),
    words: ["c.json"],
    name: "shop",
    variable: (name) => (/^\w+$/.test(name) ? `{{ _.${name} }}` : `{{ _['${name}'] }}`),
  },
  curl: {
    files: (urls, values) => ({
      "shop.sh": [
        ...Object.entries(values).map(([name, value]) => `${name}='${value}'`),
        ...urls.map((url) => `curl "${url}"`),
      ].join("\n"),
    }),
    words: ["shop.sh"],
    name: "shop",
    variable: (name) => `\${${name}}`,
  },
}

/** Writes the variables of a text, which has them in double braces, as the source does. */
export const writtenIn = ({ variable = (name) => `{{${name}}}` }: Source, text: string): string =>
  text.replaceAll(/\{\{([^{}]+)\}\}/g, (_, name: string) => variable(name))
