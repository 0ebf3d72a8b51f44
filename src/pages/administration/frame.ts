import type { Agent } from '#actors/values/agent.ts'
import { assert } from '#log/tlog/errors.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AuditAct } from '#src/identity/store/audit.ts'
import { personOwner } from '#src/identity/store/owner_text.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type FormBody, textOf } from '#src/pages/kit/form.ts'
import {
  type EnteredRoutes,
  enteredRoutes,
  type PageRoutes,
  type VisitIn,
} from '#src/pages/kit/pages.ts'
import { auditedRoutes, type OrganizationContext } from '#src/pages/organization/context.ts'
import { adminSections as words, frame } from '#src/words/english.ts'

/** The pages of administrators, below the prefix. */
export const adminPath = '/admin'

const sections = [
  ['', words.queue],
  ['/accounts', words.accounts],
  ['/organizations', frame.organizations],
  ['/applications', frame.applications],
  ['/keys', frame.apiKeys],
  ['/suspensions', words.suspensions],
  ['/takedowns', words.takedowns],
  ['/audit', words.audit],
  ['/happened', words.happened],
  ['/mails', words.mails],
  ['/claims', words.disputes],
  ['/reports', words.reports],
  ['/operations', words.operations],
  ['/cluster', words.cluster],
] as const

/** A visit of an administrator, and the agent as which they act. */
export type AdminVisit = VisitIn<OrganizationContext> & { readonly by: Agent }

/**
 * Routes below the path of administrators. HttpError `forbidden` for all others. Each form that is
 * carried out leaves an entry in the audit list: a form without one does not start.
 */
export function adminRoutes(context: OrganizationContext): EnteredRoutes<AdminVisit> {
  const routes = enteredRoutes(context.pages, (visit): AdminVisit => {
    const { ppid, roles } = visit.account
    if (!roles.includes('admin')) throw new HttpError('forbidden', 'Only administrators see this')
    const by = { type: 'person', id: ppid, name: ppid, via: 'ui', admin: true } as const
    return { ...visit, context, by }
  })
  const { member, fresh } = auditedRoutes(routes, (visit, path, body) => {
    const act = adminActs[path]
    return typeof act === 'function' ? act(visit, body) : undefined
  })
  const known = (each: PageRoutes<AdminVisit>): PageRoutes<AdminVisit> => ({
    get: (...given) => each.get(...given),
    post(path, ...rest) {
      assert(path in adminActs, `the form ${path} tells the audit list what it does`)
      each.post(path, ...rest)
    },
  })
  return { member: known(member), fresh: known(fresh) }
}

const ofItself = 'written by its use case'

type FormAct = (visit: AdminVisit, body: FormBody) => AuditAct | undefined

/** What the audit list says of each form of the area, by its path. */
export const adminActs: Readonly<Record<string, typeof ofItself | FormAct>> = {
  '/admin/accounts/invite': () => ({ action: 'account_invited' }),
  '/admin/accounts/:ppid/:step': ({ parameters: { ppid = '', step } }) => {
    if (step === 'remove') return { action: 'account_removed', ppid }
    // All others write entries of their own.
    if (step !== 'mail-reset-link') return undefined
    return { owner: personOwner(ppid), action: 'reset_link_sent' }
  },
  '/admin/people/:ppid/account': ({ parameters: { ppid = '' } }) => ({
    owner: personOwner(ppid),
    action: 'account_given',
    ppid,
  }),
  '/admin/applications/:client_id/approve': ofItself,
  '/admin/applications/:client_id/revoke': ofItself,
  '/admin/applications/:client_id/secret': ofItself,
  '/admin/keys/:id/revoke': ofItself,
  '/admin/organizations/:ppid/approve': (visit) => ofRequest(visit, 'organization_approved'),
  '/admin/organizations/:ppid/refuse': (visit) => ofRequest(visit, 'organization_declined'),
  '/admin/owners/:slug': ofItself,
  '/admin/organizations/new': (_visit, body) => {
    const slug = textOf(body, 'slug').trim()
    return { owner: { type: 'organization', id: slug }, slug, action: 'organization_added' }
  },
  '/admin/mails/suppress': (_visit, body) => ({
    action: 'news_stopped',
    because: textOf(body, 'address').trim().slice(0, 254),
  }),
  '/admin/mails/lift': (_visit, body) => ({
    action: 'news_allowed',
    because: textOf(body, 'address').slice(0, 254),
  }),
  '/admin/suspensions': ofItself,
  '/admin/suspensions/resume': ofItself,
  '/admin/takedowns': ofItself,
  '/admin/takedowns/again': ofItself,
  '/admin/takedowns/erase': ofItself,
  '/admin/reports': ofItself,
  '/admin/claims/:claim_id': ({ parameters: { claim_id: id = '' } }, body) => ({
    action: 'claim_decided',
    because: `${id}: ${textOf(body, 'step')}`,
  }),
}

function ofRequest(
  { parameters: { ppid = '' }, context: { requests } }: AdminVisit,
  action: 'organization_approved' | 'organization_declined',
): AuditAct {
  const request = requests.find(ppid)
  const slug = request?.profile.slug ?? ''
  const because = request?.reason
  return {
    owner: personOwner(ppid),
    slug,
    ppid,
    action,
    ...(because !== undefined && { because }),
  }
}

/** A page of administrators, at whose head are the sections of their area. */
export async function administrationPage(
  { readiness, operations }: OrganizationContext,
  section: (typeof sections)[number][0],
  page: Omit<AccountPage, 'current' | 'desk' | 'wide'>,
): Promise<AccountPage> {
  const { node } = await readiness()
  const isThere: Partial<Record<(typeof sections)[number][0], boolean>> = {
    '/operations': operations !== undefined,
    '/cluster': node !== undefined,
  }
  const shown = sections.filter(([path]) => isThere[path] !== false)
  return {
    isOfDesk: true,
    ...page,
    desk: {
      name: frame.administration,
      label: frame.administration,
      path: adminPath,
      current: adminPath + section,
      sections: shown.map(([path, name]) => [adminPath + path, name]),
    },
    wide: true,
  }
}
