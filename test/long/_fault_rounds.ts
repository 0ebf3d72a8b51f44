import { setTimeout as sleep } from 'node:timers/promises'

import type { BeginFault, Fault, Faulty } from '#test/long/_fault.ts'
import { networkFaults } from '#test/long/_network_faults.ts'
import { nodeFaults } from '#test/long/_node_faults.ts'
import { restoreOlderStreams } from '#test/long/_restored_streams.ts'

const faultKinds: Readonly<Record<string, BeginFault>> = {
  ...nodeFaults,
  ...networkFaults,
  'older streams': restoreOlderStreams,
}

/** The kinds of these names, separated by commas, or all. An error names one that is none. */
export function kindsNamed(names: string | undefined): readonly BeginFault[] {
  if (names === undefined) return Object.values(faultKinds)
  return names.split(',').map((name) => {
    const begin = faultKinds[name]
    if (begin !== undefined) return begin
    throw new Error(`no fault is called "${name}", but ${Object.keys(faultKinds).join(', ')}`)
  })
}

/** The kinds of so many rounds: all of them, in an order that is drawn, before one comes again. */
export function drawFaults(
  kinds: readonly BeginFault[],
  rounds: number,
  random: () => number,
): readonly BeginFault[] {
  const drawn: BeginFault[] = []
  while (drawn.length < rounds) {
    const order = kinds.map((begin) => ({ begin, place: random() }))
    drawn.push(...order.toSorted((a, b) => a.place - b.place).map(({ begin }) => begin))
  }
  return drawn.slice(0, rounds)
}

/** Lets a fault stand for its time, or for one that is drawn, up to some lengths of a lease. */
export async function endLater({ random }: Faulty, { standsMs, end }: Fault): Promise<void> {
  await sleep(standsMs ?? 2_000 + random() * 5_000)
  await end()
}
