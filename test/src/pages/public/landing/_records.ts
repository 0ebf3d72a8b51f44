import type { FixityRecord } from '#actors/works/fixity/client.ts'
import { type Html, nothing } from '#src/pages/kit/html.ts'
import type { LandingContext } from '#src/pages/public/landing/work_parts.ts'
import type {
  ContentReply,
  LandingRecord,
  ReceiptReply,
  TombstoneReply,
  WorkReply,
} from '#src/use_cases/landing_record.ts'
import type { FixityCheck } from '#actors/works/content.ts'
import { english } from '#src/words/language.ts'

export const ark = 'ark:/12345/k2bcd45g7h3'
export const hash = `sha256:${'ab'.repeat(32)}`
export const nowMs = Date.parse('2026-03-01T12:00:00.000Z')

const baseUrl = 'https://registry.example'
const source = { type: 'organization', id: 'press', name: 'A Press', via: 'api_key' } as const

const links = {
  resolve: `${baseUrl}/api/v1/resolve/${ark}`,
  versions: `${baseUrl}/api/v1/works/${ark}/versions`,
  history: `${baseUrl}/api/v1/resolve/${ark}/history`,
  receipt: `${baseUrl}/api/v1/receipts/${ark}/v1`,
  proofs: `${baseUrl}/api/v1/proofs/${ark}/v1`,
}

export const context: LandingContext = {
  registry: 'Arklog',
  baseUrl,
  url: `${baseUrl}/${ark}`,
  nowMs,
  linkElements: nothing,
  jsonLd: undefined,
  citation: { styles: [], downloads: [], path: '/ark:/12345/k2bcd45g7h3' },
  machineLinks: [],
}

const receipt: ReceiptReply = {
  statement: 'registered',
  receipt_id: 'rcpt_2026_01_01_0123456789bc',
  timestamp: '2026-01-01T00:00:00.000Z',
  version: 1,
  content_hash: null,
  metadata_hash: hash,
  signature: { public_key: 'cd'.repeat(32) },
  chain_proof: { leaf_index: 4, tree_size: 9, merkle_root: 'ef'.repeat(32) },
}

export const pending: ContentReply = {
  url: 'https://press.example/things',
  hash: null,
  hash_source: null,
  media_type: null,
  size: null,
  fixity_status: 'pending',
  reason: null,
  message: null,
  checked_at: null,
}

type Standing = Extract<WorkReply, { status: 'registered' }>

/** A work that differs from a plain one in these members. */
export function workWith(changes: Partial<Standing> = {}): Standing {
  return {
    ark,
    status: 'registered',
    version: 1,
    latest_version: 1,
    is_latest: true,
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
    registered_at: '2026-01-01T00:00:00.000Z',
    metadata: {
      work_title: 'On the order of things',
      work_type: 'review_article',
      authors: 'Ox, Ada; Pen, Bo',
      work_url: 'https://press.example/things',
    },
    content: pending,
    receipt,
    authors: [
      { name: 'Ox, Ada', claims: [] },
      { name: 'Pen, Bo', claims: [] },
    ],
    source,
    links,
    ...changes,
  }
}

/** The same work once it was withdrawn. */
export function withdrawnWork(changes: Partial<Standing> = {}): WorkReply {
  const { receipt: _, content, ...work } = workWith(changes)
  const { url: __, ...left } = content
  return {
    ...work,
    content: left,
    status: 'withdrawn',
    reason: 'duplicate',
    note: 'It was here before.',
    replaced_by: 'ark:/12345/k2zzz',
    withdrawn_at: '2026-02-01T00:00:00.000Z',
  }
}

export const tombstone: TombstoneReply = {
  ark,
  status: 'withdrawn',
  reason: 'legal',
  erased_at: '2026-02-02T00:00:00.000Z',
  created_at: '2026-01-01T00:00:00.000Z',
  withdrawn_at: '2026-02-01T00:00:00.000Z',
  version: 1,
  receipt_id: receipt.receipt_id,
  links,
}

/** What a page shows of a work, in one version. */
export function recordOf(
  work: WorkReply | TombstoneReply,
  changes: Partial<LandingRecord> = {},
): LandingRecord {
  const versions = [
    {
      version: 1,
      kind: 'registered',
      created_at: work.created_at,
      changed_fields: [],
      source,
    },
  ] as const
  const by = { type: 'organization', name: 'A Press', organization: 'press' } as const
  const events = [
    { at: work.created_at, type: 'work.registered', version: 1, by, changed_fields: [] },
  ]
  return {
    environment: 'live',
    work,
    owner: source,
    versions,
    versionsTotal: 1,
    events,
    hasOlder: false,
    related: [],
    hasMoreRelated: false,
    fixity: undefined,
    files: [],
    receipt,
    ...changes,
  }
}

/** A check of content that ended like this. */
export function checkOf(changes: Partial<FixityCheck> = {}): FixityCheck {
  return {
    timestamp: '2026-03-01T10:00:00.000Z',
    status: 'verified',
    method: 'remote_fetch',
    version: 1,
    final_url: 'https://press.example/things',
    http_status: 200,
    bytes: 2_048,
    media_type: 'application/pdf',
    sha256: 'ab'.repeat(32),
    sha512: 'ab'.repeat(64),
    reason: null,
    message: null,
    ...changes,
  }
}

/** What the checks of a content have shown. */
export function fixityWith(streak: number, checks: readonly FixityCheck[]): FixityRecord {
  return {
    ark_identifier: ark,
    version: 1,
    content_url: 'https://press.example/things',
    fixity_status: 'verified',
    content_hash: hash,
    hash_source: 'fetched',
    media_type: null,
    size: null,
    reason: null,
    message: null,
    checked_at: null,
    next_check_at: '2026-03-08T10:00:00.000Z',
    streak,
    fixity_checks: checks,
  }
}

/** What a reader sees of HTML: its text, with spaces as they are shown. */
export function textOf(shown: Html): string {
  return shown
    .html(english)
    .replaceAll(/<(?:script|svg)[^]*?<\/(?:script|svg)>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
    .trim()
}
