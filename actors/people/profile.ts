import type { FieldChange, Profile } from '#actors/people/port.ts'
import type { NameHashes } from '#actors/people/events.ts'

/** A change of a profile: what is absent stays, null removes. */
export type ProfilePatch = {
  readonly [Field in Exclude<keyof Profile, 'name' | 'visibility'>]?: Profile[Field] | null
} & { readonly name?: string; readonly visibility?: Partial<Profile['visibility']> }

/** A record of fields by their names; those that are not there are absent. */
export type Fields = Readonly<Record<string, unknown>>

const visibilityPrefix = 'visibility.'

/** A profile field by field: the visibility of the biography is the field `visibility.bio`. */
export function fieldsOf({ visibility, ...profile }: Profile): Fields {
  const fields: Record<string, unknown> = { ...profile }
  for (const [name, value] of Object.entries(visibility)) fields[visibilityPrefix + name] = value
  return fields
}

/** The profile of such fields. */
export function profileOf(fields: Fields): Profile {
  const own: Record<string, unknown> = {}
  const visibility: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    if (!name.startsWith(visibilityPrefix)) own[name] = value
    else visibility[name.slice(visibilityPrefix.length)] = value
  }
  return { ...own, visibility } as unknown as Profile
}

/**
 * Merges a patch into a profile. An ORCID iD that is authenticated stays so when the same one is
 * only said again.
 */
export function patchProfile(profile: Profile, patch: ProfilePatch): Profile {
  const { visibility, ...fields } = patch
  const { orcid, orcid_authenticated: isAuthenticated } = profile
  const kept = orcid !== undefined && patch.orcid === orcid && isAuthenticated
  const merged = mergeFields(profile, kept ? { ...fields, orcid_authenticated: true } : fields)
  return { ...merged, visibility: { ...profile.visibility, ...visibility } } as Profile
}

/** Merges fields into others: null removes one. */
export function mergeFields(fields: object, patch: object): Fields {
  const merged = { ...fields, ...patch }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

/** Names of the fields that differ, sorted. */
export function changedFields(before: Fields, after: Fields): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => !isSameValue(before[name], after[name])).sort()
}

/** Whether two values of a field are the same: texts, or lists whose members stand in one order. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** The fields of those names, as far as they are there. */
export function pickFields(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(
    names.filter((name) => name in fields).map((name) => [name, fields[name]]),
  )
}

/** What a change did to the fields of those names. */
export function diffOf(names: readonly string[], before: Fields, after: Fields): FieldChange[] {
  return names.map((field) => ({
    field,
    before: before[field] ?? null,
    after: after[field] ?? null,
  }))
}

/** Hashes a name that only one person may have, with a secret key. */
export type HashName = (kind: keyof NameHashes, name: string) => string

/** The names of a profile that nobody else may have. */
export function namesOf(profile: Profile, hash: HashName): NameHashes {
  const { username, orcid, orcid_authenticated: isAuthenticated } = profile
  return {
    ...(username !== undefined && { username: hash('username', username) }),
    ...(orcid !== undefined && isAuthenticated && { orcid: hash('orcid', orcid) }),
  }
}
