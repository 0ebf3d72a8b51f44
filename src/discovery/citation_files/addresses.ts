import { foldDoi, foldOrcid, foldRor, foldUrl } from '#actors/values/identifier.ts'
import { decodeEntities } from '#src/discovery/citation_files/entities.ts'

// What follows an identifier and is no part of it.
const trailing = /[\s.,;:'"”’]+$/
const wrapped = /^(?:<(.*)>|\$(.*)\$|\[(.*)\]|\{(.*)\}|\((.*)\)|"(.*)")$/
const doiStart = /10\.\d{4,9}(?:\.\d{1,9}){0,8}(?:\/|%2f)/gi
const doiCharactersMax = 2_048
// One DOI and nothing else, as most fields have it.
const plainDoi = /^10\.[\d.]{4,30}\/[\w.()/-]{1,1000}$/

/**
 * The DOI that a text is, whatever stands around it: words, any resolver's address, a library's
 * proxy, brackets, `[doi]`, spaces. Undefined if it is none, or more than one.
 */
export function readDoi(given: string): string | undefined {
  const plain = plainDoi.test(given) ? foldDoi(given) : undefined
  if (plain !== undefined) return plain
  const text = unwrap(
    visible(decodeEntities(given.slice(0, doiCharactersMax)))
      .replace(/<\/\w+>$/, '')
      .trim(),
  )
    // Signs that DOIs have, and addresses only in this spelling.
    .replace(/%(?:3[ABCE]|2[89F])/gi, (sign) => decodeURIComponent(sign))
  const whole = foldDoi(text)
  const isOne = !/[,;]$|[,;]\s*(?:doi:|https?:|10\.\d{4,9}\/)/i.test(text)
  if (whole !== undefined && isOne && (text.startsWith('10.') || !/[./]$/.test(text))) return whole
  const starts = [...text.matchAll(doiStart)].map(({ index }) => index)
  const dois = starts.map((start, at) =>
    doiFrom(text.slice(start, starts[at + 1]), text.slice(0, start)),
  )
  const [first, ...others] = new Set(dois.filter((doi) => doi !== undefined))
  return others.length > 0 && /[\s;,|]/.test(text) ? undefined : first
}

/** A text without signs that nobody sees, which are copied from pages with what stands there. */
function visible(text: string): string {
  return text.replaceAll(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, '')
}

/** The DOIs that a text names, in order, each once. */
export function readDois(given: string): readonly string[] {
  const text = decodeEntities(given.slice(0, 10 * doiCharactersMax))
  const one = readDoi(text)
  if (one !== undefined) return [one]
  const dois = text.split(/[\s|]+|[;,](?=\s*(?:https?:|doi:|10\.))/i).map((part) => readDoi(part))
  return [...new Set(dois.filter((doi) => doi !== undefined))]
}

function doiFrom(text: string, before: string): string | undefined {
  // A space inside is one too many where nothing else follows than the rest of the DOI.
  const whole = text.replace(/^(10\.[\d.]+\/)\s+(?=\S+$)/, '$1')
  const [found = ''] = /^\S+/.exec(whole.replace(/%2f/i, '/')) ?? []
  const isAddress = /https?:\/\/\S*$/i.test(before)
  // `#` may be the check character of a SICI, `3.0.CO;2-#`, and begins a fragment elsewhere.
  const ended = isAddress ? found.replace(/(?!(?<=;2-)#$)[?#].*$/, '') : found
  const bare = unbalanced(ended.replace(/\[doi\]$/i, '').replace(trailing, ''))
    // An address may end with a slash that is none of the DOI.
    .replace(isAddress ? /(?<=\/.*)\/$/ : /$^/, '')
  return foldDoi(isAddress ? decoded(bare) : bare)
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Without a bracket at the end that nothing in the text has opened. */
function unbalanced(text: string): string {
  for (const [open, close] of ['()', '[]', '<>', '{}']) {
    if (open === undefined || close === undefined || !text.endsWith(close)) continue
    if (text.split(close).length > text.split(open).length) {
      return unbalanced(text.slice(0, -1).replace(trailing, ''))
    }
  }
  return text
}

function unwrap(text: string): string {
  const inner = wrapped
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
  return inner === undefined ? text : inner.trim()
}

const orcidForm =
  /\d{4}[-\s\u2010-\u2015]?\d{4}[-\s\u2010-\u2015]?\d{4}[-\s\u2010-\u2015]?\d{3}[\dXx](?!\d)/

/** The ORCID iD in a text: with an address in any spelling, words or brackets around it. */
export function readOrcid(text: string): string | undefined {
  const [found] = orcidForm.exec(text.slice(0, 200)) ?? []
  return foldOrcid(text.trim()) ?? (found && foldOrcid(found.replace(/[^\dXx]/g, '')))
}

/** The ROR ID in a text: with an address in any spelling around it. */
export function readRor(given: string): string | undefined {
  const text = given.trim().slice(0, 200)
  const [, id] = /(?:^|ror\.org\/|ror:?\s*)(0[a-z\d]{6}\d\d)\/?(?:[?#].*)?$/i.exec(text) ?? []
  return foldRor(text) ?? (id && foldRor(id))
}

/** The addresses of a field in their stored form, and what of the field is none. */
export type SourceUrls = { readonly urls: readonly string[]; readonly rest: string }

const urlsCharactersMax = 20_000
const urlStart = /(?:https?:\/{1,3}|https?\/\/|www\.)(?=[\p{L}\d[])/giu
// One address and nothing else, as most fields have it.
const plainUrl = /^https?:\/\/(?!https?:)[a-z\d][\w.~:/?#!$*+=%-]{0,2000}[\w/=#%-]$/i

/** Reads the addresses of a field: several in one, with words or brackets around them. */
export function readUrls(given: string): SourceUrls {
  const plain = plainUrl.test(given) ? foldUrl(given) : undefined
  if (plain !== undefined) return { urls: [plain], rest: '' }
  const text = visible(decodeEntities(given.slice(0, urlsCharactersMax))).trim()
  const starts = [...text.matchAll(urlStart)]
    .map(({ index }) => index)
    .filter((at) => begins(text, at))
  const [first] = starts
  const bare = first === undefined ? bareUrl(text) : undefined
  if (bare !== undefined) return { urls: [bare], rest: '' }
  const urls: string[] = []
  const rest = [text.slice(0, first)]
  for (const [index, start] of starts.entries()) {
    const { url, more } = urlFrom(text.slice(start, starts[index + 1]), starts.length === 1)
    if (url !== undefined) urls.push(url)
    rest.push(more)
  }
  const words = rest
    .join(' ')
    .replace(/[\s;,|<>()[\]]+/g, ' ')
    .trim()
  return {
    urls: [...new Set(urls)],
    rest: words.replace(/^(?:urls?|and|available (?:at|from)|from|at):?$/i, ''),
  }
}

// An address in another one, as archives and proxies have them, is a part of it.
function begins(text: string, at: number): boolean {
  return (
    at === 0 ||
    /[\s;,|<>()[\]"'{}]/.test(text.charAt(at - 1)) ||
    /(?:^|[\s<])url:$/i.test(text.slice(Math.max(0, at - 5), at))
  )
}

function bareUrl(text: string): string | undefined {
  const isHost = /^(?:[a-z\d-]+\.)+[a-z]{2,}(?:\/\S*)?$/i.test(text) && !text.startsWith('10.')
  return isHost && text.includes('/') ? foldUrl(`https://${text}`) : undefined
}

function urlFrom(
  given: string,
  isOnly: boolean,
): { readonly url: string | undefined; readonly more: string } {
  const text = given.replace(/[\s;,|]+$/, '').replace(/\s+and$/i, '')
  const [found = ''] = /^\S+/.exec(text) ?? []
  const more = text.slice(found.length)
  // A path with spaces in it, rather than words after an address.
  const isPath =
    isOnly &&
    /^(?: [^\s/]+)*(?:\/|\.[a-z\d]{2,5}$)|^ (?!accessed|visited|online|pdf$)[\w.~%-]{1,100}$/i.test(
      more,
    )
  const mended = mendUrl(isPath ? encodeSpaces(text) : found)
  return { url: foldUrl(mended), more: isPath ? '' : more }
}

function encodeSpaces(text: string): string {
  return text.replaceAll(' ', '%20')
}

/** An address with the scheme it lacks, and without what ends a sentence. */
function mendUrl(text: string): string {
  const single = text.replace(/^(?:https?:\/\/)+(?=https?:\/\/)/i, '')
  const ended = unbalanced(single.replace(/[>"'”’;,]+$/, '').replace(/[.:]+$/, ''))
  const address = ended.replace(/^(https?):?\/{1,3}/i, '$1://')
  return /^www\./i.test(address) ? `https://${address}` : address
}
