import { randomBytes } from 'node:crypto'
import test, { type ExecutionContext } from 'ava'

import {
  type PasskeyPurpose,
  Passkeys,
  passkeysMax,
  passkeySupport,
} from '#src/identity/accounts/passkeys.ts'
import { SecondFactors } from '#src/identity/accounts/second_factor.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { operator } from '#src/identity/store/owner_text.ts'
import { Authenticator, type PasskeyOptions, type Twist } from '#test/src/_authenticator.ts'
import { identityFixture } from '#test/src/identity/_identity.ts'

const browser = 'a browser'

async function open(t: ExecutionContext) {
  const fixture = await identityFixture(t)
  const store = await fixture.open()
  const { clock } = fixture
  const parts = { store, clock, random: randomBytes }
  const support = passkeySupport('https://registry.example/auth', 'Arklog')
  const passkeys = new Passkeys({ ...parts, support })
  const factors = new SecondFactors({ ...parts, issuer: 'registry.example' })
  return { clock, store, passkeys, factors, another: new Passkeys({ ...parts, support }) }
}

async function add(
  passkeys: Passkeys,
  device: Authenticator,
  { ppid = 'p1', twist = {} }: { readonly ppid?: string; readonly twist?: Twist } = {},
) {
  const asked = passkeys.askNew(browser, { ppid, name: 'ada@example.org' })
  const options = asked?.options as PasskeyOptions
  const credential = device.create(options, twist)
  const answer = { purpose: 'add', browser, ppid, sealed: asked?.sealed ?? '', credential } as const
  return passkeys.add(answer, 'my phone')
}

/** Asks for a passkey and answers; `from` is what the answer says of itself. */
function askAndSign(
  passkeys: Passkeys,
  device: Authenticator,
  {
    purpose = 'sign_in',
    twist = {},
    ppid,
  }: { readonly purpose?: PasskeyPurpose; readonly twist?: Twist; readonly ppid?: string } = {},
) {
  const asking = { purpose, browser, ...(ppid !== undefined && { ppid }) }
  const asked = passkeys.ask(asking)
  const credential = device.get(asked?.options as PasskeyOptions, twist)
  return { ...asking, sealed: asked?.sealed ?? '', credential }
}

test('a passkey signs in once for each question, and says whose it is', async (t) => {
  const { passkeys, factors, another } = await open(t)
  const device = new Authenticator()
  const added = await add(passkeys, device)
  t.is(added.type === 'added' && added.recoveryCodes?.length, 10)
  t.like(factors.find('p1'), { totpSince: undefined, recoveryCodesLeft: 10 })
  const answer = askAndSign(passkeys, device)
  const accepted = { type: 'accepted', ppid: 'p1', isVerified: true, method: 'device_passkey' }
  t.deepEqual(await passkeys.use(answer), accepted)
  t.deepEqual(await passkeys.use(answer), { type: 'refused', reason: 'spent' })
  const next = askAndSign(passkeys, device)
  const answers = await Promise.all([passkeys, another, passkeys].map((each) => each.use(next)))
  t.is(answers.filter(({ type }) => type === 'accepted').length, 1, 'of those at once, one')
  const second = askAndSign(passkeys, device, { purpose: 'second_factor', ppid: 'p1' })
  t.is((await passkeys.use(second)).type, 'accepted')
})

test('what was signed for something else is not taken', async (t) => {
  const { passkeys, clock } = await open(t)
  const device = new Authenticator()
  await add(passkeys, device)
  await add(passkeys, new Authenticator(), { ppid: 'p2' })
  const twists: readonly Twist[] = [
    { origin: 'https://registry.example.evil' },
    { origin: 'http://registry.example' },
    { rpId: 'evil.example' },
    { challenge: randomBytes(32).toString('base64url') },
    { isPresent: false },
    { handle: null },
    { handle: 'c29tZWJvZHkgZWxzZQ' },
    { crossOrigin: true },
    { type: 'webauthn.create' },
  ]
  for (const twist of twists) {
    const refused = await passkeys.use(askAndSign(passkeys, device, { twist }))
    t.deepEqual(refused, { type: 'refused', reason: 'wrong' }, JSON.stringify(twist))
  }
  const ofAnother = askAndSign(passkeys, device, { purpose: 'confirm', ppid: 'p2' })
  t.like(await passkeys.use(ofAnother), { reason: 'wrong' })
  t.like(await passkeys.use(askAndSign(passkeys, new Authenticator())), { reason: 'wrong' })
  const asked = askAndSign(passkeys, device)
  t.like(await passkeys.use({ ...asked, browser: 'another' }), { reason: 'expired' })
  t.like(await passkeys.use({ ...asked, purpose: 'confirm', ppid: 'p1' }), { reason: 'expired' })
  t.like(await passkeys.use({ ...asked, sealed: 'AAAA' }), { reason: 'expired' })
  const broken = ['', '{', '[]', 'null', '{"id":"a"}', `{"id":"${'a'.repeat(20_000)}"}`]
  for (const credential of broken) {
    t.like(await passkeys.use({ ...asked, credential }), { reason: 'wrong' }, credential)
  }
  const empty = JSON.stringify({ ...JSON.parse(asked.credential), response: { a: [] } })
  t.like(await passkeys.use({ ...asked, credential: empty }), { reason: 'wrong' })
  t.is((await passkeys.use(asked)).type, 'accepted', 'nothing of this has used it up')
  const late = askAndSign(passkeys, device)
  clock.forward(10 * 60_000)
  t.like(await passkeys.use(late), { reason: 'expired' })
})

