// The front door of `openapi`: find an operation, build its request, check a response. No node:*; it loads in a browser.

export type { Located, OpenApiDocument, OpenApiVersion } from "./document.ts"
export { readDocument, type ReadDocument, type ReadOptions } from "./read-document.ts"
export type { KeptOutline, OutlineKey, OutlineStore } from "./outline-store.ts"
export { checkDocument, checkPaths } from "./check-document/check-document.ts"
export { listOperations, type Operation } from "./operations.ts"
export { readOperations, type ReadOperations, type ReadOperationsRequest } from "./read-operations.ts"
export { documentedOperations } from "./documented-operations.ts"
export { findOperation, findOperationByPath, slug, type FoundOperation } from "./find-operation.ts"
export { hasRequestBody } from "./content.ts"
export { parametersOf, type Parameter } from "./parameters.ts"
export { bodyKindOf, requestMediaType, requestMediaTypes, type BodyKind } from "./media-type.ts"
export {
  isIgnoredHeader,
  missingBody,
  missingParameter,
  placeWords,
  undocumentedBody,
  undocumentedQuery,
} from "./request-faults.ts"
export { securityOf, securitySchemesOf, type SecurityScheme } from "./security.ts"
export { credentialPlaces, type CredentialPlaces } from "./credential-places.ts"
export { loadSecretFields, type FindSecretFields } from "./secret-fields/load-secret-fields.ts"
export { describeMissingServer, serverUrl } from "./server-url.ts"
export { buildUrl, readBaseUrl, type BaseUrl, type BuiltUrl, type UrlRequest } from "./build-url.ts"
export { parsePathTemplate, type PathTemplate } from "./path-template.ts"
export {
  structureOf,
  writeCookies,
  writeHeader,
  writeQuery,
  writerOf,
  type GivenParameter,
  type ParameterWriter,
} from "./serialize/parameter-writer.ts"
export { fieldEncodings, type FieldEncodings } from "./serialize/field-encodings.ts"
export { contentTypeFor, fieldText, formFields, formText, type FormField } from "./serialize/form-fields.ts"
export {
  createContractChecker,
  type CheckedResponse,
  type ContractChecker,
  type ContractOptions,
} from "./contract/create-contract-checker.ts"
export type { PatternEngine } from "./contract/validator.ts"
export type { Direction } from "./types/asking.ts"
export { documentedParameters, type DocumentedParameters } from "./types/documented-parameters.ts"
export { requestBodyType, type RequestBodyType } from "./types/request-body-type.ts"
export { responseTypes, type DocumentedResponse } from "./types/response-types.ts"
export { schemaType } from "./types/schema-type.ts"
