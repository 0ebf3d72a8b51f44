import type { Catalogue } from '#actors/catalogue/port.ts'
import type { OwnerListWork } from '#actors/catalogue/owner_lists.ts'

/** A work as a line of a list; undefined if there is none. `ark` is `naan/name`. */
export async function summarizeWork(
  catalogue: Catalogue,
  ark: string,
): Promise<OwnerListWork | undefined> {
  const state = catalogue.state(ark)
  const found = await catalogue.work(ark)
  if (state === undefined || found.type === 'not_found') return undefined
  const { work_title = null } = JSON.parse(Buffer.from(found.body).toString('utf8')) as {
    readonly work_title?: string
  }
  const { identifier, version, status, fixity_status, created_at, updated_at } = state
  return {
    ark_identifier: identifier,
    work_title,
    version,
    status,
    fixity_status,
    created_at,
    updated_at,
  }
}
