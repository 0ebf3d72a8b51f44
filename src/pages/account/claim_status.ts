import type { Html } from '#src/pages/kit/html.ts'
import type { Claim } from '#actors/claims/port.ts'
import { badge, type BadgeKind } from '#src/pages/kit/parts.ts'

const statusKinds: Readonly<Record<Claim['status'], BadgeKind>> = {
  verified: 'good',
  pending: 'waiting',
  disputed: 'bad',
  rejected: 'plain',
  withdrawn: 'plain',
}

/** How a claim stands, in words for its person. */
export function statusBadge({ status, waits_for, blocked, basis }: Claim): Html {
  if (blocked === true) return badge('not mine')
  const words = {
    verified: basis === 'admin' ? 'counts as mine, by an administrator' : 'counts as mine',
    pending: waits_for === 'researcher' ? 'waits for you' : 'waits for whoever registered it',
    disputed: 'contested',
    rejected: basis === 'admin' ? 'rejected by an administrator' : 'rejected',
    withdrawn: 'taken back',
  }
  return badge(words[status], statusKinds[status])
}
