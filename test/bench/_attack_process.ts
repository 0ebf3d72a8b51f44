// The attackers in a process of their own: gets plans as messages, answers each with what they saw.

import { type AttackPlan, runAttack, trySignIns } from '#test/bench/_attack.ts'

/** What the attackers are to do. */
export type AttackOrder =
  | ({ readonly type: 'requests' } & AttackPlan)
  | { readonly type: 'sign_ins'; readonly port: number; readonly count: number }

process.on('message', (order: AttackOrder) => {
  const ended = order.type === 'requests' ? runAttack(order) : trySignIns(order.port, order.count)
  void ended.then((result) => process.send?.(result))
})

process.once('disconnect', () => process.exit())
