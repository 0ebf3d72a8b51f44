// A whole registry in this process, whose webhooks are delivered by a thread. Node tells a process
// of each thread that it starts, so that a test can end one as nothing in the product would.

import type { Worker } from 'node:worker_threads'
import test, { type ExecutionContext } from 'ava'

import { loadConfig } from '#config/config.ts'
import { adminSocketPath } from '#src/keeping/data_dir/admin_socket.ts'
import { AdminClient } from '#src/cli/admin_client.ts'
import { openService } from '#src/cli/start/registry_service.ts'
import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { serve, serveWhole } from '#test/src/delivery/fetch/_servers.ts'
import { type MailReply, serveMail } from '#test/src/delivery/mail/_mail_server.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'

/** The threads of this process that deliver, as they are started. */
const threads: Worker[] = []
process.on('worker', (worker: Worker) => {
  if (worker.threadName === 'webhooks') threads.push(worker)
})

async function open(t: ExecutionContext, settings: Readonly<Record<string, string>>) {
  const dataDir = settings['DATA_DIR'] ?? (await makeTempDir(t))
  const [port, adminPort] = [await freePort(), await freePort()]
  const config = loadConfig({
    DATA_DIR: dataDir,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    LOG_LEVEL: 'silent',
    RATE_LIMITS: 'off',
    FETCH_CONTENT: 'off',
    SEARCH: 'off',
    DISK_RESERVE_BYTES: '0',
    EDGE_THREADS: '0',
    FETCH_HOST_INTERVAL_MS: '0',
    ...settings,
  })
  const service = await openService(config, { listen: true })
  t.teardown(() => service.close())
  const client = new AdminClient(adminSocketPath(dataDir))
  t.teardown(() => client.close())
  const authorization = `Bearer ${service.facts.firstKey?.key ?? ''}`
  let titles = 0
  return {
    service,
    port,
    client,
    /** Registers a work; gives its ARK. */
    async mint(): Promise<string> {
      titles += 1
      const response = await fetch(`http://127.0.0.1:${port}/v1/works`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization },
        body: JSON.stringify({
          work_title: `Minted ${titles}`,
          work_type: 'article',
          authors: 'Ada Lovelace',
          work_url: `https://example.org/${titles}`,
        }),
      })
      return ((await response.json()) as { ark_identifier: string }).ark_identifier
    },
    /** The sum of all values of the metrics whose names begin so. */
    async measured(name: string): Promise<number> {
      const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
      const values = metrics.split('\n').filter((line) => line.startsWith(name))
      return values.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
    },
  }
}

test.serial('in the place of a thread that dies another one delivers what is left', async (t) => {
  t.timeout(600_000)
  const told: string[] = []
  const answer = { status: 204 }
  const subscriber = await serveWhole(t, (body, _request, response) => {
    told.push((JSON.parse(body) as { data: { ark: string } }).data.ark)
    response.writeHead(answer.status).end()
  })
  const { service, client, mint, measured } = await open(t, { FETCH_ALLOW: subscriber.hostPort })
  await mint()
  t.is(threads.length, 0, 'nothing is delivered where nobody listens')
  const { url } = subscriber
  const wish = { organization: 'demo', webhook: { url, events: ['work.created'] } }
  await client.call('/webhooks/create', wish)
  const arks: string[] = []
  const haveArrived = () => arks.every((ark) => told.includes(ark))
  for (let nth = 0; nth < 3; nth += 1) arks.push(await mint())
  await until('what was registered is told', haveArrived)
  t.deepEqual(told, arks, 'nothing of what was before the webhook')
  const delivered = 'arklog_webhook_deliveries_total{environment="live",outcome="delivered"}'
  const isCounted = async (count: number) => (await measured(delivered)) >= count
  await until('deliveries are counted', () => isCounted(3), { pauseMs: 20 })

  t.is(threads.length, 1)
  await threads[0]?.terminate()
  for (let nth = 0; nth < 3; nth += 1) arks.push(await mint())
  await until('what was registered meanwhile is told', haveArrived)
  t.is(threads.length, 2)
  const counted = () => isCounted(6)
  await until('what an ended thread has counted stays counted', counted, { pauseMs: 20 })
  const newest = told.filter((ark, index) => told.lastIndexOf(ark) === index)
  t.deepEqual(newest, arks, 'in the order in which it happened')

  answer.status = 410
  await mint()
  const failed = 'arklog_webhook_endpoints{environment="live",status="failed"}'
  const isFailed = async () => (await measured(failed)) === 1
  await until('who wants nothing any more is given up', isFailed, { pauseMs: 20 })
  const last = threads[1]
  await service.close()
  t.is(last?.threadId, -1, 'the thread has ended')
})

/** Makes an account whose address is confirmed, and an owner of the demonstration. */
async function makeOwner(
  { client, port }: Awaited<ReturnType<typeof open>>,
  received: readonly string[],
): Promise<void> {
  const browser = new JarBrowser(port, `http://127.0.0.1:${port}`)
  const password = 'a sentence that is easy to remember'
  const ppid = await browser.signUp({ name: 'Ada', email: 'ada@people.example', password })
  await until('the link has come', () => received.length > 0, { pauseMs: 20 })
  const mail = (received.at(-1) ?? '').replaceAll(/=\r?\n/g, '')
  const [, link = ''] = /(\/auth\/verify\/\w+)/.exec(mail) ?? []
  await browser.get(link)
  await browser.postThen(link)
  const mailed = received.length
  await client.call('/organizations/add-member', { slug: 'demo', ppid, role: 'owner' })
  await until('they are told of it', () => received.length > mailed, { pauseMs: 20 })
}

test.serial('owners whose mail nobody had at the end are told after the next start', async (t) => {
  t.timeout(600_000)
  const replies: MailReply[] = []
  const { received, refused, smtpUrl } = await serveMail(t, replies)
  const subscriber = await serve(t, (_, response) => void response.writeHead(410).end())
  const settings = {
    DATA_DIR: await makeTempDir(t),
    FETCH_ALLOW: subscriber.hostPort,
    SMTP_URL: smtpUrl,
    MAIL_FROM: 'registry@registry.example',
  }
  const first = await open(t, settings)
  await makeOwner(first, received)
  // Of the first key they may hear now, or not at all: they were no owner when it was made.
  const only = /^Subject: A webhook of .* is paused\r?$/m
  const paused = () => received.filter((mail) => only.test(mail)).length
  const { url } = subscriber
  // Its next attempt is seconds away.
  replies.push({ code: 451, text: 'come back', only })
  await first.client.call('/webhooks/create', { organization: 'demo', webhook: { url } })
  await first.mint()
  await until('the mail server has put it off', () => refused() === 1, { pauseMs: 20 })
  await first.service.close()
  t.is(paused(), 0)

  const second = await open(t, settings)
  await until('it is sent again', () => paused() > 0, { pauseMs: 20 })
  await second.service.close()
  t.is(paused(), 1)
})
