// A person and their passkeys, in a browser with an authenticator of its own.

import test from 'ava'
import type { CDPSession, Page } from 'playwright-core'

import { Effort } from '#test/browser/_effort.ts'
import { fileOwner } from '#test/browser/_file_owner.ts'
import { lookAt } from '#test/browser/_looks.ts'
import { fill, pushButton } from '#test/browser/_page_actions.ts'
import { Scene } from '#test/browser/_scene.ts'
import { people } from '#test/browser/_world.ts'
import { freePort } from '#test/_free_port.ts'

const owner = fileOwner()
const { email, password } = people.bo
let scene: Scene

test.before(async () => {
  // Browsers bind passkeys to a name, and take this one for a secure context without https.
  const port = `${await freePort()}`
  scene = await Scene.open(owner, {
    settings: { PORT: port, BASE_URL: `http://localhost:${port}` },
  })
})

/**
 * A device beside a window that verifies its person, or none without `isVerifying`, who is there to
 * touch it, or not yet without `isTouched`.
 */
async function plugIn(page: Page, { isVerifying = true, isTouched = true } = {}) {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: isVerifying,
      automaticPresenceSimulation: isTouched,
    },
  })
  return { session, authenticatorId }
}

type Device = { readonly session: CDPSession; readonly authenticatorId: string }

// Without a head a browser has no list in which it offers passkeys: what is offered is chosen.
const chooseWhatIsOffered = `{
  const get = navigator.credentials.get.bind(navigator.credentials)
  PublicKeyCredential.isConditionalMediationAvailable = async () => true
  navigator.credentials.get = ({ mediation, ...options }) => {
    const [name] = document.querySelectorAll('input[autocomplete~=webauthn]')
    if (mediation === 'conditional' && name === undefined) throw new Error('nowhere to offer it')
    return get(options)
  }
}`

/** From now on there is somebody who touches the device whenever it wants that. */
async function touch({ session, authenticatorId }: Device): Promise<void> {
  const touched = { authenticatorId, enabled: true }
  await session.send('WebAuthn.setAutomaticPresenceSimulation', touched)
}

/** Puts the passkeys of one device into another. */
async function copy(from: Device, to: Device): Promise<void> {
  const { authenticatorId } = from
  const { credentials } = await from.session.send('WebAuthn.getCredentials', { authenticatorId })
  for (const credential of credentials) {
    const into = { authenticatorId: to.authenticatorId, credential }
    await to.session.send('WebAuthn.addCredential', into)
  }
}

test.serial(
  'a passkey is added, signs in alone and after a password, and is removed',
  async (t) => {
    const page = await scene.signUp('bo')
    const device = await plugIn(page)
    await page.goto(scene.at('/account/passkeys'))
    await lookAt(t, page, 'no passkeys')
    const adding = new Effort(t, page)
    await adding.follow('Add a passkey', 'main')
    await lookAt(t, page, 'new passkey')
    await adding.type('Name', 'my laptop')
    await adding.follow('Add a passkey', 'main')
    await page.waitForURL('**/recovery-codes')
    const codes = await page.locator('.recovery-codes code').allTextContents()
    t.is(codes.length, 10)
    adding.report('a passkey is added')

    const alone = await scene.newWindow()
    // A browser that may offer passkeys in the field for the name would do so at once.
    const own = await plugIn(alone, { isTouched: false })
    await copy(device, own)
    await alone.goto(scene.at('/sign-in'))
    await lookAt(t, alone, 'sign-in with a passkey')
    await touch(own)
    const signing = new Effort(t, alone)
    await signing.follow('Sign in with a passkey', 'main')
    await alone.waitForURL('**/account')
    signing.report('a sign-in with a passkey')
    t.true(signing.choices === 1)
    await alone.goto(scene.at('/account/confirm'))
    await lookAt(t, alone, 'confirm with a passkey')
    await pushButton(alone, 'Use your passkey')
    await alone.waitForURL('**/account')

    const filled = await scene.newWindow()
    const third = await plugIn(filled)
    await copy(own, third)
    await filled.addInitScript(chooseWhatIsOffered)
    await filled.goto(scene.at('/sign-in'))
    await filled.waitForURL('**/account')
    t.pass('a passkey that the browser offers signs in without the button')

    const twice = await scene.newWindow()
    const second = await plugIn(twice, { isTouched: false })
    await copy(third, second)
    await twice.goto(scene.at('/sign-in'))
    await fill(twice, { email, password })
    await pushButton(twice, 'Sign in')
    await twice.waitForURL('**/sign-in/code')
    await lookAt(t, twice, 'second step with a passkey')
    await touch(second)
    await pushButton(twice, 'Use your passkey')
    await twice.waitForURL('**/account')

    await twice.goto(scene.at('/account/passkeys'))
    await lookAt(t, twice, 'passkeys')
    await twice.goto(scene.at('/account/security'))
    await lookAt(t, twice, 'security with a passkey')
    await twice.goto(scene.at('/account/passkeys/new'))
    await pushButton(twice, 'Add a passkey')
    await twice.getByText('holds a passkey of this account already').waitFor()
    await twice.goto(scene.at('/account/passkeys'))
    await twice.getByRole('link', { name: 'my laptop' }).click()
    await lookAt(t, twice, 'one passkey')
    await pushButton(twice, 'Remove passkey')
    await twice.waitForURL('**/account/passkeys?done=removed')
    t.deepEqual(scene.faults, [])
  },
)

test.serial('who is not known, does not verify, or runs no scripts is told so', async (t) => {
  const page = await scene.newWindow()
  await plugIn(page, { isVerifying: false })
  await page.goto(scene.at('/sign-in'))
  await pushButton(page, 'Sign in with a passkey')
  await page.getByText('No passkey was chosen, or it took too long').waitFor()
  await lookAt(t, page, 'refused passkey')

  const plain = await scene.newWindow({ javaScriptEnabled: false })
  await plain.goto(scene.at('/sign-in'))
  t.regex(await plain.locator('noscript').first().innerText(), /Passkeys need JavaScript/)
  t.false(await plain.getByRole('button', { name: 'Sign in with a passkey' }).isVisible())
  await fill(plain, { email, password })
  await pushButton(plain, 'Sign in')
  await plain.waitForURL('**/account')
  t.deepEqual(scene.faults, [])
})
