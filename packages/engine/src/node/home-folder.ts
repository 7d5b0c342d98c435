// The home directory of the user who runs callsheet.

import { attempt } from "@callsheet/format"

/**
 * Returns the home directory. In a container, the user may have none, neither by a variable nor by an account. As in
 * Docker, it is then the root directory, in which this user can't write.
 */
export const homeFolder = (): string => attempt(process.getBuiltinModule("node:os").homedir) ?? "/"
