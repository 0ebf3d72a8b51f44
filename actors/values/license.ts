import currentIds from 'spdx-license-ids/index.json' with { type: 'json' }
import deprecatedIds from 'spdx-license-ids/deprecated.json' with { type: 'json' }
import spdxList from 'spdx-license-list/spdx.json' with { type: 'json' }
import { foldUrl } from '#actors/values/identifier.ts'
import { lazily } from '#actors/values/lazy_table.ts'
import { nearestName } from '#actors/values/nearest_name.ts'

type Listed = { readonly name: string; readonly url?: string }

// The names and addresses of SPDX's list. Its newest licences may be in the list of identifiers
// alone, and are their own names then.
const listed = new Map<string, Listed>(Object.entries(spdxList as Record<string, Listed>))

// What SPDX says to take for a deprecated identifier, where the identifier does not say it.
const replacements: Readonly<Record<string, string>> = {
  'BSD-2-Clause-FreeBSD': 'BSD-2-Clause-Views',
  'BSD-2-Clause-NetBSD': 'BSD-2-Clause',
  Nunit: 'zlib-acknowledgement',
  'StandardML-NJ': 'SMLNJ',
  'bzip2-1.0.5': 'bzip2-1.0.6',
}

const currentIdSet = new Set(currentIds)
const ids = [...new Set([...deprecatedIds, ...listed.keys(), ...currentIds])]

/**
 * The identifier that SPDX has put in the place of a deprecated one; the same where none has been,
 * as for those of a licence with an exception.
 */
function currentId(id: string): string {
  if (currentIdSet.has(id)) return id
  const only = id.endsWith('+') ? `${id.slice(0, -1)}-or-later` : `${id}-only`
  return currentIdSet.has(only) ? only : (replacements[id] ?? id)
}

// What people write for licenses whose identifiers do not follow from their names.
const commonNames: Readonly<Record<string, string>> = {
  cc0: 'CC0-1.0',
  'cc zero': 'CC0-1.0',
  'cc zero 1.0': 'CC0-1.0',
  'cc0 1.0 universal': 'CC0-1.0',
  'creative commons zero': 'CC0-1.0',
  'creative commons zero 1.0': 'CC0-1.0',
  'creative commons 0': 'CC0-1.0',
  'creative commons cc0': 'CC0-1.0',
  'creative commons cc0 1.0': 'CC0-1.0',
  'cc0 1.0 universal public domain dedication': 'CC0-1.0',
  'public domain mark': 'CC-PDM-1.0',
  'public domain mark 1.0': 'CC-PDM-1.0',
  'cc pdm': 'CC-PDM-1.0',
  'cc pdm 1.0': 'CC-PDM-1.0',
  pdm: 'CC-PDM-1.0',
  'pdm 1.0': 'CC-PDM-1.0',
  'creative commons attribution 4.0': 'CC-BY-4.0',
  'creative commons attribution 4.0 international': 'CC-BY-4.0',
  'cc by 4.0 international': 'CC-BY-4.0',
  'new bsd': 'BSD-3-Clause',
  'modified bsd': 'BSD-3-Clause',
  '3-clause bsd': 'BSD-3-Clause',
  'original bsd': 'BSD-4-Clause',
  freebsd: 'BSD-2-Clause-Views',
  'simplified bsd': 'BSD-2-Clause',
  '2-clause bsd': 'BSD-2-Clause',
  'mozilla public license 2.0': 'MPL-2.0',
  expat: 'MIT',
  'asl 2.0': 'Apache-2.0',
  'apache software license 2.0': 'Apache-2.0',
  'dl-de/by-2-0': 'DL-DE-BY-2.0',
  'dl-de/zero-2-0': 'DL-DE-ZERO-2.0',
  'datenlizenz deutschland namensnennung 2.0': 'DL-DE-BY-2.0',
  'datenlizenz deutschland zero 2.0': 'DL-DE-ZERO-2.0',
  'dl-by-de/2.0': 'DL-DE-BY-2.0',
  'dl-zero-de/2.0': 'DL-DE-ZERO-2.0',
  'licence ouverte / open licence 2.0': 'etalab-2.0',
  'sil ofl 1.1': 'OFL-1.1',
  'ogl 3.0': 'OGL-UK-3.0',
  'uk open government licence 3.0': 'OGL-UK-3.0',
  'bsd zero clause': '0BSD',
  'bsd 0-clause': '0BSD',
  odbl: 'ODbL-1.0',
  'odc odbl': 'ODbL-1.0',
  'odc by': 'ODC-By-1.0',
  pddl: 'PDDL-1.0',
  'odc pddl': 'PDDL-1.0',
  'open data commons public domain dedication and license': 'PDDL-1.0',
  'open database license': 'ODbL-1.0',
  'open data commons open database license': 'ODbL-1.0',
  'open data commons attribution license': 'ODC-By-1.0',
  'licence ouverte 2.0': 'etalab-2.0',
  'gnu general public license 3.0': 'GPL-3.0-only',
  'gnu general public license 2.0': 'GPL-2.0-only',
  'gnu lesser general public license 3.0': 'LGPL-3.0-only',
  'gnu lesser general public license 2.1': 'LGPL-2.1-only',
}

