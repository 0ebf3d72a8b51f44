import { readName, splitAuthors } from '#actors/values/author_name.ts'
import { keywordsOf as listKeywords } from '#actors/values/keywords.ts'
import { isLicenseAddress } from '#actors/values/license.ts'
import type { AuthorDetail, Metadata } from '#actors/works/metadata.ts'

/** An author as a work names them, with what is known of them. */
export type DescribedAuthor = AuthorDetail & { readonly name: string }

/** The metadata of a work, as far as it is there: of a withdrawn work little is. */
export type DescribedMetadata = Pick<Metadata, 'work_title' | 'work_type'> &
  Partial<Omit<Metadata, 'authors' | 'author_details'>>

/** What every format says of one version of a work, or of the tombstone in its place. */
export type DescribedWork = {
  /** `ark:/naan/name`. */
  readonly ark: string
  /** The address of the ARK at this registry: what a citation leads to. */
  readonly url: string
  readonly version: number
  readonly metadata: DescribedMetadata
  readonly authors: readonly DescribedAuthor[]
  /** `publisher_name`, else the name of the organization that registered the work. */
  readonly publisher: string | undefined
  /** When the work was registered: `YYYY-MM-DDThh:mm:ss.sssZ`. */
  readonly createdAt: string
  /** When this version was registered or, later, the work withdrawn. */
  readonly updatedAt: string
  /** Absent once the work was withdrawn. `hash` is `sha256:` and hex, `size` in bytes. */
  readonly content?: {
    readonly url: string
    readonly mediaType: string | null
    readonly hash: string | null
    readonly size: number | null
  }
  /** The address of the version's receipt. */
  readonly receiptUrl: string
  /** The host of the registry. */
  readonly registry: string
  /** Why and when the work was withdrawn; absent while it stands. */
  readonly withdrawal?: { readonly reason: string; readonly at: string }
}

/** The authors of a work, each with what `author_details` says of the one at their place. */
export function describeAuthors(
  metadata: Pick<Metadata, 'authors' | 'author_details'>,
): readonly DescribedAuthor[] {
  return splitAuthors(metadata.authors).map((name, index) => {
    const detail = metadata.author_details?.[index]
    return detail === undefined ? namedAuthor(name) : { name, ...detail }
  })
}

// `Martin Luther King, Jr.` is a whole name with a suffix, and no family name with a given one.
function namedAuthor(name: string): DescribedAuthor {
  const { suffix, ...read } = readName(name)
  if (suffix === undefined) return read
  return { name: read.family === undefined ? read.name : name }
}

/** The address of a licence: its own, or that of its SPDX identifier's page. */
export function licenseUrl(license: string): string {
  return isAddress(license) ? license : `https://spdx.org/licenses/${license}.html`
}

/** Whether a licence is given by its address instead of its SPDX identifier. */
export function isAddress(license: string): boolean {
  return isLicenseAddress(license)
}

/** The keywords of a work, each on its own. */
export function keywordsOf({ keywords = '' }: DescribedMetadata): readonly string[] {
  return listKeywords(keywords)
}

/** The year of publication; undefined if it is not known. */
export function yearOf({ published_date }: DescribedMetadata): string | undefined {
  return published_date?.slice(0, 4)
}

/** What is said of a withdrawn work in place of anything else, in a sentence. */
export function withdrawalNote({ withdrawal }: DescribedWork): string | undefined {
  if (withdrawal === undefined) return undefined
  return `Withdrawn on ${withdrawal.at.slice(0, 10)} (${withdrawal.reason.replaceAll('_', ' ')}).`
}

/** The first page of a work and, where there is one, the last: of `108–248` both. */
export function pageRange({ pages }: DescribedMetadata): {
  readonly first?: string
  readonly last?: string
} {
  if (pages === undefined) return {}
  const [, first, last] = /^([^\s,;–—-]+)\s*[-–—]+\s*([^\s,;–—-]+)$/.exec(pages) ?? []
  return first === undefined || last === undefined ? { first: pages } : { first, last }
}

/** A value without the members that have no value: formats have no empty fields. */
export function withoutUndefined<T extends object>(
  value: T,
): {
  readonly [K in keyof T]: Exclude<T[K], undefined>
} {
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members) as { readonly [K in keyof T]: Exclude<T[K], undefined> }
}
