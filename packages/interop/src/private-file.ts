// Recognizes files that an import never reads for a collection: hidden files, secrets, keys and credentials.

import { attempt, isSecretName } from "@callsheet/format"
import { issuedTokens } from "./carry/secret-values.ts"

/**
 * Returns whether a path names a private file on any operating system: without case, with either separator, and with
 * what Windows ignores at the end of a name. `.` and `..` don't count as hidden.
 */
export function isPrivatePath(path: string): boolean {
  const segments = path.split(/[/\\]/)
  const names = segments.map((segment) => (/^\.{1,2}$/.test(segment) ? "" : nameOf(segment)))
  // A colon separates a stream, and `SSH~1` is a short name.
  if (names.some((name) => /^\s*\.|:|~\d/.test(name))) return true
  const name = names.at(-1) ?? ""
  return privateNames.test(name) || (secretsName.test(name) && !isActionName(segments.at(-1) ?? ""))
}

/** Windows ignores dots and spaces at the end. */
const nameOf = (segment: string): string =>
  segment
    .normalize("NFKC")
    .replaceAll(/\p{Cf}/gu, "")
    .replace(/(?<![. ])[. ]+$/, "")
    .toLowerCase()

// cspell:disable
const privateNames = new RegExp(
  [
    String.raw`^(?:id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|ssh_host_\w+_key|identity)$`,
    String.raw`^(?:_?(?:netrc|npmrc|pgpass|pypirc|vault_pass)|pgpass\.conf|htpasswd|shadow|kubeconfig)$`,
    String.raw`^(?:(?:aws_)?credentials|application_default_credentials\.json|secring\.gpg)$`,
    String.raw`^env(?:\..*)?$|\.env(?:\..*)?$|secrets?\.(?:env|toml|ini|properties)$`,
    String.raw`\.(?:ppk|p12|pfx|pkcs12|p8|pkcs8|jks|jceks|bks|keystore|kdbx?|keychain(?:-db)?|agekey|tfstate|tfvars)$`,
  ].join("|"),
)

// cspell:enable

const secretsName = /secrets?\.(?:json|ya?ml)$/

const actions = new Set(
  "get list read create add update delete remove generate regenerate rotate reset revoke".split(" "),
)

/** Returns whether a name is that of a request or an operation, such as `generateTwoFactorSecret.yaml`. */
function isActionName(name: string): boolean {
  const [, verb = ""] = /^([A-Za-z][a-z]*)[A-Z _-]/.exec(name) ?? []
  return actions.has(verb.toLowerCase())
}

/** Returns whether the content is a private key or a credential, in text of any encoding or in binary. */
export function isPrivateContent(bytes: Uint8Array): boolean {
  if (binaryKeys.some((isKey) => isKey(bytes))) return true
  const text = new TextDecoder("latin1").decode(bytes).replaceAll("\0", "")
  return (
    textKeys.some((pattern) => pattern.test(text)) || isJwk(text) || hidesKey(text) || isEnvironment(text)
  )
}

/** Returns whether the bytes start with a DER sequence whose content, in hexadecimal, matches. */
const isDer =
  (content: RegExp) =>
  (bytes: Uint8Array): boolean => {
    if (bytes[0] !== 0x30) return false
    const length = bytes[1] ?? 0
    const from = 2 + (length > 0x80 ? length - 0x80 : 0)
    return content.test(hex(bytes.subarray(from, from + 64)))
  }

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")

const startsWith =
  (start: string, at = 0) =>
  (bytes: Uint8Array): boolean =>
    hex(bytes.subarray(at, at + start.length / 2)) === start

const derLength = "(?:[0-7].|81..|82....|83......)"

