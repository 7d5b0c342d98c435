// The files of a new project: those of examples/hello, in the repository and in the installed package alike.

import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { findExample } from "../find-example.ts"

/** By path in the folder apis, with `/`. */
export async function readTemplate(): Promise<ReadonlyMap<string, string>> {
  const folder = join(await findExample("hello"), "apis")
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => /\.[a-z]+$/.test(path))
    .sort()
  // A checkout on Windows may have other line ends than the repository.
  return new Map(
    paths.map((path) => [path, readFileSync(join(folder, path), "utf8").replaceAll("\r\n", "\n")]),
  )
}