// Addresses of daily use beside those of SPDX's list, of licences that have them alone.
const commonAddresses: Readonly<Record<string, string>> = {
  'apache.org/licenses/license-2.0': 'Apache-2.0',
  'creativecommons.org/share-your-work/public-domain/cc0': 'CC0-1.0',
  'mozilla.org/en-us/mpl/2.0': 'MPL-2.0',
  'opendatacommons.org/licenses/odbl': 'ODbL-1.0',
  'opendatacommons.org/licenses/odbl/1-0': 'ODbL-1.0',
  'opendatacommons.org/licenses/by': 'ODC-By-1.0',
  'opendatacommons.org/licenses/by/1-0': 'ODC-By-1.0',
  'opendatacommons.org/licenses/pddl': 'PDDL-1.0',
  'opendatacommons.org/licenses/pddl/1-0': 'PDDL-1.0',
  'opensource.org/licenses/mit-license': 'MIT',
  'choosealicense.com/licenses/mit': 'MIT',
  'joinup.ec.europa.eu/collection/eupl/eupl-text-eupl-12': 'EUPL-1.2',
  'choosealicense.com/licenses/apache-2.0': 'Apache-2.0',
}

// The statements of rightsstatements.org, by the last part of their addresses.
const rightsStatements: Readonly<Record<string, string>> = {
  InC: 'In Copyright',
  'InC-OW-EU': 'In Copyright - EU Orphan Work',
  'InC-EDU': 'In Copyright - Educational Use Permitted',
  'InC-NC': 'In Copyright - Non-Commercial Use Permitted',
  'InC-RUU': 'In Copyright - Rights-holder(s) Unlocatable or Unidentifiable',
  'NoC-CR': 'No Copyright - Contractual Restrictions',
  'NoC-NC': 'No Copyright - Non-Commercial Use Only',
  'NoC-OKLR': 'No Copyright - Other Known Legal Restrictions',
  'NoC-US': 'No Copyright - United States',
  CNE: 'Copyright Not Evaluated',
  UND: 'Copyright Undetermined',
  NKC: 'No Known Copyright',
}

function statementAddress(code: string): string {
  return `http://rightsstatements.org/vocab/${code}/1.0/`
}

const statementNames = new Map(
  Object.entries(rightsStatements).map(([code, name]) => [statementAddress(code), name]),
)

