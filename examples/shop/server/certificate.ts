// The self-signed certificate of the sample API's TLS servers, for localhost. Valid until 2120.

/** This key is public, so no client should trust the certificate. The `tls` environment turns off verification. */
export const certificate = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgyhrPfNwtEb47NLjY
fP4HvA7GOFQUtcpfX5TjJuzBZBihRANCAASL1t64hVZ9sCrmxZADTany+vmLQaT6
9mhwrRCAmXvmCBwr5ERM8g6g7phElConvYuCd22A8BLXAK1AZSoEnokK
-----END PRIVATE KEY-----
`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBWDCB/qADAgECAhBAlSdqttz7QRqaYkQSy1y3MAoGCCqGSM49BAMCMBQxEjAQ
BgNVBAMMCWxvY2FsaG9zdDAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAw
MFowFDESMBAGA1UEAwwJbG9jYWxob3N0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcD
QgAEi9beuIVWfbAq5sWQA02p8vr5i0Gk+vZocK0QgJl75ggcK+RETPIOoO6YRJQq
J72LgndtgPAS1wCtQGUqBJ6JCqMwMC4wLAYDVR0RBCUwI4IJbG9jYWxob3N0hwR/
AAABhxAAAAAAAAAAAAAAAAAAAAABMAoGCCqGSM49BAMCA0kAMEYCIQCOzbN6tF3i
cu/QCnEopEDkodycheWG/wiC8clM26Q/DgIhAOUSZCk+2YtdTVhoyOVYDel5v0ju
ABTXIPWJKBU81lUX
-----END CERTIFICATE-----
`,
}
