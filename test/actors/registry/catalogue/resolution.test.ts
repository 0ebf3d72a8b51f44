import test from 'ava'
import fc from 'fast-check'

import {
  authorsOf,
  identifiersOf,
  publicSource,
  workLinks,
} from '#actors/registry/catalogue/representation.ts'
import { renderResolve } from '#actors/registry/catalogue/resolution.ts'
import type { PlacedClaim } from '#actors/people/claims/match.ts'
import type { JournalEvent } from '#actors/journal/journal.ts'
import { encodeEvent } from '#actors/journal/rows.ts'
import type { Agent } from '#actors/values/agent.ts'
import { ByteWriter, canonicalJson } from '#actors/values/serialization.ts'
import { contentUrl } from '#actors/works/content.ts'
import type { VersionContent, WorkState } from '#actors/works/events.ts'
import { contentReason, hashSource } from '#actors/works/fixity_rules.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { VersionRecord } from '#actors/works/record.ts'

// What looks like JSON within a text, what JSON escapes, and what takes several bytes.
const messy = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        '\\',
        '\\"',
        '"authors":"',
        ',"metadata":',
        '"work_url":"https://example.org/other"',
        '"existing_doi":"10.1/x"',
        '"by":{"type":"person"}',
        '{}}',
        '],"authors":"',
        '\n\t\u0000\u2028',
        'à\u00a0é',
        '\u3000',
        '😀',
        ', ',
        '; ',
      ),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))

const name = messy.map((text) => `A ${text}`)

const metadata = fc
  .record(
    {
      work_title: messy,
      work_type: fc.constant('article'),
      authors: name,
      description: messy,
      work_url: fc.constantFrom('https://example.org/a?b="c"', 'https://example.org/ü'),
      keywords: messy,
      author_details: fc.array(
        fc.record({ name, affiliation: messy }, { requiredKeys: ['name'] }),
        { maxLength: 3 },
      ),
      related_identifiers: fc.array(fc.record({ relation: messy, identifier: messy })),
      // Some stand before those of authors, and some have authors of their own.
      access: fc.record({ start_date: messy }),
      alternate_identifiers: fc.array(fc.record({ identifier: messy, type: messy })),
      related_items: fc.array(fc.record({ authors: fc.array(fc.record({ name })) })),
      existing_doi: fc.constantFrom('10.1234/abc', '10.1234/ü"\\'),
    },
    { requiredKeys: ['work_title', 'work_type', 'authors', 'existing_doi'] },
  )
  // As it is stored: its members in canonical order.
  .map((fields) => JSON.parse(canonicalJson(fields)) as Metadata)

const agent: fc.Arbitrary<Agent> = fc.record(
  {
    type: fc.constantFrom('organization', 'person', 'operator'),
    id: fc.constantFrom('demo', 'p1234'),
    name: messy,
    via: fc.constantFrom('api_key', 'cli', 'oauth'),
    key_id: fc.constant('k1'),
    client_id: messy,
    admin: fc.boolean(),
  },
  { requiredKeys: ['type', 'id', 'name', 'via'] },
)

const at = '2026-11-22T22:18:28.050Z'

const content: fc.Arbitrary<VersionContent> = fc.record(
  {
    fixity_status: fc.constantFrom('pending', 'verified', 'failed', 'unreachable'),
    content_hash: fc.constantFrom(null, `sha256:${'0'.repeat(64)}`),
    checked: fc.record(
      {
        since: fc.constant(1),
        checked_at: fc.constant(at),
        reason: fc.option(messy),
        message: fc.option(messy),
        stable: fc.record({
          sha512: fc.constant('0'.repeat(128)),
          bytes: fc.nat(),
          media_type: fc.option(messy),
          version: fc.constant(1),
          leaf: fc.nat(),
        }),
      },
      { requiredKeys: ['since', 'checked_at', 'reason', 'message'] },
    ),
  },
  { requiredKeys: ['fixity_status', 'content_hash'] },
)

