// Words that read as translated. No source, test, page of documentation or message may contain them.

const everywhere = String.raw`(?<!\bthere )\bis no\b(?! (?:longer|deeper|more|less)\b)|\bcame\b|\bmend(?:s|ed|ing)?\b|\banew\b|\bof which there\b|\btold\b|\bMOST_`

export const bannedWords = new RegExp(everywhere, "i")

/** Messages and titles of tests avoid more of them, because they are read without their context. */
export const bannedInMessages = new RegExp(
  String.raw`${everywhere}|\b(?:are|has|have) no (?:string|number|array|object|path|name|field|JSON|file|folder)\b|\bof which\b|\bbeforehand\b|\balone\b|\blacks?\b|\bstands?\b|\bholds?\b`,
  "i",
)
