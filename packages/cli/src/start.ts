// The entry point of the command.

import { readFileSync } from "node:fs"
import { loadCommand } from "./load-command.ts"

loadCommand({ folder: __dirname, read: (file) => readFileSync(file, "utf8") })
