import test from 'ava'

import { checkConsistencyMutations, checkInclusionMutations } from '#test/log/_proof_mutations.ts'
import { countOf } from '#test/long/_full_counts.ts'

// One leaf more than a full tree, as in the suite that always runs.
const sizeMax = countOf({ few: 33, full: 65 })

test(`every mutated inclusion proof of up to ${sizeMax} leaves is refused`, (t) => {
  checkInclusionMutations(t, sizeMax)
})

test(`every mutated consistency proof of up to ${sizeMax} leaves is refused`, (t) => {
  checkConsistencyMutations(t, sizeMax)
})
