// Writes letters of other alphabets in ASCII, for names that can't have them: `cafe` for `café`.
// cspell:disable

const latin = "ä ae ö oe ü ue ß ss æ ae œ oe ø o đ d ð d ł l þ th ı i ŋ n"
const cyrillic = [
  "а a б b в v г g д d е e ё yo ж zh з z и i й y к k л l м m н n о o п p р r с s т t у u ф f х kh ц ts ч ch ш sh щ shch",
  "ъ - ы y ь - э e ю yu я ya і i ї yi є ye ґ g ў u ј j љ lj њ nj ћ c ђ dj џ dz ѓ g ќ k ѕ dz",
].join(" ")
const greek =
  "α a β v γ g δ d ε e ζ z η i θ th ι i κ k λ l μ m ν n ξ x ο o π p ρ r σ s ς s τ t υ y φ f χ ch ψ ps ω o"

const letters: ReadonlyMap<string, string> = new Map(
  [...`${latin} ${cyrillic} ${greek}`.matchAll(/(\S+) (\S+)/g)].map(([, letter = "", ascii = ""]) => [
    letter,
    ascii === "-" ? "" : ascii,
  ]),
)

/** Replaces the letters that have a usual form in ASCII. All others stay. */
export const asciiLetters = (text: string): string =>
  text
    .normalize("NFC")
    .replaceAll(
      /\P{ASCII}/gu,
      (letter) => spelled(letter) ?? spelled(withoutMarks(letter)) ?? withoutMarks(letter),
    )

const withoutMarks = (letter: string): string => letter.normalize("NFKD").replaceAll(/\p{M}/gu, "")

/** Keeps the case of the first letter. */
function spelled(letter: string): string | undefined {
  const lower = letter.toLowerCase()
  const ascii = letters.get(lower)
  return ascii === undefined || lower === letter ? ascii : ascii.charAt(0).toUpperCase() + ascii.slice(1)
}
