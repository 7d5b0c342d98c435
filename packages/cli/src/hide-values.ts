// Words of the command line in what is said of them: `shop.key=…`. A value in the wrong place may be a secret.

import type { Output } from "./screen.ts"

/** `name=value` and `api.name=value`; a path holds its own `=`. */
const assignment = /^([A-Za-z0-9_.-]+=)./s

/** An output that shows of each assignment among `words` its name alone. */
export function hideValues(output: Output, words: readonly string[]): Output {
  const assignments = words.flatMap((word) => {
    const shown = assignment.exec(word)?.[1]
    return shown === undefined ? [] : [{ quoted: JSON.stringify(word), shown: `"${shown}…"` }]
  })
  if (assignments.length === 0) return output
  return {
    ...output,
    write: (text) =>
      output.write(
        assignments.reduce((rest, { quoted, shown }) => rest.replaceAll(quoted, () => shown), text),
      ),
  }
}
