// Fetches the packages beside this file by npm.

import { installOnce } from "../harness/install-once.ts"
import { folder } from "./suite.ts"

export const installPackages = (): Promise<void> => installOnce(folder)
