// The files, packages and processes of callsheet itself. They are installed in a directory, or inside the single
// executable. No other module asks which.

import { executableFiles } from "./executable-files.ts"
import { installedFiles, type OwnFiles } from "./installed-files.ts"

export const ownFiles: OwnFiles = executableFiles() ?? installedFiles
