// Which function of which script a block calls.

import { isJsonObject, type JsonValue } from "@callsheet/format"
import { TextField } from "./text-field.tsx"

/** The context that the function is given, by the kind of the block. */
export type ScriptContextName = "assert" | "condition" | "transform" | "script"

interface Props {
  readonly script: JsonValue | undefined
  readonly context: ScriptContextName
}

export function ScriptFields({ script }: Props) {
  const { name, exportName } = isJsonObject(script) ? script : {}
  return (
    <>
      <TextField label="Script" pointer={["script", "name"]} value={name} reads="text" isRequired />
      <TextField
        label="Function"
        pointer={["script", "exportName"]}
        value={exportName}
        reads="text"
        isRequired
      />
    </>
  )
}
