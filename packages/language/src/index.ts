// The front door of `language`: what can be known of a workflow before it runs. No node:*; it loads in a browser.

export { findTarget, type ApiSource, type FoundTarget, type Target, type TargetNames } from "./target.ts"
export { addCounts, countRequests, type MethodCount, type RequestCount } from "./count-requests.ts"
export { methodWords, requestWords, type MethodWords } from "./describe-requests.ts"
export { checkTarget, knownMethod, type TargetCheck } from "./request-target.ts"
export {
  checkScripts,
  missingScript,
  scriptPath,
  type DescribeScript,
  type ScriptDescription,
} from "./scripts.ts"
export type { Report } from "./report.ts"
export { validateProject, type ValidateRequest } from "./validate-project.ts"
export {
  validateEnvironmentFile,
  validateInstanceFile,
  validateWorkflowFile,
  type Surroundings,
} from "./validate-file.ts"
export { unknownPathParams } from "./workflow/path-params.ts"
export type { ObjectToFile } from "./check-instances.ts"
export {
  scriptScope,
  type ScopeCall,
  type ScriptScope,
  type ScriptScopeRequest,
} from "./script-types/script-scope.ts"
export { scriptTypes, type ScriptTypesRequest } from "./script-types/script-types.ts"
export { blocksThatName, type BlockUse, type NamedFile } from "./names/block-uses.ts"
export { renameFile, type RenamedFile } from "./names/rename-file.ts"
export { mendImports, type MendedImports, type MovedScript } from "./names/rename-imports.ts"
export {
  renameVariable,
  variablePlaces,
  type RenamedText,
  type RenamedVariable,
} from "./variables/rename-variable.ts"
export type { Variable } from "./variables/variable-uses.ts"
