import test from 'ava'
import { checkWithdrawal } from '#actors/works/request_checks.ts'
import { withdrawalReasons } from '#actors/works/port.ts'

test('takes a reason, a note and a replacement', (t) => {
  for (const reason of withdrawalReasons) {
    t.deepEqual(checkWithdrawal({ reason }), { type: 'ok', withdrawal: { reason } })
  }
  const body = { reason: 'duplicate', note: ' See\nthere. ', replaced_by: 'ARK:12345/X-6' }
  t.deepEqual(checkWithdrawal(body), {
    type: 'ok',
    withdrawal: { note: 'See\nthere.', reason: 'duplicate', replaced_by: 'ark:/12345/X6' },
  })
  t.deepEqual(checkWithdrawal({ reason: 'legal', note: null }), {
    type: 'ok',
    withdrawal: { reason: 'legal' },
  })
})

test('refuses all else at once', (t) => {
  t.deepEqual(checkWithdrawal({ reason: 'Whim', replaced_by: '12345/x', why: 'x' }), {
    type: 'invalid',
    faults: [
      {
        field: 'why',
        code: 'unknown_field',
        message:
          'why is not a field here; the fields are reason, note, replaced_by, erase_metadata',
      },
      {
        field: 'reason',
        code: 'bad_value',
        message: `reason must be one of ${withdrawalReasons.join(', ')}`,
      },
      {
        field: 'replaced_by',
        code: 'bad_value',
        message: 'replaced_by must be an ARK such as ark:/12345/x6np1wh8k',
      },
    ],
  })
  t.like(checkWithdrawal({}), { faults: [{ field: 'reason', code: 'required' }] })
})

test('metadata is erased for reasons of the law, which leaves no note and no replacement', (t) => {
  const erasing = { reason: 'legal', erase_metadata: true }
  t.deepEqual(checkWithdrawal(erasing), { type: 'ok', withdrawal: erasing as never })
  const none = { reason: 'fraud', note: 'Why.', erase_metadata: false }
  t.deepEqual(checkWithdrawal(none), { type: 'ok', withdrawal: none as never })
  const all = { reason: 'fraud', note: 'Why.', replaced_by: '12345/k2x', erase_metadata: true }
  t.deepEqual(checkWithdrawal({ ...all, replaced_by: 'ark:/12345/x6np1wh8k' }), {
    type: 'invalid',
    faults: [
      {
        field: 'reason',
        code: 'bad_value',
        message:
          'reason must be one of court_order, personal_data, legal for metadata to be erased',
      },
      {
        field: 'note',
        code: 'bad_value',
        message: 'note cannot be given with erase_metadata',
      },
      {
        field: 'replaced_by',
        code: 'bad_value',
        message: 'replaced_by cannot be given with erase_metadata',
      },
    ],
  })
  t.like(checkWithdrawal({ reason: 'legal', erase_metadata: 'yes' }), {
    faults: [{ message: 'erase_metadata must be true or false, not a string' }],
  })
})
