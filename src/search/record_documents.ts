import type { RecordName } from '#actors/catalogue/touch.ts'
import type { Environment } from '#actors/registry/environment.ts'
import { organizationDocument, personDocument, workDocument } from '#src/search/documents.ts'
import type { SearchDocument } from '#src/search/search_engine.ts'

/** The parts of an environment that are read. */
export type IndexedEnvironment = Pick<
  Environment,
  'name' | 'records' | 'people' | 'organizations' | 'claims' | 'status'
>

/** A record as it is indexed, read as it stands now; undefined if it is shown to nobody. */
export function readDocument(
  record: RecordName,
  { records, people, organizations }: IndexedEnvironment,
): SearchDocument | undefined {
  switch (record.type) {
    case 'work': {
      const work = records.work(record.id)
      return work && workDocument(work)
    }
    case 'person': {
      const person = people.read(record.id)
      if (person?.type !== 'person') return undefined
      return personDocument(person, records.began(record, person.created_at))
    }
    case 'organization': {
      const organization = organizations.read(record.id)
      if (organization === undefined) return undefined
      return organizationDocument(organization, records.began(record, organization.created_at))
    }
  }
}