const claims: fc.Arbitrary<PlacedClaim[]> = fc.array(
  fc.record({
    claim: fc.record({
      ppid: fc.constant('p1234'),
      status: fc.constant('verified'),
      basis: fc.constant('registrant'),
      confirmed_by: fc.constant(['registrant']),
    }),
    name,
  }),
  { maxLength: 2 },
)

type Parts = {
  readonly metadata: Metadata
  readonly by: Agent
  readonly content: VersionContent
  readonly claims: readonly PlacedClaim[]
  readonly sourceName: string | undefined
  readonly version: number
}

const base = 'https://registry.example/a"b'
const identifier = 'ark:/12345/k2abc'
const registeredAt = '2026-11-22T08:09:10.123Z'
const receipt = { ark: identifier, signature: { name: '—' } }
const receipts = { append: (to: ByteWriter) => void to.text(JSON.stringify(receipt)) }
const out = new ByteWriter()

function recordOf({ metadata: fields, by, content: known, version }: Parts): VersionRecord {
  const data = { receipt_id: 'rcpt_2026_11_22_a', content_hash: null, metadata: fields }
  const stream = 'work/12345/k2abc'
  const event = { type: 'WorkRegistered', schema: 1, by, at: registeredAt, stream, data }
  const eventRow = encodeEvent({ ...event, position: 7 } as unknown as JournalEvent)
  const state = { identifier, status: 'registered', version: 2, created_at: at, updated_at: at }
  const about = { ark: '12345/k2abc', version, eventRow, leafIndex: 7, content: known }
  return { ...about, state: state as WorkState, event: event as unknown as VersionRecord['event'] }
}

/** A resolution as an object, in the order of its members. */
function plainResolution(parts: Parts, requested: string): unknown {
  const { metadata: fields, by, content: known, version } = parts
  const { checked } = known
  return {
    ark: identifier,
    requested,
    status: 'registered',
    version,
    latest_version: 2,
    is_latest: version === 2,
    created_at: at,
    updated_at: at,
    registered_at: registeredAt,
    content: {
      url: contentUrl(fields, known),
      hash: known.content_hash,
      hash_source: hashSource(known),
      media_type: checked?.stable?.media_type ?? null,
      size: checked?.stable?.bytes ?? null,
      fixity_status: known.fixity_status,
      ...contentReason(known),
      checked_at: checked?.checked_at ?? null,
    },
    identifiers: identifiersOf(identifier, fields),
    ...authorsOf(fields, parts.claims),
    source: publicSource(by, parts.sourceName),
    links: workLinks(base, identifier, version),
    metadata: fields,
    receipt,
  }
}

test('a resolution is the JSON of its members, whatever the texts of a work hold', (t) => {
  const arbitrary = fc.record({
    metadata,
    by: agent,
    content,
    claims,
    sourceName: fc.option(messy, { nil: undefined }),
    version: fc.constantFrom(1, 2),
  })
  fc.assert(
    fc.property(arbitrary, messy, (parts, requested) => {
      const record = recordOf(parts)
      const view = { base, claims: parts.claims, sourceName: parts.sourceName }
      const shown = renderResolve(out, record, { ...view, receipts, requested })
      const { body, requestedAt, requestedEnd } = shown
      return (
        String(body) === JSON.stringify(plainResolution(parts, requested)) &&
        String(body.subarray(requestedAt, requestedEnd)) === JSON.stringify(requested)
      )
    }),
    { numRuns: 2_000 },
  )
  t.pass()
})

test('what was erased is not shown', (t) => {
  const row = '{"by":{"type":"operator"},"data":{"receipt_id":"rcpt_1","metadata":null}}'
  const state = { identifier, status: 'registered', version: 1 } as WorkState
  const unchecked = { fixity_status: 'pending', content_hash: null }
  const eventRow = Buffer.from(row)
  const record = { state, version: 1, content: unchecked, eventRow } as unknown as VersionRecord
  const view = { base, claims: [], receipts, requested: identifier }
  const render = () => renderResolve(out, record, view)
  t.throws(render, { message: /was not erased/ })
})
