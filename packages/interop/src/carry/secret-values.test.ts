import { describe, expect, it } from "vitest"
import { secretCause } from "./secret-values.ts"

describe("secretCause", () => {
  it.each([
    ["cvc", "737"],
    ["card_cvv", "7373"],
    ["otp", "123456"],
    ["password", "string"],
    ["refreshToken", "your-refresh-token"],
    ["donationToken", "YOUR_DONATION_TOKEN"],
    ["password", "<your password>"],
    ["secret", "xxxx"],
    ["apiKey", "api_key"],
    ["token", "token"],
    ["secret", "****"],
    ["orderId", "3fa85f64-5717-4562-b3fc-2c963f66afa6"],
    ["nextPageToken", "9f86d081884c7d659a2feaa0c55ad015"],
  ])("keeps %s=%s, which is a sample", (name, value) =>
    expect(secretCause(name, value, "data")).toBeUndefined(),
  )

  it.each([
    ["password", "password"],
    ["my-password", "my_password"],
    ["password", "hunter2"],
    ["password", "your2ndpassword"],
    ["password", "<p4ssw0rd>"],
    ["passcode", "1234"],
    ["cvc", "73a"],
    ["otp", "123456789"],
    ["token", "s-123456"],
    ["secret", "correct horse battery staple"],
    ["apiKey", "your-key-4711"],
  ])("takes %s=%s for a secret by its name, in doubt", (name, value) =>
    expect(secretCause(name, value, "data")).toBe("name"),
  )

  it("takes what people fill in for a secret if it is a credential", () => {
    expect(secretCause("apiKey", "YOUR_API_KEY", "credential")).toBe("name")
    expect(secretCause("cvc", "737", "credential")).toBeUndefined()
  })

  it.each([
    ["token", "9f86d081884c7d659a2feaa0c55ad015"],
    ["note", `see ghp_${"aB3".repeat(12)}`],
    ["x", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P"],
  ])("recognizes a generated value in %s", (name, value) =>
    expect(secretCause(name, value, "data")).toBe("generated"),
  )
})
