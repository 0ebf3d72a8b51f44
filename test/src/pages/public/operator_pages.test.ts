import test from 'ava'

import { serveRegistry } from '#test/src/_served_registry.ts'
import { openPage } from '#test/src/pages/_reader.ts'

test('who runs the registry is told as far as its settings say', async (t) => {
  const registry = await serveRegistry({
    OPERATOR_NAME: 'Library of <Somewhere>',
    ADMIN_EMAIL: 'desk@library.example',
    PRIVACY_URL: 'https://library.example/privacy',
  })
  t.teardown(() => registry.close())
  const contact = await openPage(registry, '/contact?utm_source=x')
  t.is(contact.status, 200)
  t.true(contact.read.includes('<strong>Library of <Somewhere></strong>'))
  t.true(contact.read.includes('href="mailto:desk@library.example"'))
  const privacy = await openPage(registry, '/privacy')
  t.true(privacy.read.includes('href="https://library.example/privacy"'))
  const status = await openPage(registry, '/status')
  t.is(status.status, 200)
  t.regex(status.read, /works as it should/)
})

test('without settings nothing is made up', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  t.regex((await openPage(registry, '/contact')).read, /has published no address/)
  t.notRegex((await openPage(registry, '/privacy')).read, /own statement/)
})