// Names of several licences, the likeliest first, and of what may be one.
const sharedNames: Readonly<Record<string, readonly string[]>> = {
  'public domain': ['CC-PDM-1.0', 'CC0-1.0'],
  pd: ['CC-PDM-1.0', 'CC0-1.0'],
  'cc pd': ['CC-PDM-1.0', 'CC0-1.0'],
  'public domain dedication': ['CC0-1.0', 'PDDL-1.0'],
  'datenlizenz deutschland': ['DL-DE-BY-2.0', 'DL-DE-ZERO-2.0'],
  'dl-de': ['DL-DE-BY-2.0', 'DL-DE-ZERO-2.0'],
  'uk open government licence': ['OGL-UK-3.0', 'OGL-UK-2.0'],
  ogl: ['OGL-Canada-2.0', 'OGL-UK-1.0', 'OGL-UK-2.0', 'OGL-UK-3.0'],
  'ogl uk': ['OGL-UK-3.0', 'OGL-UK-2.0'],
  'ogl 2.0': ['OGL-UK-2.0', 'OGL-Canada-2.0'],
  perl: ['Artistic-1.0-Perl', 'GPL-1.0-or-later'],
  gpl: ['GPL-3.0-only', 'GPL-3.0-or-later'],
  lgpl: ['LGPL-3.0-only', 'LGPL-3.0-or-later'],
  agpl: ['AGPL-3.0-only', 'AGPL-3.0-or-later'],
  bsd: ['BSD-3-Clause', 'BSD-2-Clause'],
  'creative commons': ['CC-BY-4.0', 'CC0-1.0'],
  'gnu general public license (gpl)': ['GPL-3.0-only', 'GPL-3.0-or-later'],
  'gnu general public license': ['GPL-3.0-only', 'GPL-3.0-or-later'],
  'gnu lesser general public license': ['LGPL-3.0-only', 'LGPL-3.0-or-later'],
  'gnu affero general public license': ['AGPL-3.0-only', 'AGPL-3.0-or-later'],
  'gnu free documentation license': ['GFDL-1.3-or-later', 'GFDL-1.3-only'],
  gfdl: ['GFDL-1.3-or-later', 'GFDL-1.3-only'],
}

const currentBySpelling = lazily(
  () =>
    new Map(
      ids
        .filter((id) => currentId(id) === id)
        .flatMap((id) => spellings(id).map((text) => [text, id])),
    ),
)
const idsByName = lazily(spellNames)
const idsByAddress = lazily(spellAddresses)

// Identifiers differ in small letters and capitals alone, and people write spaces for hyphens.
function spellings(id: string): readonly string[] {
  return [id.toLowerCase(), hyphenless(id)]
}

function hyphenless(text: string): string {
  return text.toLowerCase().replace(/[\s_-]+/g, ' ')
}

/**
 * The stored form of a license: its SPDX identifier, whatever capitals, spaces and hyphens it was
 * written with; or an http or https address that is of no license in SPDX's list. Undefined if it
 * is neither.
 */
export function foldLicense(text: string): string | undefined {
  const id =
    currentBySpelling().get(text.toLowerCase()) ?? currentBySpelling().get(hyphenless(text))
  if (id !== undefined || !isLicenseAddress(text)) return id
  return licenseOfAddress(text) === undefined && !isNobodys(text) ? foldUrl(text) : undefined
}

/** The stored form of a license that is written in any way that one is known by. */
export function readLicense(text: string): string | undefined {
  return foldLicense(text) ?? recognizeLicense(text)
}

/** Whether a license is given by its address instead of its SPDX identifier. */
export function isLicenseAddress(license: string): boolean {
  return /^https?:/i.test(license)
}

/**
 * The license that is meant by a name of SPDX's list or of daily use, by a deprecated identifier,
 * by any address of a license of Creative Commons or of SPDX's list; or by what names one of
 * Creative Commons in words, or without its version, which is the newest then (`CC-BY`, `Creative
 * Commons Attribution 4.0 International (CC BY 4.0)`); or the address of a statement of
 * rightsstatements.org by its name. Undefined if the text is anything else.
 */
export function recognizeLicense(text: string): string | undefined {
  const [, bare] = aroundName.exec(text) ?? []
  if (bare !== undefined && bare !== text) return readLicense(bare)
  if (/^(?:https?:\/\/|www\.)/i.test(text)) return licenseOfAddress(text) ?? sameOfParts(text)
  const named = idsByName().get(reduce(text)) ?? []
  if (named.length === 1) return named[0]
  return (
    licenseOfAddress(`https://${text}`) ??
    creativeCommonsOf(text) ??
    ofBoth(text) ??
    sameOfParts(text)
  )
}

/** The license that each of several parts means: `CC BY 4.0, https://creativecommons.org/…`. */
function sameOfParts(text: string): string | undefined {
  const [license, ...others] = new Set(partsOf(text).map(readLicense))
  return others.length === 0 ? license : undefined
}

