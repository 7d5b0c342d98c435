// The public API of `language`: the static analysis of workflows. Imports no `node:*` modules, so that it loads in a
// browser.

export { inLookUpOrder, loopGiving } from "./scope/rules.ts"
export { WorkflowNames } from "./scope/places.ts"
export { describeBrokenBody } from "./scope/response-gaps.ts"
export * from "./scope/run-scope.ts"
export { newRequestText } from "./requests/new-request-text.ts"
export * from "./requests/target.ts"
export { describeOutside } from "./requests/outside-document.ts"
export * from "./requests/count-requests.ts"
export { assessChanges, type ImpactClass, type ImpactUse } from "./impact/assess.ts"
export { impactTexts } from "./impact/impact-texts.ts"
export { collectInputValues, type DataRow } from "./impact/input-values.ts"
export { repairOf, repairsOfNames } from "./fix/near-misses.ts"
export { assertStatus } from "./fix/assert-status.ts"
export { undeclaredVariables } from "./fix/undeclared-variables.ts"
export { freeName, takenNames } from "./names/free-name.ts"
export { repairsOfChanges } from "./fix/document-repairs.ts"
export { applyRepairs, type Repair, type RepairedFile } from "./fix/repair.ts"
export type { ScriptsOf } from "./impact/reads.ts"
export { createKeptChecks } from "./validate/kept-checks.ts"
export { bodyFilesOf } from "./requests/body-files.ts"
export { sentOperations } from "./requests/sent-operations.ts"
export * from "./names/scripts.ts"
export {
  completePath,
  pathAt,
  rootOf,
  walkKnown,
  type Definition,
  type Root,
} from "./completion/complete-path.ts"
export { describeKnown, unknownValue } from "./completion/known-value.ts"
export { reportsOf, type KnownOperation } from "./completion/known-result.ts"
export { pathTypes, type PathTypes, type TypedPlace } from "./completion/path-types.ts"
export * from "./completion/path-roots.ts"
export { findMatches, type Findable } from "./completion/find-matches.ts"
export { fittingOperators } from "./completion/fitting-operators.ts"
export { knownField } from "./completion/known-field.ts"
export { blockPlaceAt, readsInBlock, readsInRequest } from "./completion/reads-at.ts"
export { exportAround, scriptPlaceAt, type ScriptPlace } from "./completion/script-place.ts"
export * from "./completion/settings-names.ts"
export * from "./completion/shapes-at.ts"
export { typeWords } from "./types/type-words.ts"
export * from "./completion/suggestion.ts"
export * from "./completion/tokens-in.ts"
export { blockIds, writtenId } from "./completion/written-id.ts"
export * from "./validate/validate-project.ts"
export { validateBaselineFile } from "./validate/check-baseline.ts"
export { errorsBeforeRun, asError } from "./validate/check-before-run.ts"
export { renameWorkflow } from "./suites/rename-workflow.ts"
export { findHelpers } from "./suites/find-helpers.ts"
export { placeRowProblems } from "./suites/place-row-problems.ts"
export {
  entriesIn,
  filesOfEntry,
  namesIn,
  resolveSuite,
  suiteIn,
  suitesNeeding,
  type Suite,
  type SuiteEntry,
} from "./suites/resolve-suite.ts"
export { findWeakened, type WeakenedCheck, type WorkflowState } from "./validate/find-weakened.ts"
export { checkSettings } from "./validate/check-settings.ts"
export { collectAbsences } from "./names/absences.ts"
export { checkEmptyLists } from "./names/empty-lists.ts"
export { scriptScope, type ScriptScope } from "./script-types/script-scope.ts"
export * from "./script-types/script-templates.ts"
export { scriptTypes } from "./script-types/script-types.ts"
export * from "./script-types/types-package.ts"
export { findValueFlows, type ValueFlow } from "./references/value-flows.ts"
export { blocksThatName } from "./references/block-uses.ts"
export { usesOf } from "./references/uses.ts"
export { renameFile } from "./rename/rename-file.ts"
export { fixAllImports, importedScripts } from "./rename/rename-imports.ts"
export { renameVariable, variablePlaces } from "./rename/rename-variable.ts"

export { collectReferences, keepAll, type References, warnOfNames } from "./references/result-references.ts"
export { isTaken, renameBlock, renameInput, type WorkflowText } from "./rename/rename-names.ts"
export { renameMentions, type RenamedText } from "./navigation/rename-mentions.ts"
export { renamedReferences } from "./rename/rename-references.ts"
export {
  keptReasons,
  comparisons as languageComparisons,
  messages as languageMessages,
  reasons as languageReasons,
  repairTexts,
  contractReasons as languageContractReasons,
  dynamicHint,
} from "./messages.ts"

export type { Named, NamedInWorkflow } from "./navigation/named.ts"
export {
  declarationsOf,
  mentionAtOffset,
  mentionsInFile,
  mentionsOf,
  openMeanings,
  operationMentions,
  ownFiles,
  requestFiles,
  type PlacedMention,
  type ProjectTexts,
} from "./navigation/project-mentions.ts"
export {
  outlineRequest,
  outlineSchema,
  outlineSecrets,
  outlineSettings,
  outlineValues,
  outlineWorkflow,
  type OutlineItem,
} from "./navigation/outline-file.ts"
export { possibleMentions } from "./navigation/possible-mentions.ts"
export { fuzzyScore } from "./navigation/fuzzy-score.ts"

export { generate } from "./generate/generate.ts"
export { generateTexts } from "./generate/texts.ts"
export { draftProbes, probeName, type ProbeDraft, type ProbeRow } from "./probe/draft-probes.ts"
export { PROBE, probeTexts, VALID } from "./probe/texts.ts"
export type {
  Generated,
  GenerateChoice,
  GeneratedFile,
  GeneratingApi,
  Skipped,
} from "./generate/generated.ts"
export { hideSecrets, type FindSecrets } from "./generate/hide-secrets.ts"
export {
  generatedText,
  mergeProject,
  workflowNameOf,
  type Kept,
  type MergedProject,
} from "./generate/merge/merge-project.ts"
