// The public API of `format`: the contents of files and events. No node:*; it loads in a browser.

export * from "./json/value.ts"
export * from "./memo.ts"
export * from "./messages/define-messages.ts"
export { hints, messages as formatMessages } from "./messages.ts"
export * from "./json/parse-json.ts"
export { parseEdited } from "./json/parse-edited.ts"
export { outlineJson, type JsonOutline, type WatchedMember } from "./json/outline.ts"
export * from "./json/json-part.ts"
export { stringifyJson, toText } from "./json/stringify.ts"
export * from "./json/edit-json.ts"
export * from "./json/locate.ts"
export { stringEnd } from "./json/members.ts"
export { valueAt, type JsonPointer } from "./json/pointer.ts"
export * from "./problems.ts"
export * from "./project.ts"
export * from "./source.ts"
export { changedRange } from "./text/changed-range.ts"
export * from "./text/change-text.ts"
export * from "./text/conflict-marker.ts"
export * from "./text/response-type.ts"
export { decodeText } from "./text/decode-text.ts"
export { createLineFinder, createOffsetFinder, type LineColumn } from "./text/line-column.ts"
export { createSuggester, suggest, suggestOrList } from "./text/did-you-mean.ts"
export * from "./text/escape-pattern.ts"
export * from "./events/types.ts"
export * from "./events/report.ts"
export * from "./events/report-fold.ts"
export * from "./events/open-blocks.ts"
export * from "./events/coverage.ts"
export * from "./events/mask.ts"
export * from "./environment/types.ts"
export * from "./environment/check-environment-files.ts"
export * from "./environment/coerce-text.ts"
export { extendsChain } from "./environment/check-chains.ts"
export * from "./environment/parse-secrets-file.ts"
export {
  ambiguousProcessVariables,
  processVariableName,
  type ProcessEnvironment,
} from "./environment/process-variable.ts"
export * from "./environment/resolve-environment.ts"
export { anyValueFileShape, levelShape } from "./environment/value-file-shape.ts"
export {
  declarationShape,
  environmentSchemaShape,
  checkVariableName,
  reservedKeys,
} from "./environment/schema-shape.ts"
export * from "./environment/write-secret.ts"
export * from "./environment/url-credentials.ts"
export * from "./request/check-saved-request.ts"
export * from "./workflow/types.ts"
export * from "./workflow/names.ts"
export * from "./workflow/path.ts"
export { setPath } from "./workflow/set-path.ts"
export * from "./workflow/template.ts"
export type { ReadableWorkflow } from "./workflow/readable-workflow.ts"
export * from "./workflow/equal.ts"
export {
  checkOperator,
  isComparison,
  operatorNames,
  operators,
  type OperatorName,
} from "./workflow/operators.ts"
export * from "./workflow/blocks/index.ts"
export { fieldsOfOtherModes } from "./workflow/blocks/loop.ts"
export { valueStrings, type LiveString, type LocatedAssertion } from "./workflow/blocks/definition.ts"
export * from "./workflow/walk.ts"
export * from "./json-schema/published.ts"
export { checkShape, readShape } from "./shape/check-shape.ts"
export type { Shape } from "./shape/shape.ts"
export * as shapes from "./shape/shape.ts"
export * from "./workflow/check-workflow.ts"
export { workflowShape } from "./workflow/workflow-shape.ts"
export * from "./value-type/value-type.ts"
