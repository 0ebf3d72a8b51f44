import { createHmac } from 'node:crypto'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import type http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'

import {
  commandChannel,
  parseCommand,
  parseWebhookSecret,
  webhookChannel,
  Outbox,
  type Report,
} from '#src/tlog_tools/monitor/outbox.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { serve } from '#test/src/delivery/fetch/_servers.ts'

const { signal } = new AbortController()

const report: Report = {
  id: 'watched-000000000007',
  type: 'watched',
  at: '2026-03-04T05:06:07.089Z',
  log: 'log.example/test',
  kind: 'registered',
  message: 'registered: $(touch here); `id`',
}

/** An address that answers with these statuses in turn, then 204, and what was posted to it. */
async function serveHook(t: ExecutionContext, statuses: number[]) {
  const posted: { readonly headers: http.IncomingHttpHeaders; readonly body: string }[] = []
  const { url } = await serve(t, (request, response) => {
    void text(request).then((body) => {
      posted.push({ headers: request.headers, body })
      response.writeHead(statuses.shift() ?? 204, { location: '/elsewhere' }).end()
    })
  })
  return { posted, url: `${url}/` }
}

test('a report waits until every channel has taken it, also after a restart', async (t) => {
  const folder = await makeTempDir(t)
  const sent: string[] = []
  let isBroken = true
  const line = { name: 'line', send: async () => void sent.push('line') } as const
  const command = {
    name: 'command',
    async send() {
      if (isBroken) throw new Error('it is broken')
      sent.push('command')
    },
  } as const
  const first = await Outbox.open(folder)
  await first.add(report)
  await first.add({ ...report, id: 'watched-000000000008' })
  const failures = await first.deliver([line, command], signal)
  t.deepEqual(failures, [{ channel: 'command', message: 'it is broken' }])
  const second = await Outbox.open(folder)
  t.is(second.size, 2)
  isBroken = false
  t.deepEqual(await second.deliver([line, command], signal), [])
  // What one channel had taken it is not given again.
  t.deepEqual(sent, ['line', 'line', 'command', 'command'])
  t.is((await Outbox.open(folder)).size, 0)
})

test('a command is given each report as JSON, and no shell reads its words', async (t) => {
  const folder = await makeTempDir(t)
  const file = path.join(folder, 'took it.js')
  const code = `process.stdin.pipe(require('fs').createWriteStream(process.argv[2]))`
  await writeFile(file, code)
  await chmod(file, 0o700)
  const out = path.join(folder, '$(touch here)')
  const words = parseCommand(JSON.stringify([process.execPath, file, out]))
  if (words === undefined) return t.fail()
  await commandChannel(words).send(report, signal)
  t.deepEqual(JSON.parse(await readFile(out, 'utf8')), report)
  const failing = commandChannel([process.execPath, '-e', 'process.exit(3)'])
  await t.throwsAsync(failing.send(report, signal), { message: /ended with exit code 3$/ })
  const missing = commandChannel([path.join(folder, 'none')])
  await t.throwsAsync(missing.send(report, signal), { message: /ENOENT/ })
  t.deepEqual(parseCommand('page  --now x'), ['page', '--now', 'x'])
  for (const wrong of ['', ' ', '[', '[]', '[1]', '[""]']) t.is(parseCommand(wrong), undefined)
})

test('a webhook is tried three times, is signed, and follows no redirect', async (t) => {
  const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`
  const key = parseWebhookSecret(`${secret}\n`)
  const { posted, url } = await serveHook(t, [503, 302])
  await webhookChannel({ url, key, nowMs: () => 1_772_600_767_089 }).send(report, signal)
  t.is(posted.length, 3)
  for (const { headers, body } of posted) {
    t.deepEqual(JSON.parse(body), report)
    t.is(headers['webhook-id'], report.id)
    const signed = `${report.id}.1772600767.${body}`
    const mac = createHmac('sha256', Buffer.alloc(24, 7)).update(signed).digest('base64')
    t.is(headers['webhook-signature'], `v1,${mac}`)
  }
  const refusing = await serveHook(t, [400, 400, 400])
  const channel = webhookChannel({ url: refusing.url, key: undefined, nowMs: Date.now })
  await t.throwsAsync(channel.send(report, signal), { message: /answers 400$/ })
  t.is(refusing.posted.length, 3)
  t.is(refusing.posted[0]?.headers['webhook-signature'], undefined)
  for (const wrong of ['', 'whsec_', 'whsec_short', secret.slice(1)]) {
    t.is(parseWebhookSecret(wrong), undefined)
  }
})
