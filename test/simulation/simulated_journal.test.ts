import test from 'ava'

import { testSharedJournal } from '#test/contracts/shared_journal.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'
import { SimulatedJournal } from '#test/simulation/_simulated_journal.ts'

testSharedJournal(test, async () => {
  const journal = new SimulatedJournal(seededRandom(1))
  return [journal.of('one'), journal.of('other')]
})
