import type { Ark } from '#actors/values/ark.ts'
import type { Suspendable } from '#actors/values/authority.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type Suspensions, suspensionText } from '#src/identity/store/suspensions.ts'

/** What tells whether somebody through whom a caller acts is suspended. */
export type KnownSuspensions = Pick<Suspensions, 'first' | 'contact'>

/** HttpError `suspended`, which says why and whom to ask, if one of those who act is suspended. */
export function refuseSuspended(
  suspensions: KnownSuspensions,
  parties: readonly Suspendable[],
): void {
  const { contact } = suspensions
  const suspension = suspensions.first(parties)
  if (suspension === undefined) return
  const { type, id, reason, since } = suspension
  const extra = { suspended: { type, id, reason, since, contact } }
  throw new HttpError('suspended', suspensionText(suspension, contact), { extra })
}

/** HttpError `withheld` (RFC 7725), with the reason, if an administrator withholds a work. */
export function refuseWithheld(suspensions: KnownSuspensions, ark: Ark): void {
  const held = suspensions.first([{ type: 'work', id: ark }])
  if (held === undefined) return
  const { contact } = suspensions
  const { reason, since } = held
  const extra = { withheld: { ark: `ark:/${ark}`, reason, since, contact } }
  throw new HttpError('withheld', suspensionText(held, contact), { extra })
}
