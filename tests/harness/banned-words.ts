// Words that read as translated. No source, page of documentation or message may have them.

const everywhere = String.raw`(?<!\bthere )\bis no\b(?! (?:longer|deeper|more|less)\b)|\bcame\b|\bmend(?:s|ed|ing)?\b|\banew\b|\bof which there\b|\btold\b|\bMOST_`

export const bannedWords = new RegExp(everywhere, "i")

/** Messages avoid more of them, because a reader meets a message without its context. */
export const bannedInMessages = new RegExp(
  String.raw`${everywhere}|\b(?:are|has|have) no (?:string|number|array|object|path|name|field|JSON|file|folder)\b|\bof which\b|\bbeforehand\b|\balone\b|\blacks?\b|\bstands?\b|\bholds?\b`,
  "i",
)
