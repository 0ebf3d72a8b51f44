import { personOwner } from '#src/identity/store/owner_text.ts'
import type { AuditAct, AuditLog } from '#src/identity/store/audit.ts'
import type { FormBody } from '#src/pages/kit/form.ts'
import type { EnteredRoutes, MemberVisit, PageReply, PageRoutes } from '#src/pages/kit/pages.ts'

/** What a form of an administrator has done; undefined where its use case has written it. */
export type ActOf<V> = (visit: V, path: string, body: FormBody) => AuditAct | undefined

type Administered = MemberVisit & {
  readonly context: { readonly audit: AuditLog; readonly nowMs: () => number }
}

/**
 * The same routes, but that each form which was carried out leaves an entry in the audit list: who
 * administers does nothing unseen.
 */
export function auditedRoutes<V extends Administered>(
  { member, fresh }: EnteredRoutes<V>,
  actOf: ActOf<V>,
): EnteredRoutes<V> {
  const audited = (routes: PageRoutes<V>): PageRoutes<V> => ({
    get: (...given) => routes.get(...given),
    post: (path, handler, options) =>
      routes.post(
        path,
        async (visit, body) => {
          const reply = await handler(visit, body)
          const act = isDone(reply) ? actOf(visit, path, body) : undefined
          if (act !== undefined) await note(visit, act)
          return reply
        },
        options,
      ),
  })
  return { member: audited(member), fresh: audited(fresh) }
}

function isDone(reply: PageReply): boolean {
  return 'redirect' in reply || ('flash' in reply && reply.flash?.kind === 'success')
}

async function note<V extends Administered>(visit: V, act: AuditAct): Promise<void> {
  const { context, account, request } = visit
  const by = personOwner(account.ppid)
  await context.audit.note(act, { by, nowMs: context.nowMs(), ip: request.ip })
}
