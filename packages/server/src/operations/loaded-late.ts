// What is loaded when an operation is read, by its names, so that the command does not load it before.

export { findOperation } from "@callsheet/openapi"
export { operationDetail } from "./operation-detail.ts"
