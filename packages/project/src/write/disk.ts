// The calls that change files. Tests replace them to simulate a faulty disk.

import * as fs from "node:fs"

export type Disk = Pick<typeof fs, keyof typeof fs & `${string}Sync`>

export const nodeDisk: Disk = fs
