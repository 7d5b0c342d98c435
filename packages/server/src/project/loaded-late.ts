// What of other packages is loaded when a call needs it. By its names: a package that is imported as a whole would be one
// piece of the bundle, which every command then loads that uses a part of it.

export { validateProject } from "@callsheet/language"
export { createMasker, createOutlineStore, withScripts } from "@callsheet/engine"
export { readDocument, readOperations } from "@callsheet/openapi"
