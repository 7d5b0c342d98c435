// Parses and checks the user's own file.

import { messages } from "../messages.ts"
import { byPosition, hasErrors, type Problem } from "../problems.ts"
import { checkFile } from "../shape/check-file.ts"
import type { SourceFile } from "../source.ts"
import { userFileShape, type UserCertificate, type UserFile } from "./user-file-shape.ts"

interface CheckedUserFile {
  /** The contents of the file. Absent if `problems` contains errors. */
  readonly user?: UserFile | undefined
  readonly problems: readonly Problem[]
}

export function checkUserFile(source: SourceFile): CheckedUserFile {
  const { value, problems, problemAt } = checkFile(source, userFileShape)
  for (const [index, certificate] of (value?.certificates ?? []).entries()) {
    const finding = checkFiles(certificate)
    if (finding !== undefined) problems.push(problemAt(["certificates", index], "value", finding))
  }
  for (const [name, { command }] of Object.entries(value?.resolvers ?? {}))
    if ((command[0] ?? "") === "")
      problems.push(
        problemAt(["resolvers", name, "command"], "value", messages["field-value"].emptyCommand()),
      )
  return { user: hasErrors(problems) ? undefined : value, problems: byPosition(problems) }
}

function checkFiles({ cert, key, pfx, ca, passphrase }: UserCertificate) {
  const { certificateFiles } = messages["exactly-one"]
  if ((cert === undefined) !== (key === undefined)) return certificateFiles("half")
  if (cert !== undefined && pfx !== undefined) return certificateFiles("both")
  const isEmpty = cert === undefined && pfx === undefined
  if (isEmpty && (ca === undefined || passphrase !== undefined)) return certificateFiles("none")
  return undefined
}
