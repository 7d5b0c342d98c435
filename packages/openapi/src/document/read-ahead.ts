// Reads the files that a document may lead to before any of them is needed: what changes later changes nothing.

import type { ReadFile, SourceFile } from "@callsheet/format"
import { MAX_FILES, MAX_MEBIBYTES } from "./document-files.ts"
import { marksOfText, mayHideWords } from "./marks.ts"
import { readTarget } from "./reference-target.ts"

/** A reference in JSON or YAML that does not start with `#`. What is no reference but looks like one costs a look, no more. */
const reference = /\$ref["']?\s*:\s*(?:"([^"#][^"]*)"|'([^'#][^']*)'|([^\s"'#,{}[\]][^\s,{}[\]]*))/g

interface FilesAhead {
  /** Whether one of them may mark a value as secret. */
  readonly mayMarkSecrets: boolean
}

/**
 * Reads the texts of all files that references lead to, from file to file; nothing is parsed. `readFile` must remember what
 * it gave: whoever asks it for one of these files later gets what stood there now.
 */
export function readAhead(source: SourceFile, readFile: ReadFile): FilesAhead {
  const seen = new Set([source.file])
  const work = [source]
  let total = 0
  // Behind an escape a reference may hide, to a file that is not read here.
  let mayMarkSecrets = mayHideWords(source.text)
  for (let file = work.pop(); file !== undefined; file = work.pop()) {
    for (const [, inDouble, inSingle, plain] of file.text.matchAll(reference)) {
      const target = readTarget(inDouble ?? inSingle ?? plain ?? "", file.file)
      if (!target.ok || seen.has(target.target.file)) continue
      if (seen.size > MAX_FILES || total > MAX_MEBIBYTES * 1024 * 1024) return { mayMarkSecrets: true }
      seen.add(target.target.file)
      const read = readFile(target.target.file)
      if (!read.ok) continue
      total += read.value.bytes?.length ?? read.value.text.length
      mayMarkSecrets ||= marksOfText(read.value)("marksSecrets")
      work.push(read.value)
    }
  }
  return { mayMarkSecrets }
}
