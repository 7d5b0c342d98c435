// The front door of `openapi`: find an operation, build its request, check a response. No node:*; it loads in a browser.

export { readDocument, type OpenApiDocument, type OpenApiVersion, type ReadDocument } from "./document.ts"
export {
  findOperation,
  findOperationByPath,
  listOperations,
  slug,
  type FoundOperation,
  type Operation,
} from "./operations.ts"
export {
  bodyKindOf,
  parametersOf,
  requestMediaType,
  requestMediaTypes,
  securityOf,
  serverUrl,
  type BodyKind,
  type Parameter,
  type SecurityScheme,
} from "./request.ts"
export { buildUrl, type BuiltUrl, type UrlRequest } from "./url.ts"
export {
  createContractChecker,
  type CheckedResponse,
  type ContractChecker,
} from "./contract/create-contract-checker.ts"
