import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Joins the names and the texts of the files in a directory. */
export const textsIn = (folder: string): string =>
  readdirSync(folder)
    .map((name) => `${name}\n${readFileSync(join(folder, name), "utf8")}`)
    .join("\n")
