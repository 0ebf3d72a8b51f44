import { joinAuthors, wholeName } from '#actors/values/author_name.ts'
import { foldOrcid } from '#actors/values/identifier.ts'
import type { AuthorDetail } from '#actors/works/metadata.ts'
import type { CslName } from '#src/discovery/citation_files/citation_library.ts'

/** The authors of a draft, and sentences about what was left out. */
export type DraftAuthors = {
  readonly authors: string | undefined
  readonly author_details: readonly AuthorDetail[] | undefined
  readonly notes: readonly string[]
}

/** The names of CSL as `authors` and `author_details` have them. */
export function draftAuthors(names: readonly CslName[]): DraftAuthors {
  const notes: string[] = []
  const named = names.filter((name) => !isOthers(name) && displayName(name) !== '')
  if (named.length < names.length && names.some(isOthers)) {
    notes.push('There are more authors than the entry names ("and others").')
  }
  if (named.length === 0) return { authors: undefined, author_details: undefined, notes }
  const details = named.map((name) => describe(name, notes))
  return { authors: joinAuthors(details.map(({ name }) => name)), author_details: details, notes }
}

// What ends a list of authors that goes on elsewhere.
function isOthers({ family, literal, given }: CslName): boolean {
  return given === undefined && (family ?? literal)?.toLowerCase() === 'others'
}

function describe(name: CslName, notes: string[]): AuthorDetail & { readonly name: string } {
  const whole = displayName(name)
  const { given, family } = name
  const annotated = name['_orcid'] ?? name.ORCID
  const orcid = typeof annotated === 'string' ? foldOrcid(annotated.trim()) : undefined
  if (annotated !== undefined && orcid === undefined) {
    notes.push(`The ORCID iD of ${whole} is not a right one, and was left out.`)
  }
  return {
    name: whole,
    ...(given !== undefined && { given }),
    ...(given !== undefined && family !== undefined && { family: join(particle(name), family) }),
    ...(orcid !== undefined && { orcid }),
    ...(name.affiliation !== undefined && { affiliation: name.affiliation }),
  }
}

// A semicolon would part a name in two.
function displayName(name: CslName): string {
  const { literal, given, family, suffix } = name
  const parts = { given: given ?? '', family: join(particle(name), family) }
  const whole = literal ?? join(wholeName(parts), suffix)
  return whole.replaceAll(';', ',').trim()
}

function particle(name: CslName): string {
  return join(name['dropping-particle'], name['non-dropping-particle'])
}

function join(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ')
}
