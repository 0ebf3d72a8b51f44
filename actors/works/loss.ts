import type { WorkState } from '#actors/works/events.ts'
import type { ChangeRefusal } from '#actors/works/port.ts'

type Ended = Pick<WorkState, 'lost_at' | 'updated_at'>

/** Whether a work ended by the loss of what was registered, and nobody withdrew it. */
export function endedByLoss({ lost_at, updated_at }: Ended): boolean {
  return lost_at !== undefined && lost_at === updated_at
}

/** Why a work that has ended is not changed. */
export function goneRefusal(state: Ended): Extract<ChangeRefusal, { type: 'gone' }> {
  const isLost = endedByLoss(state)
  return { type: 'gone', withdrawnAt: state.updated_at, ...(isLost && { isLost }) }
}
