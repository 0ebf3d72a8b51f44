import type { Agent } from '#actors/values/agent.ts'
import { HttpError } from '#src/edge/errors.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { type EnteredRoutes, enteredRoutes, type VisitIn } from '#src/pages/kit/pages.ts'
import type { OrganizationContext } from '#src/pages/organization/context.ts'

/** The pages of administrators, below the prefix. */
export const adminPath = '/admin'

const sections = [
  ['', 'What waits'],
  ['/accounts', 'Accounts'],
  ['/organizations', 'Organizations'],
  ['/applications', 'Applications'],
  ['/keys', 'Keys'],
  ['/suspensions', 'Suspensions'],
  ['/takedowns', 'Takedowns'],
  ['/audit', 'Audit'],
  ['/claims', 'Claims in dispute'],
  ['/operations', 'Operations'],
  ['/cluster', 'Cluster'],
] as const

/** A visit of an administrator, and the agent as which they act. */
export type AdminVisit = VisitIn<OrganizationContext> & { readonly by: Agent }

/** Routes below the path of administrators. HttpError `forbidden` for all others. */
export function adminRoutes(context: OrganizationContext): EnteredRoutes<AdminVisit> {
  return enteredRoutes(context.pages, (visit) => {
    const { ppid, roles } = visit.account
    if (!roles.includes('admin')) throw new HttpError('forbidden', 'Only administrators see this')
    const by = { type: 'person', id: ppid, name: ppid, via: 'ui', admin: true } as const
    return { ...visit, context, by }
  })
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
    ...page,
    desk: {
      name: 'Administration',
      label: 'Administration',
      path: adminPath,
      current: adminPath + section,
      sections: shown.map(([path, name]) => [adminPath + path, name]),
    },
    wide: true,
  }
}
