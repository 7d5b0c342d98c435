// Tests of the suite that callsheet doesn't pass, and why that is right for OpenAPI documents. An entry that no test
// needs is an error.

import type { Draft, SuiteGroup, SuiteTest } from "./suite.ts"

export interface Skip {
  readonly draft: Draft
  readonly file: RegExp
  /** Undefined for all groups of the files. */
  readonly group?: RegExp
  /** Undefined for all tests of the groups. */
  readonly test?: RegExp
  readonly because: string
}

const nothingIsFetched = "documents at other addresses are never fetched"
const otherFormats = "formats beyond those of the guide's list allow anything"

export const skips: readonly Skip[] = [
  {
    draft: "draft4",
    file: /^additionalItems$|^items$|^ref$/,
    group: /^(?:additionalItems|array of items|an array of schemas|relative pointer ref to array)/,
    because: "OpenAPI 3.0 has one schema in items, and no additionalItems",
  },
  { draft: "draft4", file: /^dependencies$/, because: "OpenAPI 3.0 has no dependencies" },
  {
    draft: "draft4",
    file: /^refRemote$|^definitions$|^ref$/,
    group: /remote|definition|change resolution scope/,
    because: nothingIsFetched,
  },
  {
    draft: "draft4",
    file: /^optional\/format$/,
    group: /host names/,
    because: otherFormats,
  },
  {
    draft: "draft4",
    file: /^optional\/format$/,
    test: /protocol-relative URI/,
    because: "a URI begins with its scheme (RFC 3986 section 3); later drafts of the suite say so too",
  },
  {
    draft: "draft4",
    file: /^optional\/zeroTerminatedFloats$/,
    because: "1.0 is an integer, as from draft 6 on; JSON itself does not tell the two apart",
  },
  {
    draft: "draft2020-12",
    file: /^refRemote$|^vocabulary$|^optional\/(?:cross-draft|refOfUnknownKeyword)$/,
    because: nothingIsFetched,
  },
  {
    draft: "draft2020-12",
    file: /^(?:defs|dynamicRef|ref|unevaluatedItems|unevaluatedProperties|anchor|optional\/dynamicRef)$/,
    group: /remote|metaschema|definition|refs to future drafts|\$ref to \$dynamicRef finds/,
    because: nothingIsFetched,
  },
  {
    draft: "draft2020-12",
    file: /^format$/,
    test: /is only an annotation/,
    because: "known formats are checked, because a contract that contains one means it",
  },
  {
    draft: "draft2020-12",
    file: /^optional\/(?:format\/(?!(?:date-time|date|email|uuid|uri|ipv4|ipv6)$)|format-assertion$)/,
    because: otherFormats,
  },
  {
    draft: "draft2020-12",
    file: /^optional\/dependencies-compatibility$/,
    because: "2020-12 has no dependencies",
  },
]

export const skipOf = (draft: Draft, group: SuiteGroup, test: SuiteTest): Skip | undefined =>
  skips.find(
    (skip) =>
      skip.draft === draft &&
      skip.file.test(group.file) &&
      (skip.group?.test(group.description) ?? true) &&
      (skip.test?.test(test.description) ?? true),
  )
