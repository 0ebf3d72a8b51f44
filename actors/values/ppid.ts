import { checkCharacter } from '#actors/values/ark.ts'
import { type RandomBytes, randomBetanumerics } from '#actors/values/betanumeric.ts'

/** Random characters of a ppid: 29^10, or 4·10^14, so that a second draw of one is no concern. */
const ppidCharacters = 10

const ppidForm = /^p[0-9bcdfghjkmnpqrstvwxz]{11}$/

/** Draws the name of a person, for ever: `p`, ten random betanumerics, and a check character. */
export function mintPpid(random: RandomBytes): string {
  const stem = `p${randomBetanumerics(ppidCharacters, random)}`
  return stem + checkCharacter(stem)
}

/** Whether a text is a ppid with the right check character; whether anybody has it is not said. */
export function isPpid(text: string): boolean {
  return ppidForm.test(text) && checkCharacter(text.slice(0, -1)) === text.slice(-1)
}
