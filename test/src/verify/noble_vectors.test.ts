import test from 'ava'
import { verifyStrict } from '#src/verify/noble.ts'
import { loadVectors } from '#test/log/_vectors.ts'

type SignatureVector = {
  readonly name: string
  readonly message: string
  readonly signature: string
  readonly public_key: string
}

function judge({ message, signature, public_key }: SignatureVector): boolean {
  const [text, bytes, key] = [message, signature, public_key].map((hex) => Buffer.from(hex, 'hex'))
  if (text === undefined || bytes === undefined || key === undefined) return false
  return verifyStrict(text, bytes, key)
}

for (const vector of loadVectors<SignatureVector>('ed25519/valid')) {
  test(`valid vector: ${vector.name}`, (t) => t.true(judge(vector)))
}

for (const vector of loadVectors<SignatureVector>('ed25519/invalid')) {
  test(`invalid vector: ${vector.name}`, (t) => t.false(judge(vector)))
}
