// Installs the servers in this directory's package.json. They declare a Node older than 20 but run on it, so .npmrc
// allows them.

import { fileURLToPath } from "node:url"
import { installOnce } from "../harness/install-once.ts"

export const installServers = (): Promise<void> => installOnce(fileURLToPath(new URL(".", import.meta.url)))
