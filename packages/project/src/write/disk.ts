// The calls that change files: the seam at which tests make a disk fail, lie or die.

import * as fs from "node:fs"

export type Disk = Pick<
  typeof fs,
  | "accessSync"
  | "closeSync"
  | "fchmodSync"
  | "fchownSync"
  | "fstatSync"
  | "fsyncSync"
  | "lstatSync"
  | "mkdirSync"
  | "openSync"
  | "readFileSync"
  | "readdirSync"
  | "readlinkSync"
  | "realpathSync"
  | "renameSync"
  | "rmdirSync"
  | "statSync"
  | "unlinkSync"
  | "writeSync"
>

export const nodeDisk: Disk = fs
