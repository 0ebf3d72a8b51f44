import { base62RandomBytes, randomBase62 } from '#src/identity/store/base62.ts'
import type { IdentityStore } from '#src/identity/store/identity_store.ts'
import { readTypedCode } from '#src/identity/store/typed_code.ts'

/** Recovery codes that are made at once. */
const recoveryCodesCount = 10

const groupDigits = 6
const groups = 3
const codeForm = new RegExp(`^[0-9A-Za-z]{${groupDigits * groups}}$`)

/** New recovery codes, of 107 random bits each, as they are shown: `4tGh7q-Zk09Xa-pM2c8R`. */
export function drawRecoveryCodes(random: (bytes: number) => Uint8Array): readonly string[] {
  const digits = groupDigits * groups
  return Array.from({ length: recoveryCodesCount }, () =>
    grouped(randomBase62(digits, random(base62RandomBytes(digits)))),
  )
}

/** A recovery code as it is kept, from what was typed; undefined for what has not its form. */
export function readRecoveryCode(text: string): string | undefined {
  const digits = readTypedCode(text)
  return codeForm.test(digits) ? grouped(digits) : undefined
}

/** Recovery codes of an account as they are kept. */
export function recoveryDigests(
  { hashKey }: Pick<IdentityStore, 'hashKey'>,
  ppid: string,
  codes: readonly string[],
): string[] {
  return codes.map((code) => hashKey(`recovery ${ppid} ${code}`).toString('hex'))
}

function grouped(digits: string): string {
  return digits.match(/.{6}/g)?.join('-') ?? digits
}
