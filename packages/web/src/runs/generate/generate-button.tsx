// Opens the preview of generated tests.

import type { TestChoice } from "@callsheet/server/calls"
import { showGenerate } from "./generate-state.ts"

export const GenerateButton = ({ choice }: { readonly choice: TestChoice }) => (
  <button type="button" className="button" onClick={() => showGenerate(choice)}>
    Generate tests…
  </button>
)
