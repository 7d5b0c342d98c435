// The entry point of the single executable: of the command, and of the processes and threads that it starts.

import { executableFiles, RUN_FILE, START } from "@callsheet/engine"
import { createRequire } from "node:module"
import { join } from "node:path"
import { createLoader, loadCommand, type Chunks } from "./load-command.ts"

const files = executableFiles()
if (files === undefined) throw new Error("this file is part of the single executable")
const chunks: Chunks = { folder: process.execPath, read: (file) => files.read(file).toString() }

const [, , first = ""] = process.argv
const at = (name: string): string => join(process.execPath, name)
if (first === at(RUN_FILE)) {
  process.argv.splice(1, 2)
  const [, file = ""] = process.argv
  createRequire(file)(file)
} else if (first.startsWith(at("")) && first !== at(START)) {
  process.argv.splice(1, 1)
  createLoader(chunks)(`.${first.slice(process.execPath.length).replaceAll("\\", "/")}`)
} else {
  if (first === at(START)) process.argv.splice(1, 1)
  loadCommand(chunks)
}
