// The collections: where they are, and what an import takes.
// cspell:disable

export interface PublicCollection {
  readonly name: string
  /** The paths are in this repository, `owner/name`. */
  readonly repository: string
  readonly source: string
  /** Exported environments. */
  readonly environments?: readonly string[]
  /** The OpenAPI document that describes the same API, in the same repository or in another one. */
  readonly document?: string
  readonly documentRepository?: string
}

/** The commit of each repository. */
export const commits: Readonly<Record<string, string>> = {
  "04mg/flask-api-boilerplate": "0212f39a6402ad17ef0b03a2f3c2d172558e156b",
  "0x21/slf-mono": "3b25b5df608ab0810e7048151e37f35599cb90b6",
  "0xzcarlet/golang-api": "441b9dc728f4c0d3b0e6f81d16d8ddb561e65a73",
  "Adyen/adyen-openapi": "aa014f0cbdb58ff5c44a2ff9d5fe734642210aff",
  "Adyen/adyen-postman": "97a5d5261a1e78a13d12630284e2ece66a2d83c0",
  "Altinn/dialogporten-bruno": "035bc4a2069a3e86a71918e238948ae27df01b7b",
  "Amsterdam/beheeromgeving-catalogus": "5340b95a3ebb32ff7d467a01c75e736f9c5c5752",
  "AndesWorkforce/API_GATEWAY": "3d888715f86f10fedafd8b6e4418822d54a1caca",
  "AxelTahmid/golang-starter": "609365a0c7812dc10cecdde95767464f115a8f36",
  "ComfortablyCoding/bruno-directus": "bdcdaad64799ad10c4c7461577e1aee94f07f4e0",
  "FactusFacturacion/factus-api-collection-v2": "d3955f5c2fb864f11f2054b1af3a68fe52be7b59",
  "MatthiasOs/renault-api-bruno": "a7eff2456941c20c77fd54c24cd7f6c939899e74",
  "NaomiMiyake/restful-booker-bruno": "a6dd2a559fa2fa2cc509f94df64a4ba2eb61a0c1",
  "OAI/Arazzo-Specification": "fc140d26c440291b0061c62a53e45a8fb07cc369",
  "SeakMengs/AutoCert": "01b19c17de0468292b46d8c2834ead6f62a6c6de",
  "WOM-Platform/Registry": "e1bb5eeff23ba700b1c79fe7b666830d8651e01e",
  "diego-aquino/blink-backend": "83acb599d7497765494f44302917c4f04cb0ed51",
  "docusign/OpenAPI-Specifications": "3c20b6c8ed00c29c87d7418b5e97d3fad184d012",
  "docusign/postman-collections": "ccc87b27893676b8217c1813447ee8fb292aad71",
  "enzonotario/esjs-argentina-datos-api": "8cd19e46e4c0a2d0a0fa2462b99dc7b5bdb34a15",
  "fabelhaft-io/bread-sheet": "d1e18f25ed6177961de2e98f91defc5539f80c26",
  "gothinkster/realworld": "747190ecf0bb27d461cf1100f6cb3468c6c914ed",
  "ritza-co/e2e-testing-arazzo": "c0615c3708a1e4c0fcaeb79edae78ddc4eb5ba82",
  "usebruno/bruno": "675965612ff11b23bc9b6c9541110a287bcb2967",
}

const adyen = (name: string): PublicCollection => ({
  name: `Adyen ${name}`,
  repository: "Adyen/adyen-postman",
  source: `postman/${name}.json`,
  document: `json/${name}.json`,
  documentRepository: "Adyen/adyen-openapi",
})

const docusign = (name: string, document: string): PublicCollection => ({
  name: `DocuSign ${name}`,
  repository: "docusign/postman-collections",
  source: `assets/${name}-collection.json`,
  document,
  documentRepository: "docusign/OpenAPI-Specifications",
})

const arazzo = (name: string): PublicCollection => ({
  name: `Arazzo ${name}`,
  repository: "OAI/Arazzo-Specification",
  source: `examples/1.0.0/${name}.arazzo.yaml`,
  document: `examples/1.0.0/${name}.openapi.yaml`,
})

export const collections: readonly PublicCollection[] = [
  ...["CheckoutService-v71", "BalancePlatformService-v2", "LegalEntityService-v3"].map(adyen),
  docusign("click", "click.rest.swagger-v1.json"),
  docusign("admin", "admin.rest.swagger-v2.1.json"),
  docusign("rooms", "rooms.rest.swagger-v2.json"),
  {
    name: "RealWorld",
    repository: "gothinkster/realworld",
    source: "api/Conduit.postman_collection.json",
    document: "api/openapi.yml",
  },
  { name: "Flask boilerplate", repository: "04mg/flask-api-boilerplate", source: "postman/collection.json" },
  { name: "Go API", repository: "0xzcarlet/golang-api", source: "postman_collection.json" },
  {
    name: "Andes gateway",
    repository: "AndesWorkforce/API_GATEWAY",
    source: "postman/API_GATEWAY_Collection.json",
    environments: ["postman/environment.andes.json"],
  },
  {
    name: "Blink",
    repository: "diego-aquino/blink-backend",
    source: "docs/bruno",
    document: "docs/spec/openapi.yaml",
  },
  {
    name: "Argentina Datos",
    repository: "enzonotario/esjs-argentina-datos-api",
    source: "docs/bruno",
    document: "docs/public/openapi.json",
  },
  { name: "Bruno's tests", repository: "usebruno/bruno", source: "packages/bruno-tests/collection" },
  { name: "Dialogporten", repository: "Altinn/dialogporten-bruno", source: "" },
  { name: "Amsterdam catalog", repository: "Amsterdam/beheeromgeving-catalogus", source: "bruno" },
  { name: "AutoCert", repository: "SeakMengs/AutoCert", source: "docs/bruno" },
  { name: "WOM registry", repository: "WOM-Platform/Registry", source: "docs/bruno" },
  { name: "Bread sheet", repository: "fabelhaft-io/bread-sheet", source: "docs/bruno" },
  { name: "Go starter", repository: "AxelTahmid/golang-starter", source: "docs/bruno" },
  { name: "SLF", repository: "0x21/slf-mono", source: "bruno" },
  { name: "Directus", repository: "ComfortablyCoding/bruno-directus", source: "" },
  { name: "Factus", repository: "FactusFacturacion/factus-api-collection-v2", source: "" },
  { name: "Renault", repository: "MatthiasOs/renault-api-bruno", source: "" },
  { name: "Restful Booker", repository: "NaomiMiyake/restful-booker-bruno", source: "" },
  ...["pet-coupons", "oauth", "FAPI-PAR"].map(arazzo),
  {
    name: "Arazzo todos",
    repository: "ritza-co/e2e-testing-arazzo",
    source: "arazzo.yaml",
    document: "openapi.yaml",
  },
]
