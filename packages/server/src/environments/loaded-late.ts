// What of other packages is loaded when a plan needs it, by its names.

export { renameVariable, variablePlaces } from "@callsheet/language"
export { readDocument, securitySchemesOf } from "@callsheet/openapi"
