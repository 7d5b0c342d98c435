// What of other packages is loaded when a call needs it, by its names.

export { withScripts } from "@callsheet/engine"
