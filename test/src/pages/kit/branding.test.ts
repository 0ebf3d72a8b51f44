import { writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { readBranding } from '#src/pages/kit/branding.ts'
import { openRegistry } from '#test/src/_registry.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><path d="M0 0h9"/></svg>\n'

async function logoFile(t: ExecutionContext, content: string | Buffer): Promise<string> {
  const folder = await makeTempDir(t)
  const file = path.join(folder, 'logo')
  await writeFile(file, content)
  return file
}

test('pages are those of the registry that the configuration names', async (t) => {
  const LOGO_FILE = await logoFile(t, svg)
  const { server, close } = await openRegistry({
    REPOSITORY_NAME: 'Works of Example',
    LOGO_FILE,
    ACCENT_COLOR: '#7a1f3d',
    IMPRINT_URL: 'https://library.example/imprint',
  })
  t.teardown(close)
  const files = new Set<string>()
  for (const [url, prefix] of [
    ['/', ''],
    ['/contact', ''],
    ['/nothing-here', ''],
    ['/auth/sign-in', '/auth'],
    ['/auth/nothing-here', '/auth'],
  ] as const) {
    const { body } = await server.inject({ url, headers: { accept: 'text/html' } })
    t.regex(body, / · Works of Example<\/title>/, url)
    const logo = new RegExp(
      `<img src="(${prefix}/assets/logo\\.[0-9a-f]{16}\\.svg)" alt="" width="120" height="40">` +
        '<span dir="auto">Works of Example</span>',
    ).exec(body)?.[1]
    const sheet = new RegExp(`href="(${prefix}/assets/accent\\.[0-9a-f]{16}\\.css)"`).exec(
      body,
    )?.[1]
    t.truthy(logo, url)
    t.truthy(sheet, url)
    files.add(logo ?? '').add(sheet ?? '')
    t.regex(body, /<a href="https:\/\/library\.example\/imprint" rel="noreferrer">Legal notice</)
    t.deepEqual(body.match(/Arklog/g), ['Arklog'], `${url} names the software in its footer alone`)
    t.regex(body, /<li>Software: Arklog<\/li>/)
  }
  for (const file of files) t.is((await server.inject(file)).statusCode, 200, file)
  const [logo = ''] = files
  const reply = await server.inject(logo)
  t.is(reply.headers['content-type'], 'image/svg+xml')
  t.is(reply.body, svg)
  const description = await server.inject('/opensearch.xml')
  t.regex(description.body, /<ShortName>Works of Example<\/ShortName>/)
})

test('a registry without any of it looks as ever', async (t) => {
  const { branding, assets } = readBranding({ REPOSITORY_NAME: 'Arklog' })
  t.deepEqual(branding, { name: 'Arklog' })
  t.deepEqual(assets, [])
  const { server, close } = await openRegistry()
  t.teardown(close)
  const { body } = await server.inject({ url: '/contact', headers: { accept: 'text/html' } })
  t.notRegex(body, /Software:|Legal notice|accent\.|logo\./)
})

test('a file that is no logo keeps the registry from starting, and says why', async (t) => {
  const missing = path.join(os.tmpdir(), 'arklog-no-such-logo')
  for (const [LOGO_FILE, why] of [
    [missing, /cannot be read/],
    [await logoFile(t, 'GIF89a'), /is neither an SVG nor a PNG file\.$/],
    [await logoFile(t, '<html><svg></svg></html>'), /is neither/],
    [await logoFile(t, '\x89PNG'), /is neither/],
    [
      await logoFile(t, svg + ' '.repeat(65_536)),
      /has 65\d{3} bytes; at most 65536 are possible\.$/,
    ],
  ] as const) {
    t.throws(() => readBranding({ REPOSITORY_NAME: 'x', LOGO_FILE }), {
      code: 'config_invalid',
      message: why,
    })
  }
})

test('a logo of pixels has its size', async (t) => {
  const png = Buffer.alloc(32)
  png.set(Buffer.from('89504e470d0a1a0a0000000d49484452000000400000002000', 'hex'))
  const { branding } = readBranding({ REPOSITORY_NAME: 'x', LOGO_FILE: await logoFile(t, png) })
  t.like(branding.logo, { type: 'image/png', width: 64, height: 32 })
})

/** The colours of a sheet, those for light pages first. */
function colorsOf(color: string): string[] {
  const { assets } = readBranding({ REPOSITORY_NAME: 'x', ACCENT_COLOR: color })
  const text = assets[0]?.content.toString('utf8') ?? ''
  return [...text.matchAll(/--accent:(#[0-9a-f]{6})/g)].map(([, found]) => found ?? '')
}

test('a colour is made darker or lighter until it can be read', (t) => {
  t.is(colorsOf('#7A1F3D')[0], '#7a1f3d', 'what can be read is left as it is')
  t.deepEqual(colorsOf('#ffff00'), ['#737300', '#ffff00'])
  t.deepEqual(colorsOf('#000000'), ['#000000', '#b3b3b3'])
})
