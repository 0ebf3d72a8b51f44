import test from 'ava'

import { runFixity } from '#test/scenario/_fixity_run.ts'

test('200 works of all sorts of content end in their states, through one kill', (t) =>
  runFixity(t, { works: 200, kills: 1, patienceMs: 0 }))
