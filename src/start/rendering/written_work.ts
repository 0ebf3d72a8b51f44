import { sha256 } from '#log/tlog/hash.ts'
import { formatErc } from '#src/discovery/formats/erc.ts'
import { type Format, formats, mediaTypeOf } from '#src/discovery/formats/format_table.ts'
import {
  descriptionLinks,
  formatLinkHeader,
  linksetJson,
  linksetText,
  pageUrl,
  type SignpostedWork,
  signposts,
  typedLinks,
} from '#src/discovery/formats/signposting.ts'
import {
  describe,
  describedWork,
  type ShownAt,
  readResolution,
  type Resolution,
  type ResolutionBody,
  signpostedWork,
} from '#src/discovery/formats/resolution.ts'
import { writeLanding } from '#src/pages/public/written_landing.ts'
import type {
  LandingRecord,
  WantedRepresentation,
  WorkTask,
  WrittenWork,
} from '#src/use_cases/landing_record.ts'
import type { Representation } from '#src/edge/rendered_reply.ts'

/** Characters of the hash of a representation that its entity tag has. */
const tagCharacters = 22

/**
 * Writes a representation of a work. There are no bytes if none were asked for, or if the
 * metadata that they would be written from were erased.
 */
export function writeWork({ resolution: json, place, wanted }: WorkTask): WrittenWork {
  const body = JSON.parse(Buffer.from(json).toString('utf8')) as unknown
  const resolution = readResolution(body as ResolutionBody)
  const signposted = signpostedWork(resolution, place)
  const isOfPage = wanted.name === 'none' || wanted.name === 'html'
  const links = isOfPage ? signposts(typedLinks(signposted)) : descriptionLinks(signposted)
  const link = formatLinkHeader(links)
  const contentUrl = resolution.content?.url
  if (wanted.name === 'none') return { link, contentUrl }
  if (wanted.name === 'html') {
    const described = describedWork(resolution, place)
    const shown = { work: body as LandingRecord['work'], described, links }
    const page = writeLanding(wanted.landing, { ...shown, url: pageUrl(signposted) })
    return { link, contentUrl, ...page }
  }
  return { link, contentUrl, ...writeDescription(wanted, resolution, signposted, place) }
}

type WantedDescription = Exclude<WantedRepresentation, { readonly name: 'none' | 'html' }>

function writeDescription(
  wanted: WantedDescription,
  resolution: Resolution,
  signposted: SignpostedWork,
  place: ShownAt,
): Representation | undefined {
  const isGone = resolution.withdrawal !== undefined
  if (wanted.name === 'linkset' || wanted.name === 'links') {
    const text = wanted.name === 'linkset' ? linksetJson(signposted) : linksetText(signposted)
    return representation(text, mediaTypeOf(wanted.name), isGone)
  }
  if (wanted.name === 'erc') {
    const text = formatErc(describe(resolution, pageUrl(signposted)), wanted.commitment)
    return representation(text, mediaTypeOf(wanted.name), isGone)
  }
  const work = describedWork(resolution, place)
  if (work === undefined) return undefined
  const { mediaTypes, extension, render }: Format = formats[wanted.name]
  const details = wanted.name === 'citation' ? `; style=${wanted.style}; locale=en-US` : ''
  const written = representation(render(work, wanted.style), mediaTypes[0] + details, isGone)
  if (!wanted.isExport || extension === undefined) return written
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
function fileName({ ark, version }: Resolution, { isPinned }: ShownAt, extension: string): string {
  const pinned = isPinned ? `-v${version}` : ''
  return `${ark.replace(/[^0-9A-Za-z]+/g, '-')}${pinned}.${extension}`
}
