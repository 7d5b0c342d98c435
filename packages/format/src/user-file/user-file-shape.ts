// The shape of the user's own file, which is outside every project: client certificates and resolvers of secrets.

import { messages } from "../messages.ts"
import {
  array,
  map,
  object,
  optional,
  required,
  string,
  textCheck,
  version,
  type TypeOf,
} from "../shape/shape.ts"

const { origin, resolverName } = messages["field-value"]

const checkOrigin = textCheck(
  /^https:\/\/(?:[^\s/?#@:[\]]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?\/?$/u,
  "an https origin, such as https://api.example.com:8443",
  () => origin(),
)

const checkResolverName = textCheck(
  /^[A-Za-z0-9][A-Za-z0-9._-]*$/u,
  'letters, digits, ".", "_" and "-", the first a letter or a digit',
  resolverName,
)

const checkText = textCheck(/\S/u, "a text", messages["id-invalid"].empty)

const certificateShape = object({
  origin: required(string(checkOrigin), "The server: `https://<host>`, with the port if it isn't 443."),
  environment: optional(
    string(checkText),
    "Use it only in this environment. Takes precedence over an entry without one.",
  ),
  cert: optional(string(checkText), "Client certificate with its chain (PEM). Requires `key`."),
  key: optional(string(checkText), "Private key of `cert` (PEM)."),
  pfx: optional(
    string(checkText),
    "Client certificate and key in one file (PKCS #12). Replaces `cert` and `key`.",
  ),
  passphrase: optional(string(), "Passphrase of `key` or `pfx`."),
  ca: optional(string(checkText), "Certificate authorities to trust in addition to the system's (PEM)."),
})

export type UserCertificate = TypeOf<typeof certificateShape>

const resolverShape = object({
  command: required(
    array(() => string()),
    "Program and arguments, run without a shell. callsheet replaces `{reference}` in an argument.",
  ),
})

export const userFileShape = object({
  $schema: optional(string(), "JSON Schema for editors."),
  version: required(version, "File format version."),
  certificates: optional(
    array(() => certificateShape),
    "Client certificates and certificate authorities by origin.",
  ),
  resolvers: optional(map(resolverShape, checkResolverName), "Programs that resolve secrets, by name."),
})

export type UserFile = TypeOf<typeof userFileShape>
