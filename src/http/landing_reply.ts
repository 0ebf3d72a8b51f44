import type { FastifyReply } from 'fastify'

import type { Ark } from '#actors/ark.ts'
import type { Rendered } from '#actors/catalogue.ts'
import type { Environment } from '#actors/environment.ts'
import { describeAuthors, type DescribedWork, publisherOf } from '#src/formats/described_work.ts'
import { formatSchemaOrg } from '#src/formats/schema_org.ts'
import { workNotFound } from '#src/http/named_work.ts'
import type { Edge } from '#src/http/server.ts'
import { linkElements, type TypedLink } from '#src/http/signposting.ts'
import type { LandingContext, MachineLink } from '#src/web/landing/landing_context.ts'
import { landingPage } from '#src/web/landing/landing_page.ts'
import {
  type LandingRecord,
  readLandingRecord,
  type ShownWork,
} from '#src/web/landing/landing_record.ts'
import { sendPublicPage } from '#src/web/public_page.ts'

/** A work whose page is asked for. */
export type LandingWish = {
  readonly environment: Environment
  readonly ark: Ark
  /** Its resolution, of the version that was asked for, or its tombstone. */
  readonly found: Rendered
  /** The typed links of the page. */
  readonly links: readonly TypedLink[]
}

/** Sends the page of a work, or 410 and the page of its tombstone. */
export async function sendLandingPage(
  edge: Edge,
  reply: FastifyReply,
  { environment, ark, found, links }: LandingWish,
): Promise<FastifyReply> {
  const record = await readLandingRecord(environment, ark, found)
  if (record === undefined) throw workNotFound(environment, ark)
  return sendPublicPage(landingPage(record, contextOf(edge, record, links)), reply, edge)
}

function contextOf(
  { baseUrl, nowMs }: Edge,
  { work }: LandingRecord,
  links: readonly TypedLink[],
): LandingContext {
  const isThere = work.status === 'registered'
  const page = isThere && !work.is_latest ? `/${work.ark}/v${work.version}` : `/${work.ark}`
  return {
    baseUrl,
    nowMs: nowMs(),
    linkElements: linkElements(links),
    jsonLd: isThere ? formatSchemaOrg(describeShown(work, baseUrl)) : undefined,
    citation: { text: undefined, styles: [], downloads: [] },
    machineLinks: machineLinksOf(work, page),
  }
}

function machineLinksOf({ links }: LandingRecord['work'], page: string): readonly MachineLink[] {
  return [
    { name: 'JSON', href: `${page}?json` },
    { name: 'ERC', href: `${page}?info` },
    { name: 'History', href: new URL(links['history'] ?? '').pathname },
  ]
}

function describeShown(work: ShownWork, baseUrl: string): DescribedWork {
  const { ark, version, metadata, content, created_at, updated_at, links } = work
  const { authors: _authors, author_details: _details, ...described } = metadata
  const { url, media_type: mediaType, hash, size } = content
  return {
    ark,
    url: `${baseUrl}/${ark}`,
    version,
    metadata: described,
    authors: describeAuthors(metadata),
    publisher: publisherOf(metadata, work.source),
    createdAt: created_at,
    updatedAt: updated_at,
    content: { url, mediaType, hash, size },
    receiptUrl: links['receipt'] ?? '',
    registry: new URL(baseUrl).host,
  }
}
