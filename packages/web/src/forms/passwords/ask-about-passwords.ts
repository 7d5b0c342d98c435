// Asks before a password gets into the file of a saved request, which Git keeps.

import { isJsonObject, parseJson, savedRequestShape, type JsonObject } from "@callsheet/format"
import { readOperation } from "../completion/known-sources.ts"
import { TextEdit } from "../../files/text/text-edit.ts"
import { targetOf } from "../request/operation-request.ts"
import { usePasswordQuestion, type PasswordQuestion } from "./password-question.ts"
import { newPasswords, plainPasswords, type PlainPassword } from "./plain-passwords.ts"

/**
 * Returns the text to save: the same one, or one with placeholders in place of new passwords. Undefined if the user
 * cancels. `onDisk` is the text of the file.
 */
export async function askAboutPasswords(
  api: string,
  text: string,
  onDisk: string | undefined,
): Promise<string | undefined> {
  const request = requestIn(text)
  const target = request === undefined ? undefined : targetOf(request)
  if (request === undefined || target === undefined) return text
  const detail = await readOperation(api, target, undefined)
  if (detail === undefined) return text
  const before = onDisk === undefined ? undefined : requestIn(onDisk)
  const passwords = newPasswords(
    plainPasswords(request, detail),
    before === undefined ? [] : plainPasswords(before, detail),
  )
  if (passwords.length === 0) return text
  const answer = await ask({ api, passwords })
  if (answer === "cancel") return undefined
  return answer === "plain" ? text : withPlaceholders(text, passwords, answer)
}

function withPlaceholders(
  text: string,
  passwords: readonly PlainPassword[],
  names: readonly string[],
): string {
  const edited = new TextEdit(text, [], savedRequestShape)
  for (const [at, { pointer }] of passwords.entries()) edited.set(pointer, `{{${names[at] ?? ""}}}`)
  return edited.text
}

/** One question at a time: a second save waits for none and is canceled. */
function ask(question: Omit<PasswordQuestion, "answer">): Promise<Parameters<PasswordQuestion["answer"]>[0]> {
  usePasswordQuestion.getState().asked?.answer("cancel")
  return new Promise((resolve) =>
    usePasswordQuestion.setState({
      asked: {
        ...question,
        answer: (answer) => {
          usePasswordQuestion.setState({ asked: undefined })
          resolve(answer)
        },
      },
    }),
  )
}

function requestIn(text: string): JsonObject | undefined {
  const parsed = parseJson(text)
  return parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined
}
