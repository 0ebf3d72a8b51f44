import type { RelatedIdentifier } from '#actors/values/related_identifier.ts'
import type { WorkType } from '#actors/values/work_type.ts'

/** What is known of one author; `name` or `family` is given. */
export type AuthorDetail = {
  readonly name?: string
  readonly given?: string
  readonly family?: string
  /** `0000-0002-1825-0097` */
  readonly orcid?: string
  readonly affiliation?: string
  /** `https://ror.org/05gq02987` */
  readonly ror?: string
}

export type Funding = { readonly funder: string; readonly award?: string }

/**
 * What describes one version of a work, as it is stored, hashed and returned: absent fields are
 * left out, members stand in the order of canonical JSON. `work_url` or `existing_doi` is given.
 */
export type Metadata = {
  readonly work_title: string
  readonly work_type: WorkType
  readonly authors: string
  readonly description?: string
  readonly work_url?: string
  readonly existing_doi?: string
  readonly keywords?: string
  readonly language?: string
  readonly license?: string
  readonly published_date?: string
  readonly publisher_name?: string
  readonly container_title?: string
  readonly volume?: string
  readonly issue?: string
  readonly pages?: string
  readonly author_details?: readonly AuthorDetail[]
  readonly related_identifiers?: readonly RelatedIdentifier[]
  readonly funding?: readonly Funding[]
  readonly content_hash?: string
}

type RequiredName = 'work_title' | 'work_type' | 'authors'
type OptionalName = Exclude<keyof Metadata, RequiredName>

/** A change of metadata: what is absent stays, null removes. */
export type MetadataPatch = Partial<Pick<Metadata, RequiredName>> & {
  readonly [Name in OptionalName]?: Exclude<Metadata[Name], undefined> | null
}
