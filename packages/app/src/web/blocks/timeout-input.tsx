// The field for how long a script of a block may take.

import type { JsonObject } from "@callsheet/format"
import { NumberInput } from "./number-input.tsx"

export const TimeoutInput = ({ block }: { readonly block: JsonObject }) => (
  <NumberInput
    label="Time-out"
    pointer={["timeoutMs"]}
    value={block["timeoutMs"]}
    placeholder="30000"
    unit="ms"
  />
)
