import { checkCharacter, checkZoneMax } from '#actors/values/ark.ts'
import { type RandomBytes, randomBetanumerics } from '#actors/values/betanumeric.ts'
import { assert } from '#log/errors.ts'

/** Random characters of a minted name: 29^8, or 5·10^11, names for each shoulder. */
export const bladeCharacters = 8

// A quarter of all names is fit, so that one draw of this many nearly always has one.
const namesPerDraw = 8
// As many draws without a fit name mean a broken source of randomness.
const drawsMax = 100

// Path tails that the interface gives a meaning of its own.
const tail = /^(?:v\d+|versions|history|verify|claim|withdraw|citation)$/
const consonantRun = /[a-z]{3}/

/**
 * Mints a name: the shoulder, random betanumerics, and the check character over `naan/name`. Draws
 * again while the name has three consonants in a row or reads as a path tail such as `v2`.
 */
export function mintName({
  naan,
  shoulder,
  random,
}: {
  readonly naan: string
  readonly shoulder: string
  readonly random: RandomBytes
}): string {
  const zoneCharacters = naan.length + 1 + shoulder.length + bladeCharacters
  assert(zoneCharacters <= checkZoneMax, 'the check character covers the whole zone')
  for (let draws = 0; ; draws++) {
    assert(draws < drawsMax, 'random bytes lead to a fit name')
    const blades = randomBetanumerics(namesPerDraw * bladeCharacters, random)
    for (let at = 0; at < blades.length; at += bladeCharacters) {
      const stem = shoulder + blades.slice(at, at + bladeCharacters)
      const name = stem + checkCharacter(`${naan}/${stem}`)
      if (isFit(name, shoulder)) return name
    }
  }
}

function isFit(name: string, shoulder: string): boolean {
  return !consonantRun.test(name.slice(shoulder.length)) && !readsAsTail(name)
}

/** Whether a name would be taken for the tail of a path. */
export function readsAsTail(name: string): boolean {
  return tail.test(name)
}
