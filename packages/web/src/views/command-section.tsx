// Commands that do something with what a view is about, to copy.

import { CodeBlock } from "../parts/code-block.tsx"
import { Section } from "./section.tsx"

export function CommandSection({ commands }: { readonly commands: readonly (string | undefined)[] }) {
  const sound = commands.filter((command) => command !== undefined)
  if (sound.length === 0) return null
  return (
    <Section title="In a terminal">
      {sound.map((command) => (
        <CodeBlock key={command} text={command} what="command" />
      ))}
    </Section>
  )
}
