// Where the built page of the application is: beside the bundle that runs.

import { fileURLToPath } from "node:url"

/** The folder that the build has put it into. */
export const findPage = (): string => fileURLToPath(new URL("./page", import.meta.url))
