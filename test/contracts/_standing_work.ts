import type { StandingWork } from '#actors/registry/catalogue/feeds.ts'

/** A work of the organization `moon` that is the `seq`th, with this of its metadata. */
export function standingWork(
  seq: number,
  metadata: Readonly<Record<string, string>>,
): StandingWork {
  const ark = `12345/k2w${seq}`
  const at = '2026-01-01T00:00:00.000Z'
  return {
    state: {
      ark,
      identifier: `ark:/${ark}`,
      owner: { type: 'organization', id: 'moon', name: 'Moon' },
      status: 'registered',
      fixity_status: 'verified',
      created_at: at,
      updated_at: at,
    },
    metadata: JSON.stringify({ work_type: 'article', ...metadata }),
    claims: [],
    registered: seq,
  }
}
