import type {
  SignIn,
  SignInFailures,
  SignInMethod,
  SignInRecord,
} from '#src/identity/accounts/web_session.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'
import { badge, table, time } from '#src/pages/kit/parts.ts'
import { plural } from '#src/pages/kit/words.ts'

const methodWords: Readonly<Record<SignInMethod, string>> = {
  password: 'password',
  elsewhere: 'an account elsewhere',
  totp: 'code of an app',
  recovery_code: 'recovery code',
  passkey: 'passkey',
  device_passkey: 'passkey',
  synced_passkey: 'passkey',
}

/** The newest sign-ins of a person, so many at most, and what was tried in vain since. */
export function signInTable({ signIns, failures }: SignInRecord, countMax: number): Html {
  const since =
    failures === undefined
      ? nothing
      : html`<p>${badge('tried in vain', 'bad')} ${failureWords(failures)} since then, last
${time(failures.last_at)}.</p>`
  if (signIns.length === 0) return html`${since}<p>None since sign-ins are noted.</p>`
  const list = table<SignIn>(
    'Last sign-ins',
    [
      { heading: 'When', isRowHeading: true, cell: ({ at }) => time(at) },
      { heading: 'How', cell: ({ methods, issuer }) => howWords(methods, issuer) },
      { heading: 'Browser', cell: ({ browser }) => browser },
      { heading: 'Tried in vain before', cell: ({ failures: some }) => failureWords(some) },
    ],
    signIns.slice(0, countMax),
  )
  return html`${since}${list}`
}

/** How somebody has shown who they are: `Password + code of an app`. */
function howWords(methods: readonly SignInMethod[], issuer: string | undefined): string {
  const words = methods.map((method) =>
    method === 'elsewhere' && issuer !== undefined ? issuer : methodWords[method],
  )
  const text = words.join(' + ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function failureWords(failures: SignInFailures | undefined): string {
  if (failures === undefined) return '–'
  const { passwords, codes } = failures
  return [
    ...(passwords === 0 ? [] : [plural(passwords, 'wrong password')]),
    ...(codes === 0 ? [] : [`${plural(codes, 'wrong code')} after a right password`]),
  ].join(', ')
}
