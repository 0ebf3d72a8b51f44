import type { RecordName, StandingWork } from '#actors/catalogue/record_feed.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { organizationDocument, personDocument } from '#src/discovery/search/documents.ts'
import type { SearchDocument } from '#src/discovery/search/search_engine.ts'

/** The parts of an environment that are read. */
export type IndexedEnvironment = Pick<
  Environment,
  'name' | 'records' | 'people' | 'organizations' | 'claims' | 'status'
>

/** A record as it stands now: a work, the document of any other, or nothing that is shown. */
export type IndexedRecord =
  | { readonly type: 'work'; readonly work: StandingWork }
  | { readonly type: 'document'; readonly document: SearchDocument }
  | { readonly type: 'hidden' }

/** Reads a record that is to be indexed. */
export function readIndexed(record: RecordName, environment: IndexedEnvironment): IndexedRecord {
  if (record.type === 'work') {
    const work = environment.records.work(record.id)
    return work === undefined ? { type: 'hidden' } : { type: 'work', work }
  }
  const document = readDocument(record, environment)
  return document === undefined ? { type: 'hidden' } : { type: 'document', document }
}

function readDocument(
  record: RecordName,
  { records, people, organizations }: IndexedEnvironment,
): SearchDocument | undefined {
  if (record.type === 'person') {
    const person = people.read(record.id)
    if (person?.type !== 'person') return undefined
    return personDocument(person, records.began(record, person.created_at))
  }
  const organization = organizations.read(record.id)
  if (organization === undefined) return undefined
  return organizationDocument(organization, records.began(record, organization.created_at))
}
