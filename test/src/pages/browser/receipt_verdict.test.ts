import test from 'ava'

import { whatHappened } from '#src/pages/browser/receipt_verdict.js'

test('a verdict dates a version by its registration, and what came later by its own name', (t) => {
  const statement = {
    ark: 'ark:/12345/k2bcd45g7h3',
    version: 1,
    receipt_id: 'rcpt_2026_03_04_0123456789bc',
    timestamp: '2026-03-09T05:06:07.089Z',
  }
  const registered = { ...statement, timestamp: '2026-03-04T05:06:07.089Z' }
  t.is(
    whatHappened({ ...registered, statement: 'registered' }),
    'this version was registered on 2026-03-04 05:06:07 UTC',
  )
  t.is(
    whatHappened({ ...statement, statement: 'content' }),
    'this version was registered on 2026-03-04, and its content was confirmed on ' +
      '2026-03-09 05:06:07 UTC',
  )
  t.is(
    whatHappened({ ...statement, statement: 'tombstoned' }),
    'this version was registered on 2026-03-04, and the work was withdrawn on ' +
      '2026-03-09 05:06:07 UTC',
  )
})
