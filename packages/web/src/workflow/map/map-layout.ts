// Places the blocks of a workflow on its map: one below the other, branches side by side, containers as boxes around
// their blocks. Long lists continue in another column. Pure.

import type { OutlineRow } from "../../blocks/block-rows.ts"

export interface MapBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface MapLayout {
  /** The box of each row. */
  readonly boxes: readonly MapBox[]
  /** The order of blocks: lines between the boxes of two rows. */
  readonly steps: readonly (readonly [number, number])[]
  readonly width: number
  readonly height: number
}

/** Pixels. */
export const mapSizes = { width: 168, height: 26, gap: 10, columnGap: 28, padding: 8, header: 26 } as const
const { width: leafWidth, height: leafHeight, gap, columnGap, padding, header } = mapSizes

interface Node {
  readonly children: number[]
  areBranches: boolean
  /** The children in columns. A condition has a column for each branch. */
  columns: readonly (readonly number[])[]
  width: number
  height: number
}

/** `aspect` is the width of the window divided by its height. No recursion: blocks may be nested 10,000 deep. */
export function layoutMap(rows: readonly OutlineRow[], aspect: number): MapLayout {
  const { nodes, top } = nodesOf(rows)
  const maxHeight = columnHeight(rows.length, aspect)
  const measure = (children: readonly number[], areBranches: boolean) => {
    const columns = areBranches ? children.map((child) => [child]) : columnsOf(children, nodes, maxHeight)
    const sizes = columns.map((column) => sizeOf(column, nodes))
    return {
      columns,
      width: sum(sizes.map((size) => size.width)) + Math.max(0, columns.length - 1) * columnGap,
      height: Math.max(0, ...sizes.map((size) => size.height)),
    }
  }
  for (let index = nodes.length - 1; index >= 0; index--) {
    const node = nodes[index]
    const [first] = node?.children ?? []
    if (node === undefined || first === undefined) continue
    node.areBranches = rows[first]?.row === "branch"
    const inner = measure(node.children, node.areBranches)
    node.columns = inner.columns
    node.width = Math.max(leafWidth, inner.width + 2 * padding)
    node.height = header + inner.height + padding
  }
  const whole = measure(top, false)
  return { ...place(nodes, whole.columns), width: whole.width, height: whole.height }
}

function nodesOf(rows: readonly OutlineRow[]) {
  const nodes = rows.map((): Node => ({
    children: [],
    areBranches: false,
    columns: [],
    width: leafWidth,
    height: leafHeight,
  }))
  const top: number[] = []
  const path: number[] = []
  rows.forEach(({ depth }, index) => {
    path.length = depth - 1
    const parent = path.at(-1)
    const siblings = parent === undefined ? top : (nodes[parent]?.children ?? top)
    siblings.push(index)
    path.push(index)
  })
  return { nodes, top }
}

/** The height at which all rows together have the shape of the window. Short workflows stay in one column. */
const columnHeight = (rows: number, aspect: number): number =>
  Math.max(14 * (leafHeight + gap), Math.sqrt((rows * (leafHeight + gap) * (leafWidth + columnGap)) / aspect))

function columnsOf(children: readonly number[], nodes: readonly Node[], maxHeight: number) {
  const columns: number[][] = [[]]
  let height = 0
  for (const child of children) {
    const own = nodes[child]?.height ?? 0
    if (height > 0 && height + own > maxHeight) {
      columns.push([])
      height = 0
    }
    columns.at(-1)?.push(child)
    height += own + gap
  }
  return columns
}

const sizeOf = (column: readonly number[], nodes: readonly Node[]) => ({
  width: Math.max(0, ...column.map((index) => nodes[index]?.width ?? 0)),
  height: sum(column.map((index) => nodes[index]?.height ?? 0)) + Math.max(0, column.length - 1) * gap,
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** Parents are placed before their children. */
function place(nodes: readonly Node[], top: Node["columns"]): Pick<MapLayout, "boxes" | "steps"> {
  const boxes: MapBox[] = []
  const steps: [number, number][] = []
  const placeColumns = (columns: Node["columns"], x: number, y: number): void => {
    let left = x
    for (const column of columns) {
      let above = y
      for (const index of column) {
        const { width = leafWidth, height = leafHeight } = nodes[index] ?? {}
        boxes[index] = { x: left, y: above, width, height }
        above += height + gap
      }
      left += sizeOf(column, nodes).width + columnGap
    }
  }
  const connect = (list: readonly number[]): void =>
    list.slice(1).forEach((index, before) => steps.push([list[before] ?? index, index]))
  placeColumns(top, 0, 0)
  connect(top.flat())
  nodes.forEach(({ columns, areBranches }, index) => {
    const box = boxes[index]
    if (box === undefined || columns.length === 0) return
    placeColumns(columns, box.x + padding, box.y + header)
    if (!areBranches) connect(columns.flat())
  })
  return { boxes, steps }
}
