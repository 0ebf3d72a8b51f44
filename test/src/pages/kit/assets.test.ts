import test from 'ava'

import {
  copyScript,
  docsScript,
  landingScript,
  logScript,
  passkeyScript,
  scripts,
  searchScript,
  verifyScript,
} from '#src/pages/kit/assets.ts'
import { openRegistry } from '#test/src/_registry.ts'

const imports = /(?:from|import\() ?'\.(\/[^']+)'/g

test('modules import each other by the names of their content', (t) => {
  const paths = scripts.map(({ path }) => path)
  const seen: string[] = []
  for (const { content, path } of scripts) {
    t.regex(path, /^\/assets\/\w+\.[0-9a-f]{16}\.js$/)
    const text = content.toString('utf8')
    t.notRegex(text, /^(?:import|export)[^\n]*'#/m, path)
    for (const [, file] of text.matchAll(imports)) seen.push(`/assets${file}`)
  }
  const ofPages = [copyScript, docsScript, landingScript, logScript, passkeyScript, searchScript]
  const entries = [...ofPages, verifyScript].map(({ path }) => path)
  const imported = paths.filter((path) => !entries.includes(path))
  t.deepEqual([...new Set(seen)].toSorted(), imported.toSorted())
})

test('a module is served as it is, for ever', async (t) => {
  const { server, close } = await openRegistry()
  t.teardown(close)
  const reply = await server.inject(landingScript.path)
  t.is(reply.statusCode, 200)
  t.is(reply.headers['content-type'], 'text/javascript; charset=utf-8')
  t.is(reply.headers['cache-control'], 'public, max-age=31536000, immutable')
  t.is(reply.body, landingScript.content.toString('utf8'))
})

test('what browsers and crawlers ask for without being told is there', async (t) => {
  const { server, close } = await openRegistry()
  t.teardown(close)
  for (const [path, type, start] of [
    ['/favicon.ico', 'image/x-icon', '00000100'],
    ['/apple-touch-icon.png', 'image/png', '89504e47'],
    ['/apple-touch-icon-precomposed.png', 'image/png', '89504e47'],
    ['/robots.txt', 'text/plain; charset=utf-8', ''],
    ['/sitemap.xml', 'application/xml; charset=utf-8', ''],
  ] as const) {
    const reply = await server.inject(path)
    t.is(reply.statusCode, 200, path)
    t.is(reply.headers['content-type'], type)
    t.true(reply.rawPayload.toString('hex').startsWith(start), path)
  }
})
