// The front door of `format`: what files and events say. No node:*; it loads in a browser.

export * from "./json/value.ts"
export { parseJson, type ParsedJson, type ParseOptions, type SyntaxFinding } from "./json/parse-json.ts"
export { parseEdited } from "./json/parse-edited.ts"
export { outlineJson, type JsonOutline, type WatchedMember } from "./json/outline.ts"
export { outlinedPart, partOf, type JsonPart } from "./json/json-part.ts"
export { setOwn } from "./json/set-own.ts"
export { stringifyJson, type StringifyOptions } from "./json/stringify.ts"
export {
  copyJsonItems,
  deleteJsonAt,
  deleteJsonItems,
  deleteJsonKey,
  insertJsonItem,
  jsonRangeAt,
  moveJsonItem,
  moveJsonItems,
  replaceJsonValues,
  setJsonAt,
  setJsonKey,
  type EditedJson,
  type JsonChange,
  type JsonItems,
  type KeyPath,
} from "./json/edit-json.ts"
export { createJsonLocator, type JsonPointer } from "./json/locate.ts"
export { jsonPointersAt } from "./json/pointer-at.ts"
export { renameJsonKey } from "./json/rename-json-key.ts"
export * from "./problems.ts"
export * from "./project.ts"
export * from "./source.ts"
export { statusKeys } from "./status-keys.ts"
export { changedRange, type ChangedRange } from "./text/changed-range.ts"
export { conflictMarkerAt, conflictMessage } from "./text/conflict-marker.ts"
export { isJsonType, isTextType } from "./text/response-type.ts"
export { decodeText, type DecodedText, type EncodingFinding } from "./text/decode-text.ts"
export { escapePattern } from "./text/escape-pattern.ts"
export { createLineFinder, createOffsetFinder, lineColumnAt, type LineColumn } from "./text/line-column.ts"
export { createSuggester, didYouMean, suggest } from "./text/did-you-mean.ts"
export * from "./events/types.ts"
export * from "./events/report.ts"
export { createReportFold, type ReportFold, type ReportSoFar, type RunSoFar } from "./events/report-fold.ts"
export {
  blockPath,
  innerListOf,
  trackBlocks,
  type Arrival,
  type OpenBlock,
  type RunSubscriber,
} from "./events/open-blocks.ts"
export * from "./events/coverage.ts"
export { createMaskedKeys, maskBlocks, maskEvent, maskProblem, maskReport, type Mask } from "./events/mask.ts"
export * from "./environment/types.ts"
export { checkEnvironmentFiles, type EnvironmentFolder } from "./environment/check-environment-files.ts"
export { coerceText, isOfType, typeHint } from "./environment/coerce-text.ts"
export { extendsChain } from "./environment/extends-chain.ts"
export {
  parseSecretsFile,
  type ParsedSecretsFile,
  type Quote,
  type SecretsEntry,
  type SecretsFinding,
} from "./environment/parse-secrets-file.ts"
export {
  ambiguousProcessVariables,
  processVariableName,
  type ProcessEnvironment,
} from "./environment/process-variable.ts"
export {
  resolveEnvironment,
  secretValues,
  type ResolvedWithProblems,
  type ResolveRequest,
} from "./environment/resolve-environment.ts"
export { anyValueFileShape, levelShape } from "./environment/value-file-shape.ts"
export {
  declarationShape,
  environmentSchemaShape,
  objectToVariableName,
  reservedKeys,
} from "./environment/schema-shape.ts"
export { renameSecret, setSecret, unsetSecret, type EditedSecrets } from "./environment/write-secret.ts"
export * from "./request/types.ts"
export {
  checkSavedRequest,
  liveStringsOf,
  savedRequestShape,
  type CheckedSavedRequest,
} from "./request/check-saved-request.ts"
export * from "./workflow/types.ts"
export * from "./workflow/names.ts"
export * from "./workflow/path.ts"
export { setPath, type SetPath } from "./workflow/set-path.ts"
export * from "./workflow/template.ts"
export type { ReadableWorkflow } from "./workflow/readable-workflow.ts"
export { isEqual } from "./workflow/equal.ts"
export {
  checkOperator,
  isComparison,
  operatorNames,
  operators,
  type Operator,
  type OperatorName,
} from "./workflow/operators.ts"
export {
  apisOf,
  assertionsOf,
  blockDefaults,
  blockDefinitions,
  blockKinds,
  childFields,
  childFieldsOf,
  blocksShape,
  children,
  emptyListOf,
  hasOutputs,
  hasResponse,
  isBlockKind,
  iterates,
  scriptsOf,
  stringsOf,
  traitsOf,
} from "./workflow/blocks/index.ts"
export { fieldsOfOtherModes } from "./workflow/blocks/loop.ts"
export {
  valueStrings,
  type BlockDefinition,
  type ChildList,
  type LiveString,
  type LocatedAssertion,
} from "./workflow/blocks/definition.ts"
export { rawBlocks, type RawBlock } from "./workflow/raw-blocks.ts"
export { touchedApis, walkBlocks, type LoopChain, type Visit } from "./workflow/walk.ts"
export * from "./json-schema/published.ts"
export { checkShape, readShape, type ShapeFinding } from "./shape/check-shape.ts"
export type { Shape } from "./shape/shape.ts"
export * as shapes from "./shape/shape.ts"
export {
  byPosition,
  checkWorkflow,
  objectToLiveString,
  type CheckedWorkflow,
} from "./workflow/check-workflow.ts"
export { workflowShape } from "./workflow/workflow-shape.ts"
export * from "./value-type/value-type.ts"
export { hideUrlCredentials, urlCredentials } from "./environment/url-credentials.ts"
