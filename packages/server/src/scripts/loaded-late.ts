// What is loaded when the types of scripts are asked for, by its names, so that the command does not load it before.

export { scriptScope } from "@callsheet/language"
export { scriptTypesView } from "./script-types-view.ts"
