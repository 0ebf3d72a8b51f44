// Before each file of `npm test`, whose processes have no edge threads unless a test says so: each
// costs a start as much as a process. Attackers, and people who sign in, meet two of them: what
// one of the two has ended, the other must not let pass.
import test from 'ava'

const besideThreads = /\/(?:attack_\w+|hostile_\w+|accounts|connections|erasure)\.test\.ts$/

if (besideThreads.test(test.meta.file)) process.env['EDGE_THREADS'] ??= '2'
