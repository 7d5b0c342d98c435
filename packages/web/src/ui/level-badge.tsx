// The level of an environment. Production stands out.

import type { Level } from "@callsheet/format"

export function LevelBadge({ level }: { readonly level: Level }) {
  return <span className={`level level-${level}`}>{level}</span>
}
