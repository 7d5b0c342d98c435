// The parts of SARIF 2.1.0 (OASIS) that GitHub's code scanning requires. Our logs contain nothing else.

export interface SarifLog {
  readonly runs: readonly [SarifRun]
}

interface SarifRun {
  readonly tool: { readonly driver: { readonly rules: readonly SarifRule[] } }
  readonly columnKind: string
  readonly results: readonly SarifResult[]
}

interface SarifRule {
  readonly id: string
  readonly shortDescription: { readonly text: string }
}

interface SarifResult {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly message: { readonly text: string }
  readonly locations?: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string }
      readonly region: { readonly startLine: number; readonly startColumn: number }
    }
  }[]
  readonly partialFingerprints: { readonly primaryLocationLineHash: string }
}

const members = (properties: object, optional: readonly string[] = []) => ({
  type: "object",
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})
// GitHub rejects empty required texts, and more than 1024 characters in a description.
const text = { type: "string", minLength: 1, maxLength: 1024 }
const message = members({ text })
const level = { enum: ["none", "note", "warning", "error"] }
const ordinal = { type: "integer", minimum: 1 }

const rule = members({
  id: text,
  shortDescription: message,
  fullDescription: message,
  help: message,
  defaultConfiguration: members({ level }),
})

const location = members({
  physicalLocation: members({
    // A relative URI reference: no scheme, no leading slash, no character that a URI must escape.
    artifactLocation: members({
      uri: {
        type: "string",
        pattern: "^(?:[A-Za-z0-9._~!$&'()*+,;=@/-]|%[0-9A-F]{2})+$",
        not: { pattern: "^/" },
      },
      uriBaseId: { const: "%SRCROOT%" },
    }),
    region: members({ startLine: ordinal, startColumn: ordinal }),
  }),
})

const result = members(
  {
    ruleId: text,
    ruleIndex: { type: "integer", minimum: 0 },
    level,
    message: members({ text: { type: "string", minLength: 1 } }),
    locations: { type: "array", minItems: 1, maxItems: 1, items: location },
    // The fingerprint that code scanning reads.
    partialFingerprints: members({ primaryLocationLineHash: text }),
  },
  ["locations"],
)

const run = members({
  tool: members({
    driver: members({
      name: text,
      version: text,
      rules: { type: "array", uniqueItems: true, maxItems: 25_000, items: rule },
    }),
  }),
  columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
  originalUriBaseIds: members({ "%SRCROOT%": members({ description: message }) }),
  results: { type: "array", items: result },
})

export const sarifSchema = members({
  $schema: { type: "string", pattern: "^https://.+sarif.+2\\.1\\.0" },
  version: { const: "2.1.0" },
  runs: { type: "array", minItems: 1, maxItems: 1, items: run },
})
