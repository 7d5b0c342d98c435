// The field for how long a script of a block, or a saved request, may take.

import { blockDefaults, type JsonObject } from "@callsheet/format"
import { NumberInput } from "./number-input.tsx"

/** `of` is the block, or the saved request. */
export const TimeoutInput = ({ of }: { readonly of: JsonObject }) => (
  <NumberInput
    label="Time-out"
    pointer={["timeoutMs"]}
    value={of["timeoutMs"]}
    placeholder={String(blockDefaults.timeoutMs)}
    unit="ms"
  />
)
