// Installs the packages next to this file with npm.

import { installOnce } from "../harness/install-once.ts"
import { folder } from "./suite.ts"

export const installPackages = (): Promise<void> => installOnce(folder)
