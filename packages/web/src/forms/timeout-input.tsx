// The time limit of a block's script or of a saved request.

import { blockDefaults, type JsonObject } from "@callsheet/format"
import { NumberInput } from "./number-input.tsx"

/** `of` is the block or the saved request. */
export const TimeoutInput = ({ of }: { readonly of: JsonObject }) => (
  <NumberInput
    label="Timeout"
    pointer={["timeoutMs"]}
    value={of["timeoutMs"]}
    placeholder={String(blockDefaults.timeoutMs)}
    unit="ms"
  />
)
