import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import type { FixityStatus } from '#actors/works/receipts/statement.ts'

/**
 * A work as results have it, `ark` is `naan/name`: a withdrawn one with the members of one that
 * stands. Undefined if its metadata was erased.
 */
export async function workRecord(
  { catalogue }: Pick<ServedEnvironment, 'catalogue'>,
  ark: string,
): Promise<string | undefined> {
  const found = await catalogue.work(ark)
  if (found.type === 'not_found') return undefined
  const text = Buffer.from(found.body).toString('utf8')
  return found.status === 'registered' ? text : withdrawnResult(text)
}

type Tombstone = Readonly<Record<string, unknown>> & {
  readonly ark: string
  readonly metadata?: Metadata
  readonly content: { readonly fixity_status: FixityStatus }
}

/** A withdrawn work with the members of one that stands; undefined once its metadata was erased. */
function withdrawnResult(text: string): string | undefined {
  const { ark, metadata, content, ...rest } = JSON.parse(text) as Tombstone
  if (metadata === undefined) return undefined
  return JSON.stringify({
    ...metadata,
    svc_id: ark.slice(ark.lastIndexOf('/') + 1),
    ark_identifier: ark,
    created_at: rest['created_at'],
    version: rest['version'],
    updated_at: rest['updated_at'],
    status: rest['status'],
    withdrawn_at: rest['withdrawn_at'],
    withdrawal_reason: rest['reason'],
    fixity_status: content.fixity_status,
    receipt_id: rest['receipt_id'],
    metadata_hash: rest['metadata_hash'],
    source: rest['source'],
    links: rest['links'],
  })
}
