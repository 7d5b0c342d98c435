// Copies the sample project.

import { chmod, cp, mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { CallsheetError } from "@callsheet/format"
import { findExample } from "../find-example.ts"

/**
 * Copies the sample project into a folder, which is made where there is none.
 *
 * Throws a `CallsheetError` (`usage`) where the folder holds anything already.
 */
export async function copySampleProject(folder: string): Promise<void> {
  await requireEmpty(folder)
  await mkdir(folder, { recursive: true })
  await cp(await findExample("shop"), folder, { recursive: true })
  await protectSecrets(folder)
}

async function requireEmpty(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return []
    const reason =
      error.code === "ENOTDIR" ? "is not a folder" : `cannot be read (${error.code ?? "unknown"})`
    throw new CallsheetError("usage", `${folder} ${reason}`, { hint: "name a folder that is new" })
  })
  if (entries.length === 0) return
  throw new CallsheetError("usage", `${folder} is not empty`, { hint: "name a folder that is new or empty" })
}

/** Does what the first secret that is written does: git ignores the files, and other users cannot read them. */
async function protectSecrets(folder: string): Promise<void> {
  await writeFile(join(folder, ".gitignore"), "*.secrets.env\n")
  for (const entry of await readdir(folder, { recursive: true })) {
    if (entry.endsWith(".secrets.env")) await chmod(join(folder, entry), 0o600)
  }
}
