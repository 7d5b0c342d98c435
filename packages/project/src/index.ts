// The front door of `project`: a project's files on disk, read and written.

export { findProjectRoot, isProjectRoot } from "./read/find-project-root.ts"
export {
  MAX_DOCUMENT_BYTES,
  MAX_FILE_BYTES,
  type Entry,
  type EntryKind,
  type Listing,
  type ProjectFolder,
} from "./read/project-folder.ts"
export { readEnvironments } from "./read/read-environments.ts"
export {
  listApiNames,
  listWorkflows,
  openProject,
  readProject,
  type ReadRequest,
} from "./read/read-project.ts"
export { MAX_BODY_FILE_BYTES, readProjectFile } from "./read/read-project-file.ts"
export { resolveWorkflowArgument, type WorkflowArgument } from "./read/resolve-workflow-argument.ts"
