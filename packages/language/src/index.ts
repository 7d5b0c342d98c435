// The front door of `language`: what can be known of a workflow before it runs. No node:*; it loads in a browser.

export { inLookUpOrder, loopGiving } from "./scope/rules.ts"
export { WorkflowNames, type VisibleName, type VisibleNames } from "./scope/places.ts"
export {
  createRunScope,
  enterIteration,
  findResult,
  leaveIteration,
  lookUp,
  putResult,
  ResultsOfHighestIndex,
  type BlockResult,
  type Iteration,
  type RunScope,
  type Scope,
} from "./scope/run-scope.ts"
export {
  findTarget,
  type ApiSource,
  type FoundTarget,
  type Target,
  type TargetNames,
} from "./requests/target.ts"
export { addCounts, countRequests, type MethodCount, type RequestCount } from "./requests/count-requests.ts"
export { methodWords, requestWords, type MethodWords } from "./requests/count-requests.ts"
export { checkTarget, knownMethod, type TargetCheck } from "./requests/request-target.ts"
export {
  checkScripts,
  missingScript,
  scriptPath,
  type DescribeScript,
  type ScriptDescription,
} from "./names/scripts.ts"
export type { Report } from "./requests/request-target.ts"
export { validateProject, type ValidateRequest } from "./validate/validate-project.ts"
export {
  validateEnvironmentFile,
  validateInstanceFile,
  validateWorkflowFile,
  type Surroundings,
} from "./validate/validate-project.ts"
export { unknownPathParams } from "./requests/request-target.ts"
export type { ObjectToFile } from "./validate/check-instances.ts"
export {
  scriptScope,
  type ScopeCall,
  type ScriptScope,
  type ScriptScopeRequest,
} from "./script-types/script-scope.ts"
export { scriptTypes, type ScriptTypesRequest } from "./script-types/script-types.ts"
export { blocksThatName, type BlockUse, type NamedFile } from "./references/block-uses.ts"
export { renameFile, type RenamedFile } from "./rename/rename-file.ts"
export { mendImports, type MendedImports, type MovedScript } from "./rename/rename-imports.ts"
export {
  renameVariable,
  variablePlaces,
  type RenamedText,
  type RenamedVariable,
} from "./rename/rename-variable.ts"
export type { Variable } from "./references/variable-uses.ts"
export { collectReferences, keepAll, type References } from "./references/result-references.ts"
export { renamedReferences, type Renames } from "./rename/rename-references.ts"
