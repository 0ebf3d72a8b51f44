import { countCharacters, normalForm } from '#actors/values/text.ts'
import type { FieldFault } from '#actors/values/fault_list.ts'

/** Characters of a password. */
export const passwordCharactersMin = 10
const passwordCharactersMax = 200

// Those of ten characters and more that lists of stolen passwords have most often, and the ways in
// which people make shorter ones longer; others are refused for their length already.
const common: ReadonlySet<string> = new Set(
  `0123456789 0987654321 1111111111 123123123123 1234512345 1234554321 123456654321 1234567890
  12345678900 12345678910 123456789a 123456789q 123456789abc 123qwe123qwe 147258369a 1a2b3c4d5e
  1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qazxsw23edc a123456789 a1b2c3d4e5 aa12345678 abc1234567
  abcd123456 abcd1234567 abcde12345 abcdefghij admin12345 admin123456 adminadmin administrator
  asdfasdfasdf asdfghjkl1 asdfghjkl123 asdfghjkl; basketball changeme123 changemenow chocolate1
  contrasena correcthorsebatterystaple football12 football123 iloveyou12 iloveyou123 iloveyouso
  january2024 january2025 letmein123 letmein1234 letmeinnow liverpool1 manchester marlboro123
  michelle123 mypassword mypassword1 p@ssw0rd12 p@ssw0rd123 p@ssword123 passw0rd12 passw0rd123
  password00 password01 password10 password11 password12 password123 password1234 password12345
  password2024 password2025 password2026 password21 password69 password99 passwordpassword
  passwort123 pokemon123 princess12 princess123 q1w2e3r4t5 q1w2e3r4t5y6 qazwsxedc1 qazwsxedcrfv
  qweasdzxc1 qweasdzxc123 qwer123456 qwerty1234 qwerty12345 qwerty123456 qwertyuiop qwertyuiop1
  qwertyuiop123 qwertyuiop[] secret1234 spiderman1 starwars12 sunshine12 sunshine123 superman12
  superman123 testtest12 testtest123 testtesttest trustno1trustno1 welcome123 welcome1234
  zaq12wsxcde3 zxcvbnm123 zxcvbnm1234 zxcvbnmasd`.split(/\s+/),
)

/** What is wrong with a new password, if anything; `known` are texts that others know as well. */
export function passwordFault(
  password: string,
  field: string,
  known: readonly (string | null | undefined)[],
): FieldFault | undefined {
  const length = countCharacters(password)
  if (length < passwordCharactersMin) {
    const message = `Choose a password of ${passwordCharactersMin} characters or more.`
    return { field, code: 'too_short', message }
  }
  if (length > passwordCharactersMax) {
    const message = `A password has ${passwordCharactersMax} characters at most.`
    return { field, code: 'too_long', message }
  }
  const folded = fold(password)
  if (common.has(folded) || new Set(folded).size <= 2) {
    const message = 'Many people use this password, so it is tried first: choose another one.'
    return { field, code: 'too_common', message }
  }
  if (known.some((text) => typeof text === 'string' && isNearly(folded, fold(text)))) {
    const message = 'Choose a password that is not your name, username or e-mail address.'
    return { field, code: 'not_secret', message }
  }
  return undefined
}

function isNearly(password: string, text: string): boolean {
  return password === text || (text.includes('@') && password === text.split('@', 1)[0])
}

function fold(text: string): string {
  return normalForm(text, 'NFKC').trim().toLowerCase()
}
