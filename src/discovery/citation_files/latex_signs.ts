import { normalForm } from '#actors/values/text.ts'
import type { BibtexEntry } from '#src/discovery/citation_files/citation_library.ts'

// Commands that the library does not know.
const signs: Readonly<Record<string, string>> = {
  aa: 'å',
  AA: 'Å',
  S: '§',
  P: '¶',
  dots: '…',
  ldots: '…',
  TeX: 'TeX',
  LaTeX: 'LaTeX',
  BibTeX: 'BibTeX',
}

const signForm = new RegExp(
  `\\\\(${Object.keys(signs).join('|')})(?![A-Za-z])(?:\\{\\}|[ \\t]*)`,
  'g',
)

// Addresses are taken as they are.
const verbatimFields = new Set(['url', 'doi', 'eprint', 'file'])

/** An entry whose values have signs instead of some commands of LaTeX. */
export function spellSigns(entry: BibtexEntry): BibtexEntry {
  const properties = Object.entries(entry.properties).map(([name, value]) => {
    const isText = typeof value === 'string' && !verbatimFields.has(name)
    return [name, isText ? spell(value) : value] as const
  })
  return { ...entry, properties: Object.fromEntries(properties) }
}

function spell(text: string): string {
  // A hyphen that only says where a word may be parted is no part of it.
  const whole = text.replaceAll('\\-', '')
  return whole.replace(signForm, (_, name: string) => signs[name] ?? '')
}

/** A body whose accents stand on letters: LaTeX puts them on an i or a j without its dot. */
export function composeLetters(
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const compose = (_: string, value: unknown) => {
    if (typeof value !== 'string') return value
    const dotted = value.replace(/ı(?=\p{Mn})/gu, 'i').replace(/ȷ(?=\p{Mn})/gu, 'j')
    return normalForm(dotted, 'NFC')
  }
  return JSON.parse(JSON.stringify(body), compose) as Readonly<Record<string, unknown>>
}

/** The commands of LaTeX that are left in a body, each once. */
export function leftCommands(body: Readonly<Record<string, unknown>>): readonly string[] {
  const texts = ['work_title', 'authors', 'container_title', 'publisher_name', 'description']
  const found = texts.flatMap((name) => {
    const text = body[name]
    return typeof text === 'string' ? (text.match(/\\[A-Za-z]+/g) ?? []) : []
  })
  return [...new Set(found)].slice(0, 10)
}
