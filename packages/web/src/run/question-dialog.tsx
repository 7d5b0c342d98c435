// The dialog of the question that is open, if one is.

import { ProductionDialog } from "./production-dialog.tsx"
import { useQuestion } from "./questions.ts"
import { TrustDialog } from "./trust-dialog.tsx"
import { UnsavedDialog } from "./unsaved-dialog.tsx"

export function QuestionDialog() {
  const asked = useQuestion((state) => state.asked)
  if (asked === undefined) return null
  const { question, answer } = asked
  const props = { what: question.what, onCancel: () => answer(undefined), onConfirm: answer }
  if ("unsaved" in question)
    return <UnsavedDialog key={question.unsaved.length} files={question.unsaved} {...props} />
  return "trust" in question ? (
    <TrustDialog key={question.trust.confirmation} question={question.trust} {...props} />
  ) : (
    <ProductionDialog key={question.ask.confirmation} question={question.ask} {...props} />
  )
}
