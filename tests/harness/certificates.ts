// Self-signed certificates for servers on loopback, each with one fault that a client must detect. All have the sample
// API's key.

import { certificate } from "../../examples/shop/server/certificate.ts"

const { key } = certificate

export const localhost = certificate

export const otherHost = {
  key,
  /** A certificate for other.example, valid until 2120. */
  cert: `-----BEGIN CERTIFICATE-----
MIIBSzCB8qADAgECAhBACZAykpp0o1aKTSOBahFEMAoGCCqGSM49BAMCMBgxFjAU
BgNVBAMMDW90aGVyLmV4YW1wbGUwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEw
MDAwMDBaMBgxFjAUBgNVBAMMDW90aGVyLmV4YW1wbGUwWTATBgcqhkjOPQIBBggq
hkjOPQMBBwNCAASL1t64hVZ9sCrmxZADTany+vmLQaT69mhwrRCAmXvmCBwr5ERM
8g6g7phElConvYuCd22A8BLXAK1AZSoEnokKoxwwGjAYBgNVHREEETAPgg1vdGhl
ci5leGFtcGxlMAoGCCqGSM49BAMCA0gAMEUCIFfETuVNxJblxbxcKNkYncVKjxYt
iNKhh6CYX7B5uOLjAiEAnNAHTUjKIZoQ2/UuC3/ufR5VWGvP1vDHNo2azUIZkq0=
-----END CERTIFICATE-----
`,
}

export const expired = {
  key,
  /** A certificate for localhost, valid in 2020. */
  cert: `-----BEGIN CERTIFICATE-----
MIIBVTCB/KADAgECAhBApXQfvopmyIsoCa3l4MGyMAoGCCqGSM49BAMCMBQxEjAQ
BgNVBAMMCWxvY2FsaG9zdDAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBa
MBQxEjAQBgNVBAMMCWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IA
BIvW3riFVn2wKubFkANNqfL6+YtBpPr2aHCtEICZe+YIHCvkREzyDqDumESUKie9
i4J3bYDwEtcArUBlKgSeiQqjMDAuMCwGA1UdEQQlMCOCCWxvY2FsaG9zdIcEfwAA
AYcQAAAAAAAAAAAAAAAAAAAAATAKBggqhkjOPQQDAgNIADBFAiBEsm+34LyP+l6v
hkWBiLOmyuPkKRw2hHlgH5Grwxzo9AIhAOXNGIC39Z/fONS0WPRCnvcfzmQLQzm5
S5p76h6rqU7I
-----END CERTIFICATE-----
`,
}

export const notYetValid = {
  key,
  /** A certificate for localhost, valid from 2119. */
  cert: `-----BEGIN CERTIFICATE-----
MIIBWzCCAQCgAwIBAgIQQHtrYAGL9poKC6spvnacuTAKBggqhkjOPQQDAjAUMRIw
EAYDVQQDDAlsb2NhbGhvc3QwIhgPMjExOTAxMDEwMDAwMDBaGA8yMTIwMDEwMTAw
MDAwMFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0D
AQcDQgAEi9beuIVWfbAq5sWQA02p8vr5i0Gk+vZocK0QgJl75ggcK+RETPIOoO6Y
RJQqJ72LgndtgPAS1wCtQGUqBJ6JCqMwMC4wLAYDVR0RBCUwI4IJbG9jYWxob3N0
hwR/AAABhxAAAAAAAAAAAAAAAAAAAAABMAoGCCqGSM49BAMCA0kAMEYCIQCF2BpQ
LKw/DuMdD0uA4JltQ1Dd/HzYgbgA4CX/cVHrtQIhAPoHJrlFXbByxweMm3qjY03/
xpaFhQtTvX/ojv2T4udu
-----END CERTIFICATE-----
`,
}
