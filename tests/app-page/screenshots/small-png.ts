// Makes the PNG of a screenshot small: at most 256 colors, which is enough for a page without photographs.

import { crc32, deflateSync, inflateSync } from "node:zlib"

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const maxColors = 256
/** A color with fewer pixels than this is dropped if a selected color is this close (square of the distance). */
const rarely = 200
const close = 60

interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green and blue of each, as one number. */
  readonly colors: Uint32Array
}

/** Shrinks a PNG as Chromium writes it: eight bits for each of three or four channels, not interlaced. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, colors } = decode(png)
  const palette = chooseColors(colors)
  const indexOf = new Map(palette.map((color, index) => [color, index]))
  const rows = Buffer.alloc((width + 1) * height)
  for (const [at, color] of colors.entries()) {
    let index = indexOf.get(color)
    if (index === undefined) {
      index = closest(palette, color)
      indexOf.set(color, index)
    }
    // Each row starts with the number of its filter: none.
    rows[at + Math.floor(at / width) + 1] = index
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ])
}

function decode(png: Buffer): Pixels {
  const parts = chunksOf(png)
  const header = parts.find(([name]) => name === "IHDR")?.[1]
  const [depth, kind, , , interlace] = header?.subarray(8) ?? []
  if (header === undefined || depth !== 8 || (kind !== 2 && kind !== 6) || interlace !== 0)
    throw new Error("the picture is not a PNG of eight bits with red, green and blue in rows")
  const width = header.readUInt32BE(0)
  const height = header.readUInt32BE(4)
  const size = kind === 6 ? 4 : 3
  const data = inflateSync(
    Buffer.concat(parts.filter(([name]) => name === "IDAT").map(([, content]) => content)),
  )
  const bytes = withoutFilters(data, width * size, size)
  const colors = Uint32Array.from({ length: width * height }, (_, at) => bytes.readUIntBE(at * size, 3))
  return { width, height, colors }
}

function chunksOf(png: Buffer): readonly (readonly [name: string, content: Buffer])[] {
  const found: (readonly [string, Buffer])[] = []
  for (let at = signature.length; at < png.length;) {
    const length = png.readUInt32BE(at)
    found.push([png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, at + 8 + length)])
    at += length + 12
  }
  return found
}

/** Each byte is stored as the difference from the filter's prediction. */
function withoutFilters(data: Buffer, stride: number, size: number): Buffer {
  const height = data.length / (stride + 1)
  const bytes = Buffer.alloc(stride * height)
  for (let row = 0; row < height; row++) {
    const filter = data[row * (stride + 1)] ?? 0
    for (let at = 0; at < stride; at++) {
      const to = row * stride + at
      const left = at < size ? 0 : (bytes[to - size] ?? 0)
      const above = row === 0 ? 0 : (bytes[to - stride] ?? 0)
      const corner = row === 0 || at < size ? 0 : (bytes[to - stride - size] ?? 0)
      const foretold = [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter] ?? 0
      bytes[to] = (data[row * (stride + 1) + 1 + at] ?? 0) + foretold
    }
  }
  return bytes
}

function paeth(left: number, above: number, corner: number): number {
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(left + above - corner - value))
  if (a === undefined || b === undefined || c === undefined) return 0
  if (a <= b && a <= c) return left
  return b <= c ? above : corner
}

/** The most frequent ones, without rare ones that look like one of them. */
function chooseColors(colors: Uint32Array): readonly number[] {
  const counts = new Map<number, number>()
  for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1)
  const chosen: number[] = []
  for (const [color, count] of [...counts].sort(([, one], [, other]) => other - one)) {
    if (chosen.length === maxColors) break
    const isLike = count < rarely && chosen.some((known) => distance(known, color) < close)
    if (!isLike) chosen.push(color)
  }
  return chosen
}

function closest(palette: readonly number[], color: number): number {
  const distances = palette.map((known) => distance(known, color))
  return distances.indexOf(Math.min(...distances))
}

function distance(one: number, other: number): number {
  const wanted = channels(other)
  return channels(one).reduce((sum, value, at) => sum + (value - (wanted[at] ?? 0)) ** 2, 0)
}

const channels = (color: number): number[] => [color >> 16, (color >> 8) & 0xff, color & 0xff]

function chunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content])
  const around = Buffer.alloc(8)
  around.writeUInt32BE(content.length, 0)
  around.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([around.subarray(0, 4), body, around.subarray(4)])
}
