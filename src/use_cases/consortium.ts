import type { ParentAnswer, ParentStep } from '#actors/people/organizations/events.ts'
import {
  belowMax,
  invitationsMax,
  belowByLevel,
  levelsMax,
} from '#actors/people/organizations/rules.ts'
import type { ServedEnvironment } from '#actors/registry/environment.ts'
import type { Agent } from '#actors/values/agent.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AuditAction, AuditLog } from '#src/identity/store/audit.ts'

type Organizations = Pick<ServedEnvironment, 'organizations'>

/** The organizations below one at all levels by slug: those right below it first. */
export function allBelow({ organizations }: Organizations, slug: string): readonly string[] {
  return belowByLevel(slug, (each) => organizations.below(each)).flat()
}

/** How many organizations are below one, and the works of it and of them; undefined for none. */
export function belowCounts(
  environment: Pick<ServedEnvironment, 'organizations' | 'holdings'>,
  slug: string,
): { readonly organizations_count: number; readonly works_count: number } | undefined {
  const below = allBelow(environment, slug)
  if (below.length === 0) return undefined
  const counts = [slug, ...below].map((id) => {
    return environment.holdings.counts({ type: 'organization', id }).works_count
  })
  const works = counts.reduce((sum, count) => sum + count, 0)
  return { organizations_count: below.length, works_count: works }
}

/** What the lists of the organization and of the one above it say of each step. */
const told: Readonly<Record<ParentStep, readonly [below: AuditAction, above?: AuditAction]>> = {
  invite: ['consortium_invited'],
  end_invitation: ['consortium_invitation_ended', 'consortium_declined'],
  join: ['consortium_joined', 'consortium_grew'],
  leave: ['consortium_left', 'consortium_shrank'],
}

/** A step that puts an organization below another one, or ends that. */
export type ParentStepOf = {
  readonly slug: string
  readonly parent: string
  readonly step: ParentStep
}

/**
 * Invites an organization to be part of another one, accepts that, or ends either. Owners of both
 * are told by mail and in their audit lists. HttpErrors `not_found`, `forbidden`, `conflict`.
 */
export async function changeParent(
  {
    live: { organizations },
    audit,
    nowMs,
  }: { readonly live: Organizations; readonly audit: AuditLog; readonly nowMs: () => number },
  { slug, parent, step }: ParentStepOf,
  by: Agent,
): Promise<void> {
  const { type } = await organizations.changeParent({ slug, parent, step, by })
  if (type === 'unchanged') return
  if (type !== 'changed') throw refusal(type, { slug, parent })
  const doer = { type: by.type, id: by.id, name: by.name }
  const [below, above] = told[step]
  const noted = { by: doer, nowMs: nowMs() }
  await audit.note({ owner: ownerOf(slug), slug: parent, action: below }, noted)
  if (above === undefined) return
  await audit.note({ owner: ownerOf(parent), slug, action: above }, noted)
}

function ownerOf(id: string) {
  return { type: 'organization', id } as const
}

function refusal(
  type: Exclude<ParentAnswer['type'], 'changed' | 'unchanged'>,
  { slug, parent }: Pick<ParentStepOf, 'slug' | 'parent'>,
): HttpError {
  const messages = {
    not_found: `There is no organization ${slug}`,
    no_parent: `There is no organization ${parent}`,
    forbidden: `Only owners of ${slug} or of ${parent} can do this`,
    circle: `${slug} cannot be part of ${parent}: that is ${slug} itself, or already a part of it`,
    has_parent: `${slug} is part of another organization already: it must leave that one first`,
    too_deep:
      `${slug} cannot be part of ${parent}: there would be more than ${levelsMax} levels of ` +
      'organizations',
    too_many:
      `An organization can have ${belowMax} organizations below it, and ` +
      `${invitationsMax} invitations`,
    not_invited: `${parent} does not invite ${slug}`,
    not_below: `${slug} is not part of ${parent}`,
  } as const
  const isUnknown = type === 'not_found' || type === 'no_parent'
  const code = isUnknown ? 'not_found' : type === 'forbidden' ? 'forbidden' : 'conflict'
  return new HttpError(code, messages[type])
}
