// The dialog of a question before anything is sent.

import { LoginDialog } from "./login-dialog.tsx"
import { ProductionDialog } from "./production-dialog.tsx"
import type { Asked } from "./questions.ts"
import { TrustDialog } from "./trust-dialog.tsx"
import { UnsavedDialog } from "./unsaved-dialog.tsx"

export function QuestionDialog({ question, answer }: Asked) {
  const props = { what: question.what, onCancel: () => answer(undefined), onConfirm: answer }
  if ("unsaved" in question)
    return <UnsavedDialog key={question.unsaved.length} question={question.unsaved} {...props} />
  if ("login" in question)
    return <LoginDialog key={question.login.login} question={question.login} {...props} />
  return "trust" in question ? (
    <TrustDialog key={question.trust.confirmation} question={question.trust} {...props} />
  ) : (
    <ProductionDialog key={question.ask.confirmation} question={question.ask} {...props} />
  )
}
