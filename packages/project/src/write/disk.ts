// The calls that change files: the seam at which tests make a disk fail, lie or die.

import * as fs from "node:fs"

export type Disk = Pick<typeof fs, keyof typeof fs & `${string}Sync`>

export const nodeDisk: Disk = fs
