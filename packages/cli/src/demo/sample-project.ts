// Where the sample project is, and copying it: in the repository and in the installed package alike.

import { chmod, cp, mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { CallsheetError } from "@callsheet/format"

const SAMPLE = join("examples", "shop")

/**
 * Copies the sample project into a folder, which is made where there is none.
 *
 * Throws a `CallsheetError` (`usage`) where the folder holds anything already.
 */
export async function copySampleProject(folder: string): Promise<void> {
  await requireEmpty(folder)
  await mkdir(folder, { recursive: true })
  await cp(await findSampleProject(), folder, { recursive: true })
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

/** The nearest `examples/shop` above this file: the build's copy in a package, the original in the repository. */
async function findSampleProject(): Promise<string> {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let levels = 0; levels < 6; levels++) {
    const candidate = join(folder, SAMPLE)
    if (await isFile(join(candidate, "apis", "shop", "openapi.json"))) return candidate
    folder = dirname(folder)
  }
  throw new Error("the sample project is missing from this installation")
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isFile(),
    () => false,
  )

/** Does what the first secret that is written does: git ignores the files, and other users cannot read them. */
async function protectSecrets(folder: string): Promise<void> {
  await writeFile(join(folder, ".gitignore"), "*.secrets.env\n")
  for (const entry of await readdir(folder, { recursive: true })) {
    if (entry.endsWith(".secrets.env")) await chmod(join(folder, entry), 0o600)
  }
}
