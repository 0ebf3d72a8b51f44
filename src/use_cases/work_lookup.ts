import {
  type Ark,
  checkZoneMax,
  hasValidCheck,
  parseArkReference,
  repairCandidates,
} from '#actors/values/ark.ts'
import type { NotFound, Rendered } from '#actors/registry/catalogue/port.ts'
import type { ServedEnvironment, ServedEnvironments } from '#actors/registry/environment.ts'
import { recognizeDoi } from '#actors/values/identifier.ts'
import type { WorkState } from '#actors/works/events.ts'
import { type Metadata, metadataFields } from '#actors/works/metadata.ts'
import { parseDecimal } from '#log/tlog/encoding.ts'
import { HttpError } from '#src/edge/errors.ts'
import { readArk, type RequestedArk } from '#src/edge/request_path.ts'
import { type Caller, environmentOf } from '#src/edge/caller.ts'
import { type KnownSuspensions, refuseWithheld } from '#src/edge/suspended.ts'

/** An ARK that a caller names, and the environment in which it is looked for. */
export type LocatedArk = RequestedArk & { readonly environment: ServedEnvironment }

/** The work that a caller looks up: whether it exists is for the catalogue to say. */
export type WorkLookup = {
  readonly environment: ServedEnvironment
  readonly ark: Ark
  /** The ARK as the client spelled it, decoded. */
  readonly requested: string
}

/** The version that a caller looks up: whether it exists is for the catalogue to say. */
export type VersionLookup = WorkLookup & { readonly version: number }

/**
 * Reads an ARK and tells where to look for it. `segment` is the path's ARK as the client sent it.
 * The environment is that of the credential; without one, the ARK's NAAN tells it. Throws HttpError
 * `malformed_ark`.
 */
export function locateArk(
  environments: ServedEnvironments,
  caller: Caller,
  segment: string,
): LocatedArk {
  const own = environmentOf(environments, caller)
  const read = readArk(segment, own.naan)
  const { sandbox } = environments
  const isSandbox = caller.kind === 'anonymous' && read.parsed.naan === sandbox.naan
  return { ...read, environment: isSandbox ? sandbox : own }
}

/**
 * The work that an ARK names. Throws HttpError `not_found` for an ARK that cannot be a work's, such
 * as one with a qualifier or with another day than that of the work's creation.
 */
export function lookUpWork({ environment, requested, parsed }: LocatedArk): WorkLookup {
  const { ark, components, variants, date } = parsed
  if (components !== '' || variants !== '') {
    if (environment.catalogue.state(ark) === undefined) throw workNotFound(environment, ark)
    const nothing = `The work ark:/${ark} has nothing that is named ${components}${variants}`
    throw new HttpError('not_found', `${nothing}; its first version is ark:/${ark}/v1`)
  }
  if (date !== undefined && createdOn(environment, ark) !== date) throw otherDay(environment, ark)
  return { environment, ark, requested }
}

/** Where works are looked up that not everybody may see. */
export type ShownWorks = {
  readonly environments: ServedEnvironments
  readonly suspensions: KnownSuspensions
}

/**
 * The work that a caller names by its ARK, to be shown its metadata. HttpError `malformed_ark`,
 * `not_found`, and `withheld` without a key: with one, its owner has to see what is withheld.
 */
export function lookUpShownWork(
  { environments, suspensions }: ShownWorks,
  caller: Caller,
  segment: string,
): WorkLookup {
  const work = lookUpWork(locateArk(environments, caller, segment))
  if (caller.kind === 'anonymous') refuseWithheld(suspensions, work.ark)
  return work
}

/** The day on which a work was registered, as `YYYY-MM-DD`; undefined if there is none. */
export function createdOn(environment: ServedEnvironment, ark: Ark): string | undefined {
  return environment.catalogue.state(ark)?.created_at.slice(0, 10)
}

/** The refusal for an ARK with a day that is not the one on which its work was registered. */
export function otherDay(environment: ServedEnvironment, ark: Ark): HttpError {
  const day = createdOn(environment, ark)
  if (day === undefined) return workNotFound(environment, ark)
  return new HttpError('not_found', `The work ark:/${ark} was registered on another day: ${day}`)
}

