// What of other packages is loaded when a call needs it, by its names.

export {
  blocksThatName,
  mendImports,
  renameFile,
  scriptPath,
  validateEnvironmentFile,
  validateInstanceFile,
  validateWorkflowFile,
} from "@callsheet/language"
export { createLazyScriptPort, withScripts } from "@callsheet/engine"
