// What of other packages is loaded when a call needs it, by its names.

export {
  scriptPath,
  validateEnvironmentFile,
  validateInstanceFile,
  validateWorkflowFile,
} from "@callsheet/analysis"
export { createLazyScriptPort, withScripts } from "@callsheet/engine"
export { slug } from "@callsheet/openapi"
