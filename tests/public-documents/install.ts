// Installs the documents: small packages by npm, and single files from the tarballs of large ones. Once, until the list
// changes.

import { createHash } from "node:crypto"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gunzipSync } from "node:zlib"
import { installOnce } from "../harness/install-once.ts"
import { archives, extractedFile, folder, type Archive } from "./documents.ts"
import { runNpm } from "../harness/run-npm.ts"
import { readTarball } from "./read-tarball.ts"

export default function installDocuments(): Promise<void> {
  const prepare = async (): Promise<void> => {
    for (const archive of archives) await extractDocuments(archive)
  }
  return installOnce(folder, { list: JSON.stringify(archives), prepare })
}

async function extractDocuments(archive: Archive): Promise<void> {
  const { name, version, integrity } = archive
  const packed = mkdtempSync(join(tmpdir(), "callsheet-documents-"))
  try {
    await runNpm(folder, ["pack", `${name}@${version}`, "--pack-destination", packed])
    const tarball = readFileSync(join(packed, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`))
    const found = `sha512-${createHash("sha512").update(tarball).digest("base64")}`
    if (found !== integrity) throw new Error(`${name}@${version} is not the tarball that documents.ts names`)
    extractFrom(tarball, archive)
  } finally {
    rmSync(packed, { recursive: true, force: true })
  }
}

function extractFrom(tarball: Buffer, { name, version, files }: Archive): void {
  const paths = Object.values(files).map((path) => `package/${path}`)
  const contents = readTarball(tarball, new Set(paths))
  for (const [document, path] of Object.entries(files)) {
    const content = contents.get(`package/${path}`)
    if (content === undefined) throw new Error(`${name}@${version} has no ${path}`)
    const file = extractedFile(document, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, path.endsWith(".gz") ? gunzipSync(content) : content)
  }
}
