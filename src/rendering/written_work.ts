import { sha256 } from '#log/hash.ts'
import { type Commitment, formatErc } from '#src/formats/erc.ts'
import { type Format, formats } from '#src/formats/format_table.ts'
import { linksetJson, linksetText } from '#src/formats/linkset.ts'
import { type FormatChoice, mediaTypeOf } from '#src/http/arks/representation.ts'
import {
  describe,
  describedWork,
  type Place,
  readResolution,
  type Resolution,
  type ResolutionBody,
  signpostedWork,
} from '#src/formats/resolution.ts'
import {
  descriptionLinks,
  formatLinkHeader,
  pageUrl,
  type SignpostedWork,
  signposts,
  typedLinks,
} from '#src/formats/signposting.ts'
import { type LandingTask, writeLanding } from '#src/web/public/written_landing.ts'
import type { LandingRecord } from '#src/api/landing_record.ts'

/** Characters of the hash of a representation that its entity tag has. */
const tagCharacters = 22

/** What is wanted of a work: a representation, or nothing but to know where things are. */
export type WorkWish =
  | { readonly name: 'none' }
  | { readonly name: 'html'; readonly landing: LandingTask }
  | { readonly name: 'erc'; readonly commitment: Commitment | undefined }
  | { readonly name: 'linkset' }
  | { readonly name: 'links' }
  | FormatChoice

/** What a work is written from: data alone, so that another thread can write it. */
export type WorkTask = {
  /** The catalogue's JSON of the work, or of the tombstone in its place. */
  readonly resolution: Uint8Array
  readonly place: Place
  readonly wish: WorkWish
}

/** A representation in UTF-8, and the headers that are its own. */
export type Representation = {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** What a reply about a work needs to know of it, however long it is. */
export type WrittenWork = Partial<Representation> & {
  /** The value of the Link header: of the page at the ARK, or of a description of the work. */
  readonly link: string
  /** Where the content is; undefined once the work was withdrawn. */
  readonly contentUrl: string | undefined
}

/**
 * Writes what is wanted of a work. There are no bytes where none were wanted, nor where the
 * metadata that they would be written from were erased.
 */
export function writeWork({ resolution: json, place, wish }: WorkTask): WrittenWork {
  const body = JSON.parse(Buffer.from(json).toString('utf8')) as unknown
  const resolution = readResolution(body as ResolutionBody)
  const signposted = signpostedWork(resolution, place)
  const isOfPage = wish.name === 'none' || wish.name === 'html'
  const links = isOfPage ? signposts(typedLinks(signposted)) : descriptionLinks(signposted)
  const link = formatLinkHeader(links)
  const contentUrl = resolution.content?.url
  if (wish.name === 'none') return { link, contentUrl }
  if (wish.name === 'html') {
    const described = describedWork(resolution, place)
    const shown = { work: body as LandingRecord['work'], described, links }
    const page = writeLanding(wish.landing, { ...shown, url: pageUrl(signposted) })
    return { link, contentUrl, ...page }
  }
  return { link, contentUrl, ...writeDescription(wish, resolution, signposted, place) }
}

type DescriptionWish = Exclude<WorkWish, { readonly name: 'none' | 'html' }>

function writeDescription(
  wish: DescriptionWish,
  resolution: Resolution,
  signposted: SignpostedWork,
  place: Place,
): Representation | undefined {
  const isGone = resolution.withdrawal !== undefined
  if (wish.name === 'linkset' || wish.name === 'links') {
    const text = wish.name === 'linkset' ? linksetJson(signposted) : linksetText(signposted)
    return representation(text, mediaTypeOf(wish.name), isGone)
  }
  if (wish.name === 'erc') {
    const text = formatErc(describe(resolution, pageUrl(signposted)), wish.commitment)
    return representation(text, mediaTypeOf(wish.name), isGone)
  }
  const work = describedWork(resolution, place)
  if (work === undefined) return undefined
  const { mediaTypes, extension, render }: Format = formats[wish.name]
  const details = wish.name === 'citation' ? `; style=${wish.style}; locale=en-US` : ''
  const written = representation(render(work, wish.style), mediaTypes[0] + details, isGone)
  if (!wish.isExport || extension === undefined) return written
  const disposition = `attachment; filename="${fileName(resolution, place, extension)}"`
  return { ...written, headers: { ...written.headers, 'content-disposition': disposition } }
}

/** A text with the entity tag of its bytes; replies that are 410 have none (RFC 9110 §13.2.1). */
function representation(text: string, mediaType: string, isGone: boolean): Representation {
  const bytes = Buffer.from(text)
  const headers = { 'content-type': `${mediaType}; charset=utf-8` }
  if (isGone) return { bytes, headers }
  const digest = Buffer.from(sha256(bytes)).toString('base64url').slice(0, tagCharacters)
  return { bytes, headers: { ...headers, etag: `"${digest}"` } }
}

/** `ark-12345-k2bcd45g7h3.bib`, with the version in it if the address has it. */
function fileName({ ark, version }: Resolution, { isPinned }: Place, extension: string): string {
  const pinned = isPinned ? `-v${version}` : ''
  return `${ark.replace(/[^0-9A-Za-z]+/g, '-')}${pinned}.${extension}`
}
