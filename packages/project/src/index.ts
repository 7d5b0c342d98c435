// The public API of `project`: reads and writes a project's files on disk.

export { messages as projectMessages } from "./messages.ts"
export { findProjectRoot, findRepository, isProjectRoot, nearestFolder } from "./read/find-project-root.ts"
export { findApi, findEnvironments } from "./read/find-api.ts"
export { findStrays, readWholeProject } from "./read/find-strays.ts"
export { readAllEnvironments, readEnvironments } from "./read/read-api.ts"
export {
  createFileReader,
  documentNames,
  listDocumentFolders,
  sharedDocumentPaths,
} from "./read/document-folders.ts"
export * from "./read/read-project.ts"
export {
  checkProjectFile,
  isInFolder,
  listFolder,
  openProjectFolder,
  readProjectFile,
  readText,
  type Entry,
  type ProjectFolder,
  type UnsavedTexts,
} from "./read/project-folder.ts"
export { resolveFromProject } from "./read/installed-packages.ts"
export {
  hasSnapshots,
  MAX_SNAPSHOT_BYTES,
  readSnapshots,
  type Snapshots,
} from "./snapshots/read-snapshots.ts"
export { openRows } from "./read/open-rows.ts"
export { resolveWorkflowArgument } from "./read/resolve-workflow-argument.ts"
export { changeBaseline } from "./baseline/change-baseline.ts"
export { CallerPath, ProjectPath } from "./write/project-path.ts"
export { recoverProject } from "./write/recover-project.ts"
export { isDead, currentIdentity } from "./write/process-identity.ts"
export { withProjectLock } from "./write/project-lock.ts"
export type { Recovery } from "./write/finish-change.ts"
export type { Changed, WriteOptions } from "./write/change-project.ts"
export type { VariableText } from "./environment/edit-environment-files.ts"
export { fingerprint, seenIn, type SeenEnvironment } from "./environment/environment-files.ts"
export {
  createEnvironment,
  writeEnvironment,
  writeSettings,
  type WrittenEnvironment,
} from "./environment/write-environment.ts"
export { hidingProblems } from "./schema/edited-texts.ts"
export { makeSchemaChange, type SchemaChangeSet, type SchemaChange } from "./schema/make-schema-change.ts"
export { applyTextEdits, type TextEdit } from "./schema/apply-text-edits.ts"
export {
  createProject,
  SETTINGS_FILE,
  writeEditorFiles,
  type EditorFilesWritten,
} from "./create/create-project.ts"
export { placeFiles, textOfPlanned } from "./create/place-files.ts"
export { addApi } from "./create/add-api.ts"
export { writeFiles, type FileEdit } from "./create/write-files.ts"
export { deleteEnvironment, renameEnvironment } from "./environment/rename-and-delete.ts"
export {
  readStamp,
  readStamps,
  watchProject,
  type ProjectWatch,
  type WatchOptions,
} from "./watch/watch-project.ts"
export { followDocuments, type FollowedDocuments } from "./watch/follow-documents.ts"
export * from "./text/text-files.ts"
export { currentUserId } from "./write/process-identity.ts"
