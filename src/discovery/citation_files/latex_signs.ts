import { accents, signs } from '#src/discovery/citation_files/latex_commands.ts'

/** Signs in a row that LaTeX prints as one. */
export const ligatures: readonly (readonly [signs: string, written: string])[] = [
  ['---', '—'],
  ['--', '–'],
  ['``', '“'],
  ["''", '”'],
  ['?`', '¿'],
  ['!`', '¡'],
]

// Accents by a sign, and by a letter.
const mark = String.raw`(["'${'`'}^~=.])`
const letterMark = '([uvHcdbrk])'
const letter = '([A-Za-z])'

// What stands for one sign wherever it stands: ligatures, accents on a letter, letters by name.
const simpleForm = new RegExp(
  [
    "-{2,3}|``|''|[?!]`|~",
    String.raw`\\[&%#_]`,
    String.raw`\\${mark}\{?${letter}`,
    String.raw`\\${letterMark}(?: +|\{)${letter}`,
    String.raw`\\([A-Za-z]{1,2})(?=\})`,
  ].join('|'),
  'g',
)

/**
 * A text that has, but for braces, nothing of LaTeX that depends on what stands around it;
 * undefined if it has more.
 */
export function readSimple(source: string): string | undefined {
  let text = ''
  let from = 0
  simpleForm.lastIndex = 0
  for (let found = simpleForm.exec(source); found !== null; found = simpleForm.exec(source)) {
    const written = writtenFor(found)
    const before = source.slice(from, found.index)
    if (written === undefined || hasMore(before)) return undefined
    text += withoutBraces(before) + written
    from = simpleForm.lastIndex
  }
  const end = source.slice(from)
  return hasMore(end) ? undefined : text + withoutBraces(end)
}

function hasMore(text: string): boolean {
  return text.includes('\\') || text.includes('$') || text.includes('`')
}

function withoutBraces(text: string): string {
  return text.includes('{') || text.includes('}') ? text.replace(/[{}]/g, '') : text
}

function writtenFor([whole, sign, signed, accent, accented, name]: RegExpExecArray):
  | string
  | undefined {
  if (name !== undefined) return signs.get(name)
  if (sign !== undefined) return `${signed}${accents.get(sign)}`
  if (accent !== undefined) return `${accented}${accents.get(accent)}`
  if (whole.startsWith('\\')) return whole.slice(1)
  return whole === '~' ? ' ' : ligatures.find(([marks]) => marks === whole)?.[1]
}

// `{\'e}`, `{\'{e}}`, `\'e`, `\'{e}`, `{\v c}`, `{\v{c}}`, `\v{c}` and `{\o}`: their braces too.
const letterForm = new RegExp(
  [
    String.raw`\{\\${mark}(?:${letter}|\{${letter}\})\}`,
    String.raw`\\${mark}(?:${letter}|\{${letter}\})`,
    String.raw`\{\\${letterMark}(?: ${letter}|\{${letter}\})\}`,
    String.raw`\\${letterMark}\{${letter}\}`,
    String.raw`\{\\([A-Za-z]{1,2})\}`,
  ].join('|'),
  'g',
)

/** A text in which letters that LaTeX has a command for are as they are printed. */
export function spellLetters(source: string): string {
  if (!source.includes('\\') || source.includes('\\\\')) return source
  return source.replace(letterForm, (whole, ...groups: readonly unknown[]) => {
    const [name, base] = groups.filter((group) => typeof group === 'string')
    // Behind the groups stands the source.
    if (base === source || base === undefined) return signs.get(name ?? '') ?? whole
    return `${base}${accents.get(name ?? '')}`.normalize('NFC')
  })
}