/**
 * The work that an ARK in any spelling names, the address of its page, or its DOI: of whichever
 * environment has it. HttpErrors `malformed_ark`, `not_found`, `conflict` for several works.
 */
export function workNamed(
  { live, sandbox }: ServedEnvironments,
  text: string,
): WorkLookup & { readonly state: WorkState } {
  const requested = text.trim()
  const doi = recognizeDoi(requested)
  const [found, ...others] = doi === undefined ? [] : worksWithDoi(live, doi)
  if (others.length > 0) {
    throw new HttpError('conflict', `Several works have the DOI ${doi}: name one by its ARK`)
  }
  const parsed = parseArkReference(found ?? requested, live.naan)
  if (parsed.type === 'malformed') {
    throw new HttpError('malformed_ark', `The ARK is malformed: ${parsed.reason}`)
  }
  const { ark, components, variants } = parsed
  const environment = parsed.naan === sandbox.naan ? sandbox : live
  const state = environment.catalogue.state(ark)
  if (state === undefined || components !== '' || variants !== '') {
    throw workNotFound(environment, ark)
  }
  return { environment, ark, requested, state }
}

function worksWithDoi({ catalogue }: ServedEnvironment, doi: string): readonly string[] {
  const standing = catalogue.withDoi({ doi, standing: 'live' }, 2)
  return standing.length > 0 ? standing : catalogue.withDoi({ doi, standing: 'withdrawn' }, 2)
}

/** The version of a work that a decimal names; HttpError `not_found` for any other text. */
export function lookUpVersion(work: WorkLookup, text: string): VersionLookup {
  const version = parseDecimal(text)
  if (version === undefined) throw versionNotFound(work, text)
  return { ...work, version }
}

/** What the catalogue found of a work; HttpError `not_found` if nothing. */
export function existingWork<F extends Rendered>(
  { environment, ark }: WorkLookup,
  found: F | NotFound,
): F {
  if (found.type === 'found') return found
  throw workNotFound(environment, ark)
}

/** What the catalogue found of a version; HttpError `not_found` if nothing. */
export function existingVersion(named: VersionLookup, found: Rendered | NotFound): Rendered {
  if (found.type === 'found') return found
  throw versionNotFound(named, String(named.version))
}

/**
 * The refusal for an ARK that names no work. If its check character is wrong and exactly one
 * registered ARK is one typing error away, the message names it.
 */
export function workNotFound(environment: ServedEnvironment, ark: Ark): HttpError {
  const isTypo = ark.length <= checkZoneMax + 1 && !hasValidCheck(ark)
  const meant = isTypo ? onlyRepair(environment, ark) : undefined
  const message = `There is no work ark:/${ark}`
  if (meant === undefined) return new HttpError('not_found', message)
  const extra = { did_you_mean: `ark:/${meant}` }
  return new HttpError('not_found', `${message}; did you mean ark:/${meant}?`, { extra })
}

function onlyRepair(environment: ServedEnvironment, ark: Ark): Ark | undefined {
  const existing = repairCandidates(ark).filter((candidate) =>
    environment.catalogue.state(candidate),
  )
  return existing.length === 1 ? existing[0] : undefined
}

function versionNotFound({ environment, ark }: WorkLookup, version: string): HttpError {
  if (environment.catalogue.state(ark) === undefined) return workNotFound(environment, ark)
  return new HttpError('not_found', `The work ark:/${ark} has no version ${version}`)
}

/** The HttpError that a work which has ended is for who would change or claim it. */
export function goneWork(answer: {
  readonly withdrawnAt: string
  readonly isLost?: boolean
}): HttpError {
  const { withdrawnAt, isLost = false } = answer
  if (!isLost) return new HttpError('gone', `The work was withdrawn on ${withdrawnAt}`)
  const lost = 'What was registered of the work is lost, as was found on'
  return new HttpError('gone', `${lost} ${withdrawnAt}`)
}

/** The metadata among the members of a work as readers get it. */
export function metadataOf(work: Readonly<Record<string, unknown>>): Metadata {
  const members = Object.keys(metadataFields).map((name): [string, unknown] => [name, work[name]])
  const known = members.filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(known) as Metadata
}
