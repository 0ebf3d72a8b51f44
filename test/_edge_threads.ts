// Before each file of `npm test`, whose processes have no edge threads unless a test says so: each
// costs a start as much as a process. Attackers who come by several ways, and people who sign in,
// meet two of them: what one of the two has ended, the other must not let pass.
import { fileURLToPath } from 'node:url'
import test from 'ava'

import { groupOf } from '#test/groups/_groups.ts'

const group = groupOf(fileURLToPath(test.meta.file))

if (group === 'scenario_threads') process.env['EDGE_THREADS'] ??= '2'