// cspell:disable
const binaryKeys: readonly ((bytes: Uint8Array) => boolean)[] = [
  // PKCS#1 and PKCS#8, EC keys, encrypted PKCS#8, and PKCS#12.
  isDer(new RegExp(`^02010[01](?:02${derLength}|30${derLength}0[6]|04)`)),
  isDer(new RegExp(`^30${derLength}06(?:092a864886f70d0105|0a2a864886f70d010c01)`)),
  isDer(new RegExp(`^02010330(?:80|${derLength})06`)),
  // JKS, JCEKS, KeePass, a GnuPG keybox, and an old SSH key.
  startsWith("feedfeed"),
  startsWith("cececece"),
  startsWith("03d9a29a"),
  startsWith("4b425866", 8),
  // A secret key packet of OpenPGP: its tag, its length, and the version of the key.
  (bytes) => /^(?:94..|95....|96.{8}|97|c5(?:[0-b].|[cd]...|ff.{8}))0[3-6]/.test(hex(bytes.subarray(0, 8))),
]

const textKeys: readonly RegExp[] = [
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY|SSH PRIVATE KEY FILE FORMAT/i,
  /^PuTTY-User-Key-File-\d/m,
  /AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]/i,
  /^untrusted comment: [^\n]{0,80}secret key/im,
  /\((?:\d+:)?"?(?:protected-|shadowed-)?private-key/,
  // kubeconfig, AWS, Docker, Google and GitHub.
  /^[ \t]*"?kind"?[ \t]*:[ \t]*"?Config\b/m,
  /\bclient-key-data["']?[ \t]*:/,
  /\b(?:aws_)?(?:secret_access_key|secretaccesskey)["']?[ \t]*[:=]|\baws_session_token["']?[ \t]*[:=]/i,
  /"auths"[ \t]*:[ \t\r\n]{0,80}\{/,
  /"type"[ \t]*:[ \t]*"(?:service_account|authorized_user)"|"private_key_id"/,
  /^[ \t]*oauth_token[ \t]*:/m,
  // .netrc, .npmrc, .yarnrc, .pypirc, .my.cnf, .git-credentials, .pgpass, htpasswd, shadow and WireGuard.
  /(?:^|\s)(?:machine\s{1,80}\S{1,255}|default)\s{1,80}(?:(?:login|account)\s{1,80}\S{1,255}\s{1,80}){0,2}password\s/,
  /^[ \t]*(?:\/\/\S{1,500}:)?_(?:auth|authToken|password)[ \t]*=|^[ \t]*"?npmAuth(?:Token|Ident)"?[ \t]*:/m,
  /^\[(?:pypi|testpypi|distutils|client|mysql)\][^[]{0,4000}^[ \t]*password[ \t]*[:=]/m,
  /^https?:\/\/[^\s/:@]{0,255}:[^\s/@]{1,2000}@[^\s/]{1,255}\/?[ \t]*$/m,
  /^[\w.*-]{1,255}:(?:\d{3,5}|\*):[^\s:]{1,255}:[^\s:]{1,255}:[^\s:]{1,255}$/m,
  /^[\w.@-]{1,255}:(?:\$(?:1|2[aby]|5|6|y|apr1|argon2\w*)\$|\{SHA\})/m,
  /^[ \t]*PrivateKey[ \t]*=[ \t]*[A-Za-z0-9+/]{43}=/m,
  ...issuedTokens,
]

// cspell:enable

const isJwk = (text: string): boolean =>
  /"kty"[ \t]*:/.test(text) &&
  (/"kty"[ \t]*:[ \t]*"oct"/.test(text) || /"d"[ \t]*:[ \t]*"[\w-]{20}/.test(text))

/** Returns whether the text contains the Base64 of a private key in PEM. */
function hidesKey(text: string): boolean {
  for (const [run] of text.matchAll(/LS0tLS1CRUdJTi[A-Za-z0-9+/]{40,80}/g))
    if (/PRIVATE KEY/.test(attempt(() => atob(run.slice(0, run.length - (run.length % 4)))) ?? ""))
      return true
  return false
}

/** Returns whether every line assigns a variable of the environment, one of them a secret. */
function isEnvironment(text: string): boolean {
  const lines = text.split(/[\r\n]+/).filter((line) => !/^\s*(?:#|$)/.test(line))
  const names = lines.map((line) => /^\s*(?:export\s+|set\s+)?([A-Z][A-Z0-9_]*)\s*=/.exec(line)?.[1])
  return names.every((name) => name !== undefined) && names.some((name) => isSecretName(name ?? ""))
}
