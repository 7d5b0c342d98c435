// Measures the time to load a document, compared with its language's own parser.

import { load } from "js-yaml"
import { readDocument } from "@callsheet/openapi"
import type { ReadFile, SourceFile } from "@callsheet/format"

export interface Loading {
  /** Milliseconds. */
  readonly ours: number
  readonly plain: number
}

/** The median of several interleaved rounds. */
export async function measureLoading(source: SourceFile, readFile: ReadFile | undefined): Promise<Loading> {
  const turns = source.text.length > 2_000_000 ? 3 : 7
  const ours: number[] = []
  const plain: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    ours.push(await timed(() => readDocument(source, { readFile })))
    plain.push(await timed(() => readPlainly(source)))
  }
  return { ours: median(ours), plain: median(plain) }
}

const readPlainly = ({ file, text }: SourceFile): unknown =>
  file.endsWith(".json") ? JSON.parse(text) : load(text)

async function timed(action: () => unknown): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
