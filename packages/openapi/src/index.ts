// The public API of `openapi`: find an operation, build its request, check a response. Imports no `node:*` modules, so
// that it loads in a browser.

export type { OpenApiDocument } from "./document/document.ts"
export { readAhead } from "./document/document-files.ts"
export { readDocument, readOperations, type ReadDocument } from "./document/read-document.ts"
export { parseYaml } from "./document/read-text-file.ts"
export type { StoredOutline, OutlineKey, OutlineStore } from "./document/outline-store.ts"
export { bundleDocument } from "./document/bundle.ts"
export { partAt, type Part } from "./document/part.ts"
export { checkDocument } from "./standard/check-document.ts"
export * from "./compare/change.ts"
export { changedOperations } from "./compare/changed-operations.ts"
export { changeDescriptions } from "./compare/messages.ts"
export { compareDocuments } from "./compare/compare-documents.ts"
export { createPlaceFinder, type PlaceFinder } from "./document/place-finder.ts"
export * from "./document/operations.ts"
export { listCallbacks, listWebhooks } from "./document/sent-messages.ts"
export { callbackUrls, type KnownExchange } from "./request/callback-urls.ts"
export { findOperationByUrl } from "./document/find-operation-by-url.ts"
export { parametersOf, type Parameter } from "./document/parameters.ts"
export {
  bodyKindOf,
  documentedOperations,
  hasRequestBody,
  listResponses,
  requestMediaType,
  requestBodyOf,
  requestMedia,
  requestMediaTypes,
  usualMember,
  type BodyKind,
  type MediaType,
} from "./document/content.ts"
export * from "./request/checked-request.ts"
export {
  credentialPlace,
  credentialPlaces,
  isCredentialParameter,
  schemeVariable,
  securityOf,
  securitySchemesOf,
  type CredentialPlace,
  type OAuthFlow,
  type OAuthScheme,
  type SecurityScheme,
} from "./document/security.ts"
export { loadSecretFields, type FindSecretFields } from "./response/load-secret-fields.ts"
export { describeMissingServer, serverPath, serverUrl, serverUrls } from "./document/server-url.ts"
export * from "./request/build-url.ts"
export * from "./request/parameter-writer.ts"
export { fieldEncodings, type FieldEncodings } from "./request/form-fields.ts"
export { contentTypeFor, fieldText, formFields, formText, type FormField } from "./request/form-fields.ts"
export { createContractChecker, type ContractChecker } from "./create-contract-checker.ts"
export type { DistinctViolations } from "./response/distinct-violations.ts"
export { documentedParameters } from "./request/documented-parameters.ts"
export { decode, readQuery } from "./request/parameter-readings.ts"
export { formFields as readForm } from "./content/fields.ts"
export { readMultipart } from "./content/multipart.ts"
export { requestBodyType } from "./request/request-body-type.ts"
export { endlessContract } from "./response/endless-contract.ts"
export { findResponsePart } from "./response/find-response-part.ts"
export {
  hasNoContent,
  responseContract,
  type DocumentedResponse as ResponseContract,
} from "./response/response-contract.ts"
export { describeResponse } from "./response/describe-response.ts"
export { responseRules } from "./response/response-rules.ts"
export { responseTypes, type DocumentedResponse } from "./response/response-types.ts"
export { createSchemaChecker } from "./schema/validate/schema-checker.ts"
export { plainName } from "./resources/words.ts"
export { schemaType } from "./schema/types/schema-type.ts"
export { createSampler, type Sample, type Sampler } from "./samples/create-sampler.ts"
export { namedExamplesOf, responseExamples, type NamedExample } from "./samples/examples.ts"
export { messages as openapiMessages, reasons as openapiReasons } from "./document/messages.ts"
export { inferResources } from "./resources/infer-resources.ts"
export type * from "./resources/resource-model.ts"
export { linksOf } from "./resources/links.ts"
export * from "./resources/references.ts"
export { isGenericName, singular } from "./resources/words.ts"
export { listPlace, successBody, successResponses, typeAt } from "./resources/response-places.ts"
export { listProbes } from "./probes/list-probes.ts"
export type { ProbeCase, ProbedRequest } from "./probes/probe-case.ts"
export { judgeAnswer } from "./probes/judge-answer.ts"
