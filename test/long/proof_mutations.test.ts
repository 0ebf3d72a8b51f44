import test from 'ava'

import { checkConsistencyMutations, checkInclusionMutations } from '#test/log/_proof_mutations.ts'

test('every mutated inclusion proof of up to 65 leaves is refused', (t) => {
  checkInclusionMutations(t, 65)
})

test('every mutated consistency proof of up to 65 leaves is refused', (t) => {
  checkConsistencyMutations(t, 65)
})
