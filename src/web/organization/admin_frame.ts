import type { Agent } from '#actors/values/agent.ts'
import { HttpError } from '#src/errors.ts'
import type { AccountPage } from '#src/web/kit/account_frame.ts'
import { html } from '#src/web/kit/html.ts'
import type { MemberVisit } from '#src/web/kit/pages.ts'
import { type OrganizationContext, organizationsPath } from '#src/web/organization/context.ts'

/** The pages of administrators, below the prefix. */
export const adminPath = '/admin'

const sections = [
  ['', 'What waits'],
  ['/accounts', 'Accounts'],
  ['/organizations', 'Organizations'],
  ['/claims', 'Claims in dispute'],
  ['/operations', 'Operations'],
  ['/cluster', 'Cluster'],
] as const

/** The visitor, as an administrator; HttpError `forbidden` if they are none. */
export function demandAdmin({ account }: MemberVisit): Agent {
  const { ppid, roles } = account
  if (!roles.includes('admin')) throw new HttpError('forbidden', 'Only administrators see this')
  return { type: 'person', id: ppid, name: ppid, via: 'ui', admin: true }
}

/** A page of administrators: the sections of their area, and below them what is shown. */
export async function administrationPage(
  { pages, readiness, operations }: OrganizationContext,
  section: (typeof sections)[number][0],
  page: Omit<AccountPage, 'current' | 'wide' | 'above'>,
): Promise<AccountPage> {
  const { node } = await readiness()
  const isThere: Partial<Record<(typeof sections)[number][0], boolean>> = {
    '/operations': operations !== undefined,
    '/cluster': node !== undefined,
  }
  const shown = sections.filter(([path]) => isThere[path] !== false)
  const links = shown.map(([path, name]) => {
    const current = path === section ? html` aria-current="page"` : ''
    return html`<li><a href="${pages.prefix}${adminPath}${path}"${current}>${name}</a></li>`
  })
  return {
    ...page,
    current: organizationsPath,
    wide: true,
    above: html`<nav class="navigation sections" aria-label="Administration"><ul>${links}</ul></nav>
`,
  }
}