test('signatures that count back are refused, and stand in the audit list', async (t) => {
  const { passkeys, store } = await open(t)
  const device = new Authenticator()
  await add(passkeys, device)
  device.counter = 7
  t.is((await passkeys.use(askAndSign(passkeys, device))).type, 'accepted')
  device.counter = 7
  t.deepEqual(await passkeys.use(askAndSign(passkeys, device)), {
    type: 'refused',
    reason: 'counter',
  })
  device.counter = 8
  t.is((await passkeys.use(askAndSign(passkeys, device))).type, 'accepted')
  const owner = { type: 'person', id: 'p1' } as const
  const entries = await new AuditLog(store).read(owner, { limit: 10 })
  t.deepEqual(
    entries.map(({ action }) => action),
    ['passkey_added', 'passkey_refused'],
  )
})

test('a new passkey is for who asked, and no certificate of its maker is looked at', async (t) => {
  const { passkeys, clock } = await open(t)
  const device = new Authenticator()
  const attestation = ['packed', new Map<string, unknown>([['alg', -7]])] as const
  for (const twist of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'AAAA' },
    { crossOrigin: true },
    { type: 'webauthn.get' },
  ]) {
    t.like(await add(passkeys, new Authenticator(), { twist }), { reason: 'wrong' })
  }
  t.is((await add(passkeys, device, { twist: { attestation } })).type, 'added')
  t.like(await add(passkeys, device, { ppid: 'p2' }), { reason: 'known' })
  const asked = passkeys.askNew(browser, { ppid: 'p2', name: 'bo' })
  const credential = new Authenticator().create(asked?.options as PasskeyOptions)
  const sealed = asked?.sealed ?? ''
  const answer = { purpose: 'add', browser, ppid: 'p2', sealed, credential } as const
  t.like(await passkeys.add({ ...answer, ppid: 'p1' }, ''), { reason: 'expired' })
  t.is((await passkeys.add(answer, '')).type, 'added')
  t.like(await passkeys.add(answer, ''), { reason: 'known' })
  clock.forward(10 * 60_000)
  t.like(await passkeys.add(answer, ''), { reason: 'expired' })
  for (let count = passkeys.list('p1').length; count < passkeysMax; count += 1) {
    t.is((await add(passkeys, new Authenticator())).type, 'added')
  }
  t.like(await add(passkeys, new Authenticator()), { reason: 'too_many' })
})

test('the last factor takes recovery codes along, and nothing is left of who goes', async (t) => {
  const { passkeys, factors, store } = await open(t)
  const device = new Authenticator()
  const added = await add(passkeys, device)
  const [code = ''] = added.type === 'added' ? (added.recoveryCodes ?? []) : []
  await factors.begin('p1')
  t.deepEqual(await factors.redeem('p1', code), { type: 'accepted', method: 'recovery_code' })
  t.like(await factors.redeem('p1', '123456'), { type: 'refused' })
  const [passkey] = passkeys.list('p1')
  t.is(passkey?.name, 'my phone')
  const id = passkey?.id ?? ''
  t.true(await passkeys.rename('p1', id, '  a\u0000 key\n'))
  t.is(passkeys.list('p1')[0]?.name, 'a key')
  t.is(await passkeys.remove('p2', id), undefined)
  t.is((await passkeys.remove('p1', id))?.id, id)
  t.is(factors.find('p1'), undefined)
  t.like(await passkeys.use(askAndSign(passkeys, device)), { reason: 'wrong' })
  t.is((await add(passkeys, device)).type, 'added', 'it can come again')
  t.true(await factors.end('p1', operator))
  t.like(await passkeys.use(askAndSign(passkeys, device)), { reason: 'wrong' })
  await add(passkeys, device)
  const credential = device.id.toString('base64url')
  for await (const [key, row] of store.scan('')) {
    t.false((key + JSON.stringify(row)).includes(credential), 'rows are sealed')
  }
  await factors.forget('p1')
  t.is(passkeys.list('p1').length, 0)
  t.is((await add(passkeys, device, { ppid: 'p2' })).type, 'added')
})

test('passkeys need a name, and https', (t) => {
  const type = (authUrl: string) => {
    const support = passkeySupport(authUrl, 'Arklog')
    return support.type === 'offered' ? support.party.id : support.why
  }
  t.is(type('https://registry.example/auth'), 'registry.example')
  t.is(type('https://registry.example:8443'), 'registry.example')
  t.is(type('http://localhost:8080/auth'), 'localhost')
  t.is(type('http://registry.example'), 'insecure')
  t.is(type('http://127.0.0.1:8080/auth'), 'ip_address')
  t.is(type('https://[2001:db8::1]/auth'), 'ip_address')
})
