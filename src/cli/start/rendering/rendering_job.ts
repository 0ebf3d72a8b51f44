import { hash } from 'node:crypto'

import { workAddress } from '#actors/works/content.ts'
import { citationLocale } from '#src/discovery/formats/citation_styles.ts'
import { formatErc } from '#src/discovery/formats/erc.ts'
import { type Format, formats, mediaTypeOf } from '#src/discovery/formats/format_table.ts'
import {
  describe,
  describedWork,
  readResolution,
  type Resolution,
  type ResolutionBody,
  type ShownAt,
  signpostedWork,
} from '#src/discovery/formats/resolution.ts'
import {
  descriptionLinks,
  formatLinkHeader,
  linksetJson,
  linksetText,
  pageUrl,
  signposts,
  typedLinks,
} from '#src/discovery/formats/signposting.ts'
import { writeRecords } from '#src/discovery/oai/record_formats.ts'
import type { Representation } from '#src/edge/rendered_reply.ts'
import { landingHeaders, writeLanding } from '#src/pages/public/landing/landing_page.ts'
import { incomingRelations } from '#src/use_cases/incoming_relations.ts'
import type {
  LandingRecord,
  WantedRepresentation,
  WorkTask,
  WrittenWork,
} from '#src/use_cases/landing_record.ts'

/** What can be rendered, by the type of the job. */
const writers = { records: writeRecords, work: writeWork } as const

type Writers = typeof writers

export type JobType = keyof Writers

/** A task for a writer. A job is data alone, so that it can be sent to another thread. */
export type RenderingJob<T extends JobType = JobType> = Extract<
  { readonly [K in JobType]: { readonly type: K } & Parameters<Writers[K]>[0] }[JobType],
  { readonly type: T }
>

/** What came of a job. Its `bytes`, where it has any, are in UTF-8. */
export type Rendering<T extends JobType = JobType> = ReturnType<Writers[T]>

/**
 * Turns what is stored into what is sent, here or elsewhere. Rejects with RenderingError if that
 * takes more time or memory than any job of ours should.
 */
export type Render = <T extends JobType>(job: RenderingJob<T>) => Promise<Rendering<T>>

/** Renders in this thread, which does nothing else meanwhile. */
export function renderJob<T extends JobType>(job: RenderingJob<T>): Rendering<T> {
  // The compiler does not see that a job and the writer of its type belong together.
  const write = writers[job.type] as unknown as (task: RenderingJob<T>) => Rendering<T>
  return write(job)
}

/** A rendering whose bytes share their memory with no others: to be handed over, or kept. */
export function withOwnBytes<R extends Rendering>(rendering: R): R {
  const { bytes } = rendering
  const isWhole = bytes === undefined || bytes.length === bytes.buffer.byteLength
  return isWhole ? rendering : { ...rendering, bytes: new Uint8Array(bytes) }
}

/** What a work costs that is read and not written, as a part of what it costs to write it. */
const readingShare = 1 / 4

/** Bytes that a job is made from, which its cost grows with. */
export function jobBytes(job: RenderingJob): number {
  switch (job.type) {
    case 'records':
      return job.records.reduce((sum, { work }) => sum + (work?.metadata.length ?? 0), 0)
    case 'work':
      return job.resolution.length * (job.wanted.name === 'none' ? readingShare : 1)
  }
}

/** Characters of the hash of a representation that its entity tag has. */
const tagCharacters = 22

/**
 * Writes a representation of a work. There are no bytes if none were asked for, or if the
 * metadata that they would be written from were erased.
 */
function writeWork({ operator, resolution: json, place, wanted }: WorkTask): WrittenWork {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength)
  const body = JSON.parse(bytes.toString('utf8')) as unknown
  const resolution = readResolution(body as ResolutionBody)
  const shownPage = { ...place, ark: resolution.ark, version: resolution.version }
  const isOfPage = wanted.name === 'none' || wanted.name === 'html'
  const links = isOfPage
    ? signposts(typedLinks(signpostedWork(resolution, place)))
    : descriptionLinks(shownPage)
  const link = formatLinkHeader(links)
  const isGone = resolution.metadata.work_title === undefined
  const { content, metadata } = resolution
  const address = content && workAddress(metadata)
  const known = { link, workAddress: address, contentUrl: content?.url, isGone }
  if (wanted.name === 'none') return known
  if (wanted.name === 'html') {
    if (wanted.landing === undefined) return { ...known, headers: landingHeaders }
    const [, inward] = wanted.landing.sources.related
    const incoming = inward === undefined ? [] : incomingRelations(inward)
    const described = describedWork(resolution, { ...place, incoming })
    const shown = { work: body as LandingRecord['work'], described, links }
    const page = writeLanding(wanted.landing, { ...shown, url: pageUrl(shownPage) })
    return { ...known, ...page }
  }
  return { ...known, ...writeDescription(wanted, resolution, { ...place, operator }) }
}

type WantedDescription = Exclude<WantedRepresentation, { readonly name: 'none' | 'html' }>

function writeDescription(
  wanted: WantedDescription,
  resolution: Resolution,
  { operator, ...place }: ShownAt & Pick<WorkTask, 'operator'>,
): Partial<Representation> & Pick<WrittenWork, 'lacking'> {
  const isGone = resolution.metadata.work_title === undefined
  if (wanted.name === 'linkset' || wanted.name === 'links') {
    const signposted = signpostedWork(resolution, place)
    const text = wanted.name === 'linkset' ? linksetJson(signposted) : linksetText(signposted)
    return representation(text, mediaTypeOf(wanted.name), isGone)
  }
  if (wanted.name === 'erc') {
    const { ark, version } = resolution
    const url = pageUrl({ ...place, ark, version })
    const text = formatErc(describe(resolution, url), wanted.commitment)
    return representation(text, mediaTypeOf(wanted.name), isGone)
  }
  const described = describedWork(resolution, place)
  if (described === undefined) return {}
  const work = operator === undefined ? described : { ...described, operator }
  const { extension, label, lacks, mediaTypes, render }: Format = formats[wanted.name]
  const lack = lacks?.(work)
  if (lack !== undefined) return { lacking: `There is no ${label} of this work: ${lack}` }
  const { name, style } = wanted
  const details = name === 'citation' ? `; style=${style}; locale=${citationLocale(wanted)}` : ''
  const written = representation(render(work, wanted), mediaTypes[0] + details, isGone)
  if (!wanted.isExport || extension === undefined) return written
  const disposition = `attachment; filename="${fileName(resolution, place, extension)}"`
  return { ...written, headers: { ...written.headers, 'content-disposition': disposition } }
}

/** A text with the entity tag of its bytes; replies that are 410 have none (RFC 9110 §13.2.1). */
function representation(text: string, mediaType: string, isGone: boolean): Representation {
  const bytes = Buffer.from(text)
  const headers = { 'content-type': `${mediaType}; charset=utf-8` }
  if (isGone) return { bytes, headers }
  const digest = hash('sha256', bytes, 'base64url').slice(0, tagCharacters)
  return { bytes, headers: { ...headers, etag: `"${digest}"` } }
}

/** `ark-12345-k2bcd45g7h3.bib`, with the version in it if the address has it. */
function fileName({ ark, version }: Resolution, { isPinned }: ShownAt, extension: string): string {
  const pinned = isPinned ? `-v${version}` : ''
  return `${ark.replace(/[^0-9A-Za-z]+/g, '-')}${pinned}.${extension}`
}
