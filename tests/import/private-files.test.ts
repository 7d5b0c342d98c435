// A collection may name any file. An import reads only files that the user allows, and never private ones.
// cspell:ignore KDBX tfvars minisign RWRT kubeconfig pypirc pypi

import { generateKeyPairSync } from "node:crypto"
import { link, mkdir, rm, symlink, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { startApi } from "../harness/api-server.ts"
import { callsheet, textsIn } from "../harness/callsheet.ts"
import { folderWith, importInto } from "./import-into.ts"

const CONTENT = "private-content-4711"

const pem = (type: "pkcs1" | "pkcs8") => ({ type, format: "pem" }) as const
const der = (type: "pkcs1" | "pkcs8") => ({ type, format: "der" }) as const
const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 })
const ec = generateKeyPairSync("ec", { namedCurve: "P-256" })
const ed = generateKeyPairSync("ed25519")
const encrypted = { cipher: "aes-256-cbc", passphrase: "x" }
const pkcs8 = rsa.privateKey.export(pem("pkcs8")).toString()

/** Puts a file into a directory with a collection that sends it, and imports the collection. */
async function importNaming(
  path: string,
  { content = CONTENT, words = ["--files", "."] }: { content?: string | Uint8Array; words?: string[] } = {},
) {
  const folder = await folderWith({ "in/cmds.sh": `curl -T '${path}' https://api.example.com/upload\n` })
  const file = join(folder, "in", path.replaceAll("\\", "/"))
  await mkdir(dirname(file), { recursive: true })
  if (!path.includes("\\")) await writeFile(file, content)
  const called = await importInto(folder, ["in/cmds.sh", "--into", "project", ...words])
  return { folder, ...called, copies: called.result?.files.filter((one) => one.includes("/files/")) }
}

it.each<[string, string[]]>([
  ["without --files", []],
  ["if --files names another directory", ["--files", "other"]],
  ["if --files names a directory below", ["--files", "in/data/deeper"]],
])("copies no file %s, and says how to allow it", async (_, words) => {
  const folder = await folderWith({
    "in/cmds.sh": "curl -d @data/a.txt https://api.example.com/upload\n",
    "in/data/a.txt": CONTENT,
    "in/data/deeper/b.txt": "b",
    "other/c.txt": "c",
  })
  const { exitCode, result } = await importInto(folder, ["in/cmds.sh", "--into", "project", ...words])
  expect(exitCode).toBe(1)
  expect(result?.losses).toMatchObject([{ where: "in/cmds.sh:1", what: "file data/a.txt" }])
  expect(result?.losses[0]?.reason).toContain("--files")
  expect(JSON.stringify(await textsIn(`${folder}/project`))).not.toContain(CONTENT)
})

it("copies a file from the allowed directory, and sends it", async () => {
  const api = await startApi({ "*": {} })
  const folder = await folderWith({
    "in/cmds.sh": `curl -T uploads/a.txt ${api.url}/a\ncurl -F f=@b.txt ${api.url}/b\n`,
    "in/uploads/a.txt": "content of a",
    "shared/b.txt": "content of b",
  })
  await symlink("../../shared/b.txt", `${folder}/in/uploads/c.txt`)
  for (const allowed of ["in/uploads", "shared"]) {
    const words = ["in/cmds.sh", "--into", `project-${allowed.at(-1)}`, "--files", allowed]
    const { result } = await importInto(folder, words)
    expect(result?.losses.map(({ what }) => what)).toEqual([
      allowed === "shared" ? "file uploads/a.txt" : "file b.txt",
    ])
  }
  for (const project of ["project-s", "project-d"])
    expect((await callsheet(["run", "--all", "--project", project], { folder })).exitCode).toBe(0)
  await api.close()
  const sent = api.requests.map(({ text }) => text).join()
  expect(sent).toContain("content of a")
  expect(sent).toContain("content of b")
})

it("refuses a directory that doesn't exist", async () => {
  const { exitCode, stderr } = await importNaming("a.txt", { words: ["--files", "nowhere"] })
  expect(exitCode).toBe(2)
  expect(stderr).toContain('"nowhere"')
})

