// A function of texts that remembers its answers.

/** Texts made from responses are without end: at 10,000 all answers are forgotten, so that a long run's memory stays flat. */
export function rememberTexts<T extends object>(read: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    let answer = known.get(text)
    if (answer === undefined) {
      answer = read(text)
      if (known.size > 10_000) known.clear()
      known.set(text, answer)
    }
    return answer
  }
}
