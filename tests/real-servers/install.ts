// Installs the servers of this folder's package.json beside it. They ask for an older Node than 20, on which they run; .npmrc lets them in.

import { fileURLToPath } from "node:url"
import { installOnce } from "../harness/install-once.ts"

export const installServers = (): Promise<void> => installOnce(fileURLToPath(new URL(".", import.meta.url)))
