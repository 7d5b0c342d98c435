// Opens the preview of generated tests.

import { ListChecks } from "lucide-react"
import type { TestChoice } from "@callsheet/server/calls"
import { WordButton } from "../../ui/word-button.tsx"
import { showGenerate } from "./generate-state.ts"

export const GenerateButton = ({ choice }: { readonly choice: TestChoice }) => (
  <WordButton
    word="Generate tests…"
    icon={<ListChecks aria-hidden="true" />}
    onClick={() => showGenerate(choice)}
  />
)
