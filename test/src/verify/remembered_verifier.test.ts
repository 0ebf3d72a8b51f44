import test from 'ava'

import { rememberVerdict } from '#src/verify/remembered_verifier.ts'

test('the last verdict is remembered for its text and signature alone', (t) => {
  let asked = 0
  const verifier = rememberVerdict({
    keyName: 'log.example',
    keyId: 7,
    verify: (text, signature) => {
      asked += 1
      return text[0] === signature[0]
    },
  })
  const [one, two] = [Uint8Array.of(1), Uint8Array.of(2)]
  t.is(verifier.keyName, 'log.example')
  t.true(verifier.verify(one, one))
  t.true(verifier.verify(one, one))
  t.is(asked, 1)
  t.false(verifier.verify(one, two))
  t.false(verifier.verify(one, two))
  t.is(asked, 2)
  t.true(verifier.verify(two, two))
  t.false(verifier.verify(two, one))
})

test('bytes that change afterwards do not take the verdict along', (t) => {
  const verifier = rememberVerdict({
    keyName: 'log.example',
    keyId: 7,
    verify: (text) => text[0] === 1,
  })
  const text = Uint8Array.of(1)
  t.true(verifier.verify(text, text))
  text[0] = 2
  t.false(verifier.verify(text, text))
})

test('nothing is remembered at first', (t) => {
  const verifier = rememberVerdict({ keyName: 'log.example', keyId: 7, verify: () => true })
  t.true(verifier.verify(new Uint8Array(0), new Uint8Array(0)))
})