/** What stands between the words and signs that join licences; none if nothing does. */
function partsOf(text: string): readonly string[] {
  if (text.length > nameCharactersMax) return []
  const parts = text.replace(/^\((.*)\)$/, '$1').split(joiner)
  return parts.length === 1 ? [] : parts.map((part) => part.trim()).filter((part) => part !== '')
}

const joiner = /\s+(?:and|or|&)\s+|\s*[;,|]\s*|(?<![:/].*)\/(?!\/)/i

// `SPDX:MIT`, `License: MIT`, and the full stop of a text.
const aroundName = /^(?:(?:spdx|licen[cs]e)\s*:\s*)?(\S.*?)\.*$/i

/** The license of a name with another one in brackets after it: `The MIT License (MIT)`. */
function ofBoth(text: string): string | undefined {
  const [, name = '', short = ''] = /^([^()]+)\(([^()]+)\)[^()]*$/.exec(text) ?? []
  if (short === '') return undefined
  const license = readLicense(short)
  const isOfCreativeCommons = /^CC\b/i.test(short) && /^(?:CC|Attribution|Creative)/i.test(name)
  return isOfCreativeCommons || readLicense(name) === license ? license : undefined
}

// The words of Creative Commons in the languages of most of its deeds, and what they are in its
// identifiers.
const creativeCommonsWords: readonly (readonly [words: RegExp, part: string])[] = [
  [/creative\s*commons|知识共享|クリエイティブ・コモンズ/g, ' cc '],
  [/non[\s-]*commercial[e]?|nicht[\s-]*kommerziell|pas d['’]utilisation commerciale/g, ' nc '],
  [
    /n[oã]o?[\s-]*comercial|niet[\s-]*commercieel|u[żz]ycie niekomercyjne|非商业性使用|非営利/g,
    ' nc ',
  ],
  [/no[\s-]*deriv(?:ative)?(?:work)?s?|keine bearbeitungen?|pas de modifications?/g, ' nd '],
  [/s(?:in|em)[\s-]*(?:obras? )?deriva\p{L}*|non opere derivate|geen afgeleide werken/gu, ' nd '],
  [/bez utwor[óo]w zale[żz]nych|禁止演绎|改変禁止/g, ' nd '],
  [/share[\s-]*alike|weitergabe unter gleichen bedingungen|相同方式共享|継承/g, ' sa '],
  [/partage dans les m[êe]mes conditions|comparti(?:r|lha)[\s-]*igual|gelijk[\s-]*delen/g, ' sa '],
  [/condividi allo stesso modo|na tych samych warunkach/g, ' sa '],
  [/attribution|namensnennung|atribuci[óo]n|reconocimiento|atribui[çc][ãa]o/g, ' by '],
  [/attribuzione|naamsvermelding|uznanie autorstwa|署名|表示/g, ' by '],
  [/\buk: england (?:&|and) wales\b/g, ' uk '],
  [/\b(?:international|intl|unported|generic|public|licen[cs]ed?|version|deed)\b/g, ' '],
  [/\b(?:internacional|internazionale|internationaal|licen[cç](?:ia|a)|lizenz)\b/g, ' '],
  [/mi[ęe]dzynarodowe|国际|国際/g, ' '],
  [/\b(?:this|work|is|under|the|terms|of|a)\b/g, ' '],
]

/**
 * Where each version of the licences of Creative Commons was ported to, by its own list of their
 * addresses; 4.0 is the same everywhere.
 */
const ports: Readonly<Record<string, readonly string[]>> = {
  '1.0': placesOf('fi il nl'),
  '2.0': placesOf('at au be br ca cl de es fr hr it jp kr nl pl tw uk za'),
  '2.1': placesOf('au ca es jp'),
  '2.5': placesOf(
    'ar au bg br ca ch cn co dk es hr hu il in it mk mt mx my nl pe pl pt scotland se si tw za',
  ),
  '3.0': placesOf(
    'am at au az br ca ch cl cn cr cz de ec ee eg es fr ge gr gt hk hr ie igo it lu nl no nz ph ' +
      'pl pr pt ro rs sg th tw ug us ve vn za',
  ),
  '4.0': [],
}

function placesOf(text: string): readonly string[] {
  return text.split(' ')
}

const places = new Set(Object.values(ports).flat())

// As people write them: `Spain`, `United States`; and as they do there: `España`.
const placeNames = lazily(() => {
  const codes = [...places].filter((place) => place.length === 2 && place !== 'uk')
  const nameIn = (locale: string, style: 'long' | 'short', code: string) => {
    const names = new Intl.DisplayNames(locale, { type: 'region', style })
    return [names.of(code.toUpperCase())?.toLowerCase() ?? code, code] as const
  }
  return codes.flatMap((code) => {
    const { language } = new Intl.Locale(`und-${code}`).maximize()
    return [nameIn('en', 'long', code), nameIn('en', 'short', code), nameIn(language, 'long', code)]
  })
})

type CreativeCommons = {
  readonly named: readonly string[]
  readonly version?: string | undefined
  readonly place?: string | undefined
}

function creativeCommonsOf(text: string): string | undefined {
  const read = readCreativeCommons(text)
  if (read === undefined) return undefined
  const { named, version = newestIn(read.place), place } = read
  const path = [named.join('-'), version, place].filter((part) => part !== undefined)
  return licenseOfAddress(`http://creativecommons.org/licenses/${path.join('/')}`)
}

function newestIn(place: string | undefined): string {
  const ported = Object.keys(ports).findLast((version) => ports[version]?.includes(place ?? ''))
  return ported ?? '4.0'
}

/** What words say of a license of Creative Commons; undefined if they say more than one has. */
function readCreativeCommons(text: string): CreativeCommons | undefined {
  let words = text.toLowerCase()
  for (const [name, place] of placeNames()) {
    if (words.endsWith(name)) words = `${words.slice(0, -name.length)} ${place}`
  }
  for (const [found, part] of creativeCommonsWords) words = words.replace(found, part)
  const parts = new Set(words.split(/[\s_,()-]+/).map((part) => part.replace(/^v(?=\d)/, '')))
  parts.delete('')
  // The deeds say `Attribution 4.0 International`.
  const isNamed = parts.delete('cc') || deedForm.test(text)
  if (!isNamed || !parts.has('by')) return undefined
  const [version, ...others] = [...parts].filter((part) => /^\d/.test(part))
  const [place, ...otherPlaces] = [...parts].filter((part) => places.has(part))
  const named = ['by', 'nc', 'nd', 'sa'].filter((part) => parts.has(part))
  const count = named.length + (version === undefined ? 0 : 1) + (place === undefined ? 0 : 1)
  const isMore = others.length + otherPlaces.length > 0 || count !== parts.size
  return isMore ? undefined : { named, version, place }
}

const deedForm = new RegExp(
  '^(?:attribu|namensn|atribu|reconoc|naamsv|uznanie|署名|表示).*' +
    String.raw`(?:\b(?:int|unp|gen)|mi[ęe]dzyn|国际|国際)`,
  'i',
)

// https://creativecommons.org/licenses/by-nc/3.0/de/legalcode.de and all that is like it.
const creativeCommonsAddress = new RegExp(
  String.raw`^creativecommons\.org/(?<kind>licenses|publicdomain)/(?<code>[a-z+-]+)` +
    String.raw`(?:/(?<version>\d\.\d))?(?:/(?<place>(?!deed|rdf)[a-z]{2,8}))?` +
    String.raw`(?:/(?:deed|legalcode|rdf)(?:[.-][\w.-]*)?)?$`,
)

// Catalogues of data have addresses of their own for licences, which end in their names.
const listedAddress =
  /^(?:publications\.europa\.eu\/resource\/authority\/licence|dcat-ap\.de\/def\/licenses)\/(.+)$/

function licenseOfAddress(text: string): string | undefined {
  const address = reduceAddress(text)
  const { kind, code, version, place } = creativeCommonsAddress.exec(address)?.groups ?? {}
  if (kind === undefined || code === undefined) {
    const statement = statementAt(address)
    if (statement !== undefined) return statement === text ? undefined : statement
    const name = listedAddress.exec(address)?.[1]?.replace(/_(\d)_(\d)$/, ' $1.$2')
    if (name !== undefined) return readLicense(name.replaceAll(/[_/]/g, ' '))
    const [id, ...others] = idsByAddress().get(address) ?? []
    return others.length === 0 ? id : undefined
  }
  const id = creativeCommonsId(code, version, version === '4.0' ? undefined : place)
  if (id !== undefined) return id
  // A ported licence that SPDX has not: one spelling of its address.
  const canonical = `https://creativecommons.org/licenses/${code}/${version}/${place}/`
  return isPort(code, version, place) && canonical !== text ? canonical : undefined
}

function isPort(code: string, version = '', place = ''): boolean {
  return /^by(?:-nc)?(?:-nd|-sa)?$/.test(code) && ports[version]?.includes(place) === true
}

/** Whether an address is of no license, though it is written as those of a list are. */
function isNobodys(text: string): boolean {
  const address = reduceAddress(text)
  if (/^rightsstatements\.org\/vocab\/[^/]+\/1\.0$/.test(address)) {
    return statementAt(address) === undefined
  }
  const { code = '', version = '', place } = creativeCommonsAddress.exec(address)?.groups ?? {}
  if (!code.startsWith('by') || !(version <= '4.0')) return false
  return creativeCommonsId(code, version, place) === undefined && !isPort(code, version, place)
}

/** The address of the statement that an address of rightsstatements.org leads to. */
function statementAt(address: string): string | undefined {
  const [, named] =
    /^rightsstatements\.org\/(?:vocab|page|data)\/([a-z-]+)\/1\.0$/.exec(address) ?? []
  const code = Object.keys(rightsStatements).find((each) => each.toLowerCase() === named)
  return code === undefined ? undefined : statementAddress(code)
}

function creativeCommonsId(code: string, version = '', place = ''): string | undefined {
  if (code === 'zero') return 'CC0-1.0'
  if (code === 'mark') return 'CC-PDM-1.0'
  if (code === 'publicdomain' || code === 'certification') return 'CC-PDDC'
  const parts = code.split(/[-+]/)
  const named = ['by', 'nc', 'nd', 'sa'].filter((part) => parts.includes(part))
  if (named.length !== parts.length) return undefined
  const id = ['cc', ...named, version || '4.0', place].filter((part) => part !== '').join('-')
  return currentBySpelling().get(id)
}

// The address of a text of GNU is that of the licence with and without `or later`.
const gnuAddress = /^gnu\.org\/licenses\/(?:old-licenses\/)?([al]?gpl|fdl)-(\d\.\d)(?:[-.][\w-]+)*$/

/** The licences of SPDX that an address may mean, such as that of a text of GNU. */
export function licensesAt(address: string): readonly string[] {
  const reduced = reduceAddress(address)
  const [, text = '', version] = gnuAddress.exec(reduced) ?? []
  const name = text === 'fdl' ? 'GFDL' : text.toUpperCase()
  const ofGnu = ['only', 'or-later'].map((range) => `${name}-${version}-${range}`)
  const several = version === undefined ? (idsByAddress().get(reduced) ?? []) : ofGnu
  return several.filter((id) => currentIdSet.has(id))
}

/** The name of a license, and the address by which readers know it. */
export type LicenseNames = { readonly name: string; readonly address: string }

/**
 * What a license in its stored form is called in full, and its address: the deed of one of
 * Creative Commons, else the first of SPDX's if it is of no other, else SPDX's page. What is
 * stored as an address is both, unless it is that of a statement of rightsstatements.org.
 */
export function licenseNames(license: string): LicenseNames {
  if (isLicenseAddress(license)) {
    return { name: statementNames.get(license) ?? license, address: license }
  }
  const { name = license, url } = listed.get(license) ?? {}
  const address = deedOf(license, url) ?? (isOwnAddress(license, url) ? url : undefined)
  const page = `https://spdx.org/licenses/${encodeURIComponent(license)}.html`
  return { name: name.replace(/\s+/g, ' '), address: address ?? page }
}

function deedOf(id: string, url = ''): string | undefined {
  if (url.startsWith('https://creativecommons.org/')) return url.replace(/legalcode$/, '')
  const [, code, version, place] = /^CC-(BY[A-Z-]*)-(\d\.\d)(?:-(\w+))?$/.exec(id) ?? []
  if (code === undefined) return undefined
  const path = [code, version, place].filter((part) => part !== undefined).join('/')
  return `https://creativecommons.org/licenses/${path.toLowerCase()}/`
}

function isOwnAddress(id: string, url: string | undefined): url is string {
  return url !== undefined && licenseOfAddress(url) === id
}

/**
 * What a text that is no license would have to be; if it may mean several, or only the version is
 * missing, with what it may have meant; and where else it belongs.
 */
export function explainLicense(text: string): string {
  const rule = 'an SPDX identifier such as CC-BY-4.0, or an http or https address'
  const [first, ...others] = partsOf(text).map(readLicense)
  if (first !== undefined && !others.includes(undefined)) {
    return `${rule}, of one license: give ${first} here, and ${others.join(' and ')} in rights`
  }
  const [, bare = '', exception] = /^(\S+)\s+with\s+(\S+)$/i.exec(text) ?? []
  const license = readLicense(bare)
  const meant = nearestLicenses(text)
  if (meant.length > 0) return `${rule}; did you mean ${meant.join(' or ')}?`
  if (license !== undefined) {
    return `${rule}, without exceptions: give ${license} here, and ${exception} in rights`
  }
  if (noLicense.test(text)) return `${rule}; leave it out if there is none`
  if (accessWords.test(text)) return `${rule}; who can read the work goes into access`
  if (reservedRights.test(text)) {
    return `${rule}; of a work in copyright that is ${statementAddress('InC')}`
  }
  return `${rule}; terms in words go into rights`
}

const noLicense =
  /^(?:none|noassertion|unknown|n\/a|no licen[cs]e|(?:licen[cs]e )?(?:not[\s-]?|un)specified)$/i
const accessWords =
  /\b(?:open|closed|restricted|embargoed)[\s-]*access\b|^(?:open|closed|restricted|embargoed)$/i
const reservedRights = new RegExp(
  String.raw`\ball rights reserved\b|\bcopyright|©|\(c\)\s|^proprietary|derechos reservados|` +
    'droits r[ée]serv[ée]s|rechte vorbehalten|direitos reservados|diritti riservati|' +
    'rechten voorbehouden|права защищены|版权所有|版權所有|無断転載',
  'i',
)

// A longer text names no licence, and is not compared with all of them.
const nameCharactersMax = 120

function nearestLicenses(text: string): readonly string[] {
  const name = reduce(text)
  if (name === '' || name.length > nameCharactersMax) return []
  const named = idsByName().get(name)
  if (named !== undefined) return named
  const commons = nearestOfCreativeCommons(text)
  if (commons.length > 0) return commons
  const newest = newestOf(name) ?? newestOf(name.replace(/\d[\d.]*$/, ''))
  const family = newest === undefined ? familyOf(text) : []
  if (family.length > 0) return family
  return idsByName().get(newest ?? nearestName(name, idsByName().keys()) ?? '') ?? []
}

/** The licences of Creative Commons next to one that it has not; none for other texts. */
function nearestOfCreativeCommons(text: string): readonly string[] {
  const {
    code = '',
    version,
    place,
  } = creativeCommonsAddress.exec(reduceAddress(text))?.groups ?? {}
  const path = [code, version, place].filter((part) => part !== undefined)
  const words = code === '' ? text : path.join(' ')
  // `xx` is no place.
  const placeless = words.replace(/[\s-][a-z]{2}$/i, '')
  const read = readCreativeCommons(`CC ${words}`) ?? readCreativeCommons(`CC ${placeless}`)
  if (read === undefined) return []
  const { named } = read
  // None has both.
  const [nd, sa] = [named.includes('nd'), named.includes('sa')]
  const kinds = nd && sa ? ['nd', 'sa'].map((not) => named.filter((part) => part !== not)) : [named]
  const versions = Object.keys(ports).filter((each) => ports[each]?.includes(read.place ?? ''))
  const own = Object.hasOwn(ports, read.version ?? '') ? read.version : '4.0'
  const near = versions.length === 0 ? [own] : versions.toReversed().slice(0, 2)
  return near.flatMap((each) =>
    kinds.flatMap((kind) => {
      const wanted = { named: kind, version: each, place: versions.length > 0 ? read.place : '' }
      return creativeCommonsOf(`cc ${Object.values(wanted).flat().join(' ')}`) ?? []
    }),
  )
}

const familyMax = 4

/** The identifiers that begin with a text and a hyphen, unless they are too many to choose from. */
function familyOf(text: string): readonly string[] {
  const start = `${text.toLowerCase()}-`
  const alike = [...listed.keys()].filter((id) => id.toLowerCase().startsWith(start))
  return alike.length > familyMax ? [] : alike.toSorted()
}

/** The name of the newest version of a license that a name without a version means. */
function newestOf(name: string): string | undefined {
  if (name === '') return undefined
  const isVersion = (spelling: string) =>
    spelling.startsWith(name) && /^\d[\d.]*$/.test(spelling.slice(name.length))
  const versions = [...idsByName().keys()].filter(isVersion)
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1)
}

/** The identifiers of each name, reduced: several where SPDX has one name for them. */
function spellNames(): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>()
  for (const [id, { name }] of listed) {
    const known = names.get(reduce(name)) ?? []
    names.set(reduce(name), [...new Set([...known, currentId(id)])])
  }
  for (const [name, id] of Object.entries(commonNames)) names.set(reduce(name), [id])
  for (const [code, name] of Object.entries(rightsStatements)) {
    for (const each of [code, name]) names.set(reduce(each), [statementAddress(code)])
  }
  for (const [name, several] of Object.entries(sharedNames)) names.set(reduce(name), several)
  // An identifier is stronger than a name, and one in use than one that is not.
  for (const id of ids) names.set(reduce(id), [currentId(id)])
  for (const id of currentIds) names.set(reduce(id), [id])
  // `AGPL-3.0+`: what SPDX had for some licences is written for all that have later versions.
  for (const id of currentIds.filter((each) => each.endsWith('-or-later'))) {
    names.set(reduce(id.replace(/-or-later$/, '+')), [id])
  }
  return names
}

