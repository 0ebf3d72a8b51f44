import currentIds from 'spdx-license-ids/index.json' with { type: 'json' }
import deprecatedIds from 'spdx-license-ids/deprecated.json' with { type: 'json' }
import { foldUrl } from '#actors/values/identifier.ts'

// What people write for licenses whose identifiers do not follow from their names.
const commonNames: Readonly<Record<string, string>> = {
  cc0: 'CC0-1.0',
  'cc zero': 'CC0-1.0',
  'cc zero 1.0': 'CC0-1.0',
  'cc0 1.0 universal': 'CC0-1.0',
  'creative commons zero': 'CC0-1.0',
  'creative commons attribution 4.0': 'CC-BY-4.0',
  'creative commons attribution 4.0 international': 'CC-BY-4.0',
  'cc by 4.0 international': 'CC-BY-4.0',
  'new bsd': 'BSD-3-Clause',
  'modified bsd': 'BSD-3-Clause',
  '3-clause bsd': 'BSD-3-Clause',
  'simplified bsd': 'BSD-2-Clause',
  '2-clause bsd': 'BSD-2-Clause',
  'mozilla public license 2.0': 'MPL-2.0',
  'gnu gpl 3.0': 'GPL-3.0-only',
  'gnu gpl 2.0': 'GPL-2.0-only',
}

const idsBySpelling = spellIds()

/**
 * The stored form of a license: its SPDX identifier, whatever capitals, spaces, hyphens and `v`
 * before the version it was written with; or an http or https address. Undefined if it is neither.
 */
export function foldLicense(text: string): string | undefined {
  return idsBySpelling.get(text.toLowerCase()) ?? idsBySpelling.get(reduce(text)) ?? foldUrl(text)
}

// The words of Creative Commons, and what they are in its identifiers.
const creativeCommonsWords: readonly (readonly [words: RegExp, part: string])[] = [
  [/creative\s*commons/g, ' cc '],
  [/attribution/g, ' by '],
  [/non[\s-]*commercial/g, ' nc '],
  [/no[\s-]*deriv(?:ative)?s?/g, ' nd '],
  [/share[\s-]*alike/g, ' sa '],
  [/\b(?:international|unported|public|licen[cs]ed?|under|the|a|version)\b/g, ' '],
]

/**
 * The license that is meant by what names one of Creative Commons in words, or without its version,
 * which is the newest then (`CC-BY`, `Creative Commons Attribution 4.0 International (CC BY 4.0)`).
 * Undefined if the text is anything else.
 */
export function recognizeLicense(text: string): string | undefined {
  let words = text.toLowerCase()
  for (const [found, part] of creativeCommonsWords) words = words.replace(found, part)
  const parts = new Set(words.split(/[\s_,()-]+/).map((part) => part.replace(/^v(?=\d)/, '')))
  parts.delete('')
  if (!parts.has('cc') || !parts.has('by')) return undefined
  const versions = [...parts].filter((part) => /^\d/.test(part))
  const [version = '4.0', ...others] = versions
  const named = ['cc', 'by', 'nc', 'nd', 'sa'].filter((part) => parts.has(part))
  if (others.length > 0 || named.length + versions.length !== parts.size) return undefined
  return idsBySpelling.get(reduce([...named, version].join('-')))
}

/**
 * What a text that is no license would have to be; if only the version is missing, with the newest
 * that it may have meant.
 */
export function explainLicense(text: string): string {
  const rule = 'an SPDX identifier such as CC-BY-4.0, or an http or https address'
  const name = reduce(text)
  const isVersionOf = (spelling: string) =>
    spelling.startsWith(name) && /^\d[\d.]*$/.test(spelling.slice(name.length))
  const meant = name && [...idsBySpelling].findLast(([spelling]) => isVersionOf(spelling))
  return meant ? `${rule}; did you mean ${meant[1]}?` : rule
}

// No two identifiers of SPDX are reduced to one spelling; a test watches over it.
function spellIds(): Map<string, string> {
  const ids = [...deprecatedIds, ...currentIds]
  return new Map([
    ...ids.map((id) => [reduce(id), currentId(id)] as const),
    ...Object.entries(commonNames).map(([name, id]) => [reduce(name), id] as const),
    ...ids.map((id) => [id.toLowerCase(), currentId(id)] as const),
  ])
}

/** The identifier that SPDX has put in the place of a deprecated one, where the name says it. */
function currentId(id: string): string {
  return currentIds.includes(`${id}-only`) ? `${id}-only` : id
}

/** A spelling without what people write in different ways: `Apache License, v2.0` → `apache2`. */
function reduce(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(?:the|licen[cs]e|version)\b/g, '')
    .replace(/[\s_,()-]+/g, '')
    .replace(/v(?=\d)/g, '')
    .replace(/\.0(?![.\d])/g, '')
}
