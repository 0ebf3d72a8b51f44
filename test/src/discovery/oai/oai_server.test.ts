// A repository on a bare server: what HTTP adds to its replies.

import test, { type ExecutionContext } from 'ava'
import { fastify } from 'fastify'

import { registerOaiRoutes } from '#src/discovery/oai/oai_server.ts'
import { OaiRepository } from '#src/discovery/oai/repository.ts'
import { memorySource } from '#test/src/discovery/oai/_memory_source.ts'
import { earliest, optionsAt } from '#test/src/discovery/oai/_repository.ts'
import { child, children, readXml } from '#test/src/_xml.ts'

const baseUrl = 'https://oai.example/oai'

function openServer(t: ExecutionContext) {
  const server = fastify()
  t.teardown(() => server.close())
  const repository = new OaiRepository({
    ...optionsAt(baseUrl),
    source: memorySource(earliest, []),
    nowMs: () => (earliest + 3_600) * 1_000,
  })
  registerOaiRoutes(server, { path: '/oai', repository, takeTurn: (_, task) => task() })
  return server
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }

test('GET and POST answer alike, and name their coding', async (t) => {
  const server = openServer(t)
  const got = await server.inject('/oai?verb=ListMetadataFormats')
  const headers = { 'content-type': `${form['content-type']}; charset=UTF-8` }
  const payload = 'verb=ListMetadataFormats'
  const posted = await server.inject({ method: 'POST', url: '/oai', headers, payload })
  for (const { statusCode, headers: replied } of [got, posted]) {
    t.is(statusCode, 200)
    t.is(replied['content-type'], 'text/xml; charset=utf-8')
  }
  t.is(posted.body, got.body)
})

test('errors of the protocol are replies with status 200', async (t) => {
  const server = openServer(t)
  const empty = await server.inject({ method: 'POST', url: '/oai', headers: form })
  for (const reply of [empty, await server.inject('/oai'), await server.inject('/oai?verb=x')]) {
    t.is(reply.statusCode, 200)
    t.is(children(readXml(reply.body), 'error')[0]?.attributes['code'], 'badVerb')
  }
  const twice = await server.inject('/oai?verb=Identify&verb=Identify')
  t.is(children(readXml(twice.body), 'error').length, 1)
})

test('Identify lists the codings of replies, which its server makes', async (t) => {
  const server = openServer(t)
  const plain = await server.inject('/oai?verb=Identify')
  const listed = children(child(readXml(plain.body), 'Identify'), 'compression')
  t.deepEqual(
    listed.map(({ text }) => text),
    ['br', 'gzip', 'deflate'],
  )
})

test('HEAD has the headers of GET', async (t) => {
  const server = openServer(t)
  const head = await server.inject({ method: 'HEAD', url: '/oai?verb=Identify' })
  t.is(head.statusCode, 200)
  t.is(head.body, '')
  t.is(head.headers['content-type'], 'text/xml; charset=utf-8')
})

test('another kind of body is refused, and a form that is too long', async (t) => {
  const server = openServer(t)
  const json = { 'content-type': 'application/json' }
  const asJson = await server.inject({ method: 'POST', url: '/oai', headers: json, payload: '{}' })
  t.is(asJson.statusCode, 415)
  const payload = `verb=${'x'.repeat(20_000)}`
  const long = await server.inject({ method: 'POST', url: '/oai', headers: form, payload })
  t.is(long.statusCode, 413)
})

test('what a browser makes a page with lies beside the repository', async (t) => {
  const server = openServer(t)
  const { body, headers } = await server.inject('/oai?verb=Identify')
  const links = [...body.matchAll(/<\?xml-stylesheet type="([^"]+)" href="([^"]+)"\?>/g)]
  t.deepEqual(
    links.map(([, type]) => type),
    ['text/xsl', 'text/css'],
  )
  for (const [, type = '', href = ''] of links) {
    const reply = await server.inject(href)
    t.is(reply.statusCode, 200)
    t.is(reply.headers['content-type'], `${type}; charset=utf-8`)
  }
  const policy = String(headers['content-security-policy'])
  t.true(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"))
  const sheet = readXml((await server.inject('/oai/style.xsl')).body)
  t.is(sheet.name, 'xsl:stylesheet')
  t.false(JSON.stringify(sheet).includes('"style"'))
  const schema = await server.inject('/oai/svc.xsd')
  t.is(readXml(schema.body).name, 'xs:schema')
})

test('browsers get a page, and harvesters the same XML as ever', async (t) => {
  const server = openServer(t)
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const page = await server.inject({ url: '/oai?verb=ListMetadataFormats', headers: browser })
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  t.is(page.headers['vary'], 'Accept')
  t.true(page.body.startsWith('<!doctype html>'))
  t.regex(page.body, /<h1>OAI-PMH ListMetadataFormats<\/h1>/)
  t.regex(page.body, /href="\/oai\?verb=ListRecords&amp;metadataPrefix=oai_dc">Records of oai_dc</)
  t.notRegex(page.body, /xml-stylesheet|<script/)
  for (const accept of [undefined, '*/*', 'text/xml', 'application/xml, */*;q=0.1']) {
    const headers = accept === undefined ? {} : { accept }
    const { headers: sent, body } = await server.inject({ url: '/oai?verb=Identify', headers })
    t.is(sent['content-type'], 'text/xml; charset=utf-8', accept)
    t.true(body.startsWith('<?xml version="1.0"'), accept)
  }
  const url = `/oai?verb=${encodeURIComponent('"><script>alert(1)</script>')}`
  const fault = await server.inject({ url, headers: browser })
  t.regex(fault.body, /<strong>badVerb<\/strong>/)
  t.notRegex(fault.body, /<script/)
})
