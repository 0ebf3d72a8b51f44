import type { DescribedWork } from '#src/discovery/formats/described_work.ts'
import { describedWork } from '#test/src/discovery/formats/_works.ts'
import { checkNewWork } from '#actors/works/request_checks.ts'

/** The body of a creation, as a work that was registered. */
export function registered(body: unknown): DescribedWork {
  const check = checkNewWork(body)
  if (check.type === 'invalid') throw new Error(JSON.stringify(check.faults))
  return describedWork(check.metadata)
}