it.each([
  ".ssh/id_rsa",
  ".env",
  "prod.secrets.env",
  "x/../.npmrc",
  "data/../data/a.txt",
  // Variants of other file systems.
  ".ENV",
  "data/.Aws/config",
  "PROD.SECRETS.ENV",
  "ID_ED25519",
  "backup/Id_Rsa",
  "ssh_host_rsa_key",
  "local.env",
  "a.env.production",
  "id_ecdsa_sk. .",
  "_netrc",
  "credentials",
  "client_secret.json",
  "generated-secrets.yaml",
  "Create secret.json/../secrets.json",
  "wallet.KDBX",
  "store.p12",
  "release.keystore",
  "prod.tfvars",
  "a.txt:stream",
  "SSH~1",
  "\u200bid_rsa",
  "．env",
  "data/.git/config",
  String.raw`.ssh\config`,
  String.raw`data\..\.env`,
])("never copies a private name: %s", async (path) => {
  const { exitCode, copies, result, folder } = await importNaming(path)
  expect([exitCode, copies]).toEqual([1, []])
  expect(result?.losses).toMatchObject([{ what: `file ${path}` }])
  expect(JSON.stringify(await textsIn(`${folder}/project`))).not.toContain(CONTENT)
})

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")

it.each<[string, string | Uint8Array]>([
  ["a PKCS#8 key", pkcs8],
  ["a PKCS#1 key", rsa.privateKey.export(pem("pkcs1"))],
  ["an encrypted key", rsa.privateKey.export({ ...pem("pkcs8"), ...encrypted })],
  ["an EC key", ec.privateKey.export({ type: "sec1", format: "pem" })],
  ["a key after other text", `${"x".repeat(100_000)}\n${pkcs8}`],
  ["a key in JSON", JSON.stringify({ type: "x", key: pkcs8 })],
  ["a key in Base64", `data: ${Buffer.from(pkcs8).toString("base64")}`],
  ["a key in UTF-16", utf16(pkcs8)],
  ["an OpenSSH key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"],
  ["a PGP key", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nAAAA\n"],
  ["a PuTTY key", "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n"],
  ["an age key", "# created: today\nAGE-SECRET-KEY-1QQQQQQQQQQ\n"],
  ["a minisign key", "untrusted comment: minisign encrypted secret key\nRWRT\n"],
  ["a PKCS#8 key in DER", rsa.privateKey.export(der("pkcs8"))],
  ["a PKCS#1 key in DER", rsa.privateKey.export(der("pkcs1"))],
  ["an Ed25519 key in DER", ed.privateKey.export(der("pkcs8"))],
  ["an encrypted key in DER", rsa.privateKey.export({ ...der("pkcs8"), ...encrypted })],
  ["an EC key in DER", ec.privateKey.export({ type: "sec1", format: "der" })],
  ["a PKCS#12 file", Buffer.from("308209a102010330820967 06092a864886f70d010701".replace(" ", ""), "hex")],
  ["a Java key store", Buffer.from("feedfeed00000002", "hex")],
  ["a secret OpenPGP packet", Buffer.from("9503c60462aabbcc01", "hex")],
  ["a JWK", JSON.stringify({ ...rsa.privateKey.export({ format: "jwk" }) })],
  ["a kubeconfig", "apiVersion: v1\nkind: Config\nusers: []\n"],
  ["AWS credentials", "[default]\naws_access_key_id = A\naws_secret_access_key = B\n"],
  ["a netrc", "machine example.com login ada password x\n"],
  ["an npmrc", "//registry.npmjs.org/:_authToken=abc\n"],
  ["a pypirc", "[pypi]\nusername = __token__\npassword = x\n"],
  ["stored Git credentials", "https://ada:word@github.com\n"],
  ["Docker logins", JSON.stringify({ auths: { "r.example": { auth: "x" } } })],
  ["a service account", JSON.stringify({ type: "service_account" })],
  ["environment variables", "# local\nPORT=80\nexport API_TOKEN=abc\n"],
  ["a token of GitHub", `token ghp_${"a".repeat(36)}`],
])("never copies what an innocent name hides: %s", async (_, content) => {
  const { exitCode, copies, result } = await importNaming("data/picture.png", { content })
  expect([exitCode, copies]).toEqual([1, []])
  expect(result?.losses).toMatchObject([{ what: "file data/picture.png" }])
})

it.each<[string, string | Uint8Array]>([
  ["a public key", rsa.publicKey.export({ type: "spki", format: "pem" })],
  ["a public key in DER", rsa.publicKey.export({ type: "spki", format: "der" })],
  ["an image", Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")],
  ["JSON with a password", JSON.stringify({ user: "ada", password: "x", kind: "Order" })],
  ["a form", "name=ada&password=x"],
  ["a table", "time,id\n10:20:30,4\n"],
])("copies an ordinary file: %s", async (_, content) => {
  const { exitCode, copies } = await importNaming("data/a.bin", { content })
  expect([exitCode, copies?.length]).toEqual([0, 1])
})

it("never copies through a link to a private file, a directory, or a file outside", async () => {
  const named = ["link", "hard", "folder", "out", "dir", "alias/id_rsa"]
  const folder = await folderWith({
    "in/cmds.sh": named.map((name) => `curl -T ${name} https://api.example.com/${name}\n`).join(""),
    "in/.env": `PORT=1\nTOKEN=${CONTENT}\n`,
    "in/.ssh/id_rsa": CONTENT,
    "outside.txt": CONTENT,
    "in/dir/a.txt": "a",
  })
  await symlink(".env", `${folder}/in/link`)
  await link(`${folder}/in/.env`, `${folder}/in/hard`)
  await symlink("dir", `${folder}/in/folder`)
  await symlink("../outside.txt", `${folder}/in/out`)
  await symlink(".ssh", `${folder}/in/alias`)
  const { result } = await importInto(folder, ["in/cmds.sh", "--into", "project", "--files", "in"])
  expect(result?.losses.map(({ what }) => what)).toEqual(named.map((name) => `file ${name}`))
  expect(JSON.stringify(await textsIn(`${folder}/project`))).not.toContain(CONTENT)
  // The directory that the user allows may be private, too.
  await rm(`${folder}/project`, { recursive: true })
  await writeFile(`${folder}/in/cmds.sh`, "curl -T config https://api.example.com/\n")
  await writeFile(`${folder}/in/.ssh/config`, CONTENT)
  await importInto(folder, ["in/cmds.sh", "--into", "project", "--files", "in/.ssh"])
  expect(JSON.stringify(await textsIn(`${folder}/project`))).not.toContain(CONTENT)
})

const body = (src: string) => ({
  name: "A",
  request: { method: "POST", url: "https://a.example", body: src },
})

it.each<[string, Record<string, unknown>, string]>([
  [
    "Postman's body",
    { info: { name: "P" }, item: [body({ mode: "file", file: { src: ".env" } } as never)] },
    ".env",
  ],
  [
    "Postman's form",
    {
      info: { name: "P" },
      item: [
        body({ mode: "formdata", formdata: [{ key: "f", type: "file", src: ["a.secrets.env"] }] } as never),
      ],
    },
    "a.secrets.env",
  ],
  [
    "Insomnia's body",
    {
      type: "collection.insomnia.rest/5.0",
      name: "I",
      collection: [
        {
          name: "A",
          method: "POST",
          url: "https://a.example",
          body: { mimeType: "application/pdf", fileName: ".npmrc" },
        },
      ],
    },
    ".npmrc",
  ],
])("applies to %s", async (_, source, file) => {
  const folder = await folderWith({ "shop.json": source, [file]: `content ${CONTENT}` })
  const { result } = await importInto(folder, ["shop.json", "--into", "p", "--files", "."])
  expect(result?.losses).toMatchObject([{ what: `file ${file}` }])
  expect(JSON.stringify(await textsIn(`${folder}/p`))).not.toContain(CONTENT)
})

it("reads nothing for curl options whose files configure curl", async () => {
  const options = ["-K", "-b", "--cert", "--key", "--netrc-file", "-H @", "--variable v@"]
  const folder = await folderWith({
    "cmds.sh": options
      .map((option) => `curl ${option.endsWith("@") ? option : `${option} `}private.txt https://a.example\n`)
      .join(""),
    "private.txt": `url = https://${CONTENT}.example\n`,
  })
  const { result, stdout } = await importInto(folder, ["cmds.sh", "--into", "p", "--files", "."])
  expect(result?.losses.length).toBeGreaterThanOrEqual(options.length)
  expect(stdout + JSON.stringify(await textsIn(`${folder}/p`))).not.toContain(CONTENT)
})

const document = (reference: string) => ({
  openapi: "3.1.0",
  info: { title: "T", version: "1" },
  paths: { "/a": { get: { operationId: "a", responses: {} } } },
  components: { schemas: { A: { $ref: reference } } },
})

it.each([
  [".config/settings.json", `{"a": "${CONTENT}"}`],
  ["client_secret.json", `{"a": "${CONTENT}"}`],
  ["parts/.hidden.yaml", `a: ${CONTENT}`],
  ["parts/kube.yaml", `kind: Config\nusers: [${CONTENT}]`],
  ["linked.json", `{"a": "${CONTENT}"}`],
  ["service.json", JSON.stringify({ type: "service_account", x: CONTENT })],
  [".env", `a: ${CONTENT}`],
])("embeds no private file that a document refers to: %s", async (reference, content) => {
  const folder = await folderWith({
    "docs/openapi.json": document(reference),
    "flow.json": {
      arazzo: "1.0.1",
      info: { title: "F" },
      sourceDescriptions: [{ name: "t", url: "docs/openapi.json", type: "openapi" }],
      workflows: [{ workflowId: "w", steps: [{ stepId: "s", operationId: "a" }] }],
    },
  })
  const file = join(folder, "docs", reference)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(reference === "linked.json" ? join(folder, "docs/.secret.json") : file, content)
  if (reference === "linked.json") await symlink(".secret.json", file)
  for (const words of [
    ["docs/openapi.json"],
    ["flow.json"],
    ["flow.json", "--document", "docs/openapi.json"],
  ]) {
    const { exitCode, stdout, stderr } = await importInto(folder, [...words, "--into", "p"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain(reference)
    expect(stdout + stderr + JSON.stringify(await textsIn(`${folder}/p`).catch(() => ""))).not.toContain(
      CONTENT,
    )
  }
})

it.each(["generateTwoFactorSecret.yaml", "Create secret.json", "list_secrets.yml"])(
  "embeds a part of a document that is named after an action: %s",
  async (reference) => {
    const folder = await folderWith({
      "docs/openapi.json": document(encodeURI(reference)),
      [`docs/${reference}`]: '{"type": "string"}',
    })
    const { exitCode, stderr } = await importInto(folder, ["docs/openapi.json", "--into", "p"])
    expect([exitCode, stderr]).toEqual([0, ""])
  },
)

it.each([".hidden/openapi.json", "docs/../openapi.json/../.x.json"])(
  "reads no document that Arazzo names at a private path: %s",
  async (url) => {
    const folder = await folderWith({
      "flow.json": {
        arazzo: "1.0.1",
        info: { title: "F" },
        sourceDescriptions: [{ name: "t", url, type: "openapi" }],
        workflows: [{ workflowId: "w", steps: [{ stepId: "s", operationId: "a" }] }],
      },
      ".hidden/openapi.json": document("#/paths"),
      ".x.json": document("#/paths"),
    })
    const { result } = await importInto(folder, ["flow.json", "--into", "p"])
    expect(result).toMatchObject({ operations: 0, losses: [{ where: "flow.json: w / s" }] })
  },
)

it("reads no private file through a link in a collection's directory", async () => {
  const folder = await folderWith({
    "c/bruno.json": { version: "1", name: "C", type: "collection" },
    "c/.private/a.bru": `meta {\n  name: ${CONTENT}\n  type: http\n}\nget {\n  url: https://${CONTENT}.example\n}\n`,
  })
  await symlink(".private/a.bru", `${folder}/c/b.bru`)
  const { result } = await importInto(folder, ["c", "--into", "p"])
  expect(result?.losses).toMatchObject([{ where: "c", what: "file b.bru" }])
  expect(JSON.stringify(await textsIn(`${folder}/p`))).not.toContain(CONTENT)
})
