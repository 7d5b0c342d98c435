// Writes files into a directory. Strings are written as they are, everything else as JSON.

import { mkdir, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"

export async function writeFiles(folder, files) {
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(
      file,
      typeof content === "string" ? content : `${JSON.stringify(content, undefined, 2)}\n`,
    )
  }
}
