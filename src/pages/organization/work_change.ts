import { entityTag } from '#actors/values/entity_tag.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'
import { type Action, may } from '#actors/values/authority.ts'
import type { Metadata } from '#actors/works/metadata.ts'
import { metadataFields } from '#actors/works/metadata_fields.ts'
import type { ChangeRefusal } from '#actors/works/port.ts'
import { HttpError } from '#src/errors.ts'
import { type FormBody, textOf } from '#src/pages/kit/form_body.ts'
import {
  type OrganizationContext,
  type OrganizationVisit,
  pathIn,
  visitOrganization,
  workAgent,
} from '#src/pages/organization/context.ts'
import { authorsText, authorValues } from '#src/pages/organization/author_rows.ts'
import { workBody, workFieldLabels } from '#src/pages/organization/work_form.ts'
import { ownWork } from '#src/pages/organization/work_pages.ts'
import type { MemberVisit } from '#src/pages/kit/pages.ts'

/** A work of an organization that one of its members may change, as it stands. */
export type ChangedWork = {
  readonly visit: OrganizationVisit
  /** `naan/name` */
  readonly ark: string
  readonly metadata: Metadata
  readonly version: number
  readonly isWithdrawn: boolean
  readonly etag: string
  /** The path of its pages, prefix included. */
  readonly base: string
}

/**
 * The work that a visit is to. HttpError `not_found` if the organization has none of this name,
 * `forbidden` if the visitor may not do that to it.
 */
export async function visitWork(
  context: OrganizationContext,
  asked: MemberVisit,
  action: Action<'work'>,
): Promise<ChangedWork> {
  const visit = visitOrganization(context, asked, 'register works')
  const { catalogue, naan } = context.environments.live
  const name = visit.parameters['name'] ?? ''
  const ark = ownWork(context, visit, `ark:/${naan}/${name}`)
  const state = catalogue.state(ark)
  const found = await catalogue.work(ark)
  if (state === undefined || found.type === 'not_found') throw new HttpError('not_found', 'No work')
  if (!may(workAgent(visit), 'work', action, state)) {
    throw new HttpError('forbidden', `${visit.organization.name} cannot do this to this work`)
  }
  const work = JSON.parse(Buffer.from(found.body).toString('utf8')) as WorkBody
  const base = context.pages.prefix + pathIn(visit, `/works/${name}`)
  const metadata = metadataOf(work)
  const isWithdrawn = state.status === 'withdrawn'
  return { visit, ark, metadata, version: state.version, isWithdrawn, etag: entityTag(state), base }
}

/** The same, of a work that stands. HttpError `gone` once it was withdrawn. */
export async function visitStandingWork(
  context: OrganizationContext,
  asked: MemberVisit,
  action: Action<'work'>,
): Promise<ChangedWork> {
  const work = await visitWork(context, asked, action)
  if (work.isWithdrawn) throw new HttpError('gone', 'This work was withdrawn')
  return work
}

type WorkBody = Readonly<Record<string, unknown>>

function metadataOf(work: WorkBody): Metadata {
  const members = Object.keys(metadataFields).map((name): [string, unknown] => [name, work[name]])
  const known = members.filter(([, value]) => value !== undefined && value !== null)
  return Object.fromEntries(known) as Metadata
}

/** What a form to change a work begins with. */
export function workValues(metadata: Metadata): FormBody {
  const texts = metadata as Readonly<Record<string, unknown>>
  const values = workFieldLabels.map(([name]): [string, string] => {
    const value = texts[name]
    return [name, typeof value === 'string' ? value : '']
  })
  return new Map([...values, ...authorValues(metadata)])
}

/**
 * The body of a change, unchecked, that a form asks for: what the form shows as it is stays, with
 * all that the form does not show; what was emptied is removed.
 */
export function workPatch(metadata: Metadata, form: FormBody): Record<string, unknown> {
  const before = workValues(metadata)
  const body = workBody(form, metadata)
  const changed = workFieldLabels
    .map(([name]) => name)
    .filter((name) => textOf(before, name).trim() !== textOf(form, name).trim())
  const patch = Object.fromEntries(changed.map((name) => [name, body[name] ?? null]))
  if (authorsText(before) === authorsText(form)) return patch
  const { authors = null, author_details = null } = body
  const saysDetails = author_details !== null || metadata.author_details !== undefined
  return { ...patch, authors, ...(saysDetails && { author_details }) }
}

/** A refusal in words for who has sent a form; faults of fields are told by the form itself. */
export function refusalFault({ type }: ChangeRefusal): FieldFault {
  if (type === 'precondition_failed') {
    const message = 'Somebody has changed the work in the meantime: look at what would change now'
    return { field: 'work_title', code: type, message }
  }
  if (type === 'gone') throw new HttpError('gone', 'This work was withdrawn')
  throw new HttpError('conflict', 'The work was not changed: go back, and look at it again')
}
