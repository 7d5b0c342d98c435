// Reads the files of the page once. The server looks for no other files.

import * as system from "node:path"
import { extname } from "node:path"
import { promisify } from "node:util"
import { ownFiles } from "@callsheet/engine"
import { wayBetween } from "@callsheet/format"

export interface Asset {
  readonly type: string
  readonly bytes: Buffer
  /** Returns the compressed file. The first call compresses it. Undefined if it doesn't get smaller. */
  readonly gzipped: () => Promise<Buffer | undefined>
}

/** Assets by path. `/` is the page, and other paths are relative to the directory. */
export type Assets = ReadonlyMap<string, Asset>

const types: ReadonlyMap<string, string> = new Map([
  [".html", "text/html; charset=utf-8"],
  [".js", "text/javascript; charset=utf-8"],
  [".css", "text/css; charset=utf-8"],
  [".json", "application/json"],
  [".txt", "text/plain; charset=utf-8"],
  [".svg", "image/svg+xml"],
  [".png", "image/png"],
  [".ico", "image/x-icon"],
  [".woff2", "font/woff2"],
])
/** File formats that are already compressed. */
const dense: ReadonlySet<string> = new Set([".png", ".woff2"])

/** Reads the built page. Skips files that the page doesn't request, such as source maps. */
export function readAssets(folder: string): Assets {
  const files = ownFiles.list(folder).filter((file) => types.has(extname(file)))
  return new Map(files.map((file) => [pathOf(file, folder), readAsset(file)]))
}

function pathOf(file: string, folder: string): string {
  const path = wayBetween(system, folder, file)
  return path === "index.html" ? "/" : `/${path}`
}

function readAsset(file: string): Asset {
  const bytes = ownFiles.read(file)
  const extension = extname(file)
  let zipping: Promise<Buffer | undefined> | undefined
  return {
    bytes,
    type: types.get(extension) ?? "application/octet-stream",
    gzipped: () => (zipping ??= dense.has(extension) ? Promise.resolve(undefined) : zip(bytes)),
  }
}

async function zip(bytes: Buffer): Promise<Buffer | undefined> {
  const { gzip } = await import("node:zlib")
  const zipped = await promisify(gzip)(bytes, { level: 9 })
  return zipped.length < bytes.length ? zipped : undefined
}