/** The identifiers of each address; a licence alone where the others are variants of it. */
function spellAddresses(): ReadonlyMap<string, readonly string[]> {
  const addresses = new Map<string, Set<string>>()
  for (const [id, { url = '' }] of listed) {
    const address = reduceAddress(url)
    addresses.set(address, (addresses.get(address) ?? new Set()).add(currentId(id)))
  }
  const own = [...addresses].flatMap(([address, [id = '', ...others]]) => {
    const base = [id, ...others].toSorted((a, b) => a.length - b.length)[0] ?? ''
    // A licence and its variants, such as `MPL-2.0` and `MPL-2.0-no-copyleft-exception`.
    const isBase = [id, ...others].every((one) => one === base || one.startsWith(`${base}-`))
    if (address === '') return []
    return [[address, isBase ? [base] : [id, ...others]] as const]
  })
  const pages = ids.flatMap((id) => pagesOf(id).map((page) => [page, [currentId(id)]] as const))
  const common = Object.entries(commonAddresses).map(([page, id]) => [page, [id]] as const)
  return new Map<string, readonly string[]>([...pages, ...own, ...common])
}

const pageHosts = ['spdx.org/licenses/', 'opensource.org/licenses/', 'opensource.org/license/']

function pagesOf(id: string): readonly string[] {
  return pageHosts.map((host) => reduceAddress(`https://${host}${id}`))
}

/** An address without what people write in different ways, in small letters. */
function reduceAddress(text: string): string {
  return text
    .toLowerCase()
    .replace(/^https?:\/\/(?:www\.)?|^www\./, '')
    .replace(/(?<=^(?:spdx|opensource|creativecommons|rightsstatements)\.org\/[^?#]*)[?#].*$/, '')
    .replace(/(?<=^(?:spdx|opensource|apache)\.org\/.*)\.(?:html?|json|txt|php)$/, '')
    .replace(/\/+$/, '')
}

/** A spelling without what people write in different ways: `Apache License, v2.0` → `apache2`. */
function reduce(text: string): string {
  return text
    .toLowerCase()
    .replace(/\b(?:the|licen[cs]e|version)\b/g, '')
    .replace(/^\s*gnu\s*(?=[al]?gpl|gfdl|fdl)/, '')
    .replace(/[\s_,()"“”'’:;/–—-]+/g, '')
    .replace(/v(?=\d)/g, '')
    .replace(/\.0(?![.\d])/g, '')
}
