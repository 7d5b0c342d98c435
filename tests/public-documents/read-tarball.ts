// Reads chosen files of a package's tarball. Supports only the plain tar format, which npm writes for short paths.

import { gunzipSync } from "node:zlib"

const blockBytes = 512

/** Returns the contents of the files in a gzipped tarball whose paths are in `wanted`. */
export function readTarball(tarball: Buffer, wanted: ReadonlySet<string>): ReadonlyMap<string, Buffer> {
  const bytes = gunzipSync(tarball)
  const files = new Map<string, Buffer>()
  for (let at = 0; at + blockBytes <= bytes.length;) {
    const header = bytes.subarray(at, at + blockBytes)
    const path = text(header, 0, 100)
    const prefix = text(header, 345, 155)
    const size = Number.parseInt(text(header, 124, 12), 8) || 0
    const start = at + blockBytes
    const whole = prefix === "" ? path : `${prefix}/${path}`
    if (wanted.has(whole)) files.set(whole, bytes.subarray(start, start + size))
    at = start + Math.ceil(size / blockBytes) * blockBytes
  }
  return files
}

function text(header: Buffer, start: number, length: number): string {
  const field = header.subarray(start, start + length)
  const end = field.indexOf(0)
  return field.toString("utf8", 0, end === -1 ? length : end).trim()
}
