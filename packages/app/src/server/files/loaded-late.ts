// What of other packages is loaded when a call needs it, by its names.

export {
  blocksThatName,
  mendImports,
  renameFile,
  scriptPath,
  validateEnvironmentFile,
  validateInstanceFile,
  validateWorkflowFile,
} from "@callsheet/analysis"
export { createLazyScriptPort, withScripts } from "@callsheet/engine"
