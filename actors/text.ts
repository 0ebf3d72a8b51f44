import type { FaultList } from '#actors/fault_list.ts'

/** How a text is read: its greatest length in characters, and whether it may have lines. */
export type TextRule = { readonly max: number; readonly lines: boolean }

const special = /[^\x20-\x7e]/
// Control characters but TAB, LF and CR, and what is no character at all: lone surrogates and the
// code points that Unicode reserves, which neither XML nor I-JSON (RFC 7493 §2.1) can carry.
const forbidden = /[^\P{Cc}\t\n\r]|[\p{Cs}\p{Noncharacter_Code_Point}]/u
// Code units that forbidden characters have, and few others: four times as fast to look for.
const suspect = /[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd]/
// No two of these characters compose, and none decomposes: most texts need no normalising.
const normal = /^[\t\n\r\x20-\u02ff\u2010-\u2027]*$/
const spaces = /[\t\n\r ]+/g
const lineBreak = /[\t\n\r]/

/**
 * Reads a text: trimmed, in NFC, and on one line unless `lines` are allowed (TAB, LF and CR then
 * become one space). Adds a fault at `path` and gives undefined if the value is no such text.
 */
export function readText(
  value: unknown,
  path: string,
  rule: TextRule,
  faults: FaultList,
): string | undefined {
  if (typeof value !== 'string') {
    faults.addWrongType(path, 'a string', value)
    return undefined
  }
  const text = special.test(value) ? cleanText(value, path, rule.lines, faults) : value.trim()
  if (text === undefined) return undefined
  if (text === '') {
    faults.add(path, 'empty', `${path} must not be empty; leave it out if there is none`)
    return undefined
  }
  if (text.length > rule.max && countCharacters(text) > rule.max) {
    const length = `at most ${rule.max} characters, not ${countCharacters(text)}`
    faults.add(path, 'too_long', `${path} may have ${length}`)
    return undefined
  }
  return text
}

// Normalising costs more than all other rules together: texts in ASCII never come here.
function cleanText(
  value: string,
  path: string,
  lines: boolean,
  faults: FaultList,
): string | undefined {
  const found = suspect.test(value) ? forbidden.exec(value) : null
  if (found !== null) {
    addForbidden(value, found.index, path, faults)
    return undefined
  }
  const text = lines ? value : value.replace(spaces, (run) => (lineBreak.test(run) ? ' ' : run))
  return normal.test(text) ? text.trim() : text.trim().normalize('NFC')
}

function addForbidden(value: string, index: number, path: string, faults: FaultList): void {
  const code = value.codePointAt(index) ?? 0
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const place = `at character ${countCharacters(value.slice(0, index)) + 1}`
  if (code < 0xa0) {
    const message = `${path} has the control character ${name} ${place}; remove it`
    faults.add(path, 'control_character', message)
  } else {
    const message = `${path} has ${name} ${place}, which is not a Unicode character; remove it`
    faults.add(path, 'bad_character', message)
  }
}

/** Characters of a text: code points, so that one outside the BMP counts once. */
export function countCharacters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
