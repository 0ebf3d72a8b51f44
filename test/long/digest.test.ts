import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import test, { type ExecutionContext } from 'ava'

import { formatTimestamp } from '#actors/values/clock.ts'
import { AuditLog } from '#src/identity/store/audit.ts'
import { countOf } from '#test/long/_full_counts.ts'
import { digestAddress, openDigestStore } from '#test/long/_digest_store.ts'
import { listenForMail } from '#test/src/delivery/mail/_mail_server.ts'
import { freePort } from '#test/_free_port.ts'
import { until } from '#test/_until.ts'

const owners = countOf({ few: 20, full: 500 })
const organizations = countOf({ few: 5, full: 20 })
const kills = countOf({ few: 4, full: 20 })

/** What a mail server took: the readers, and what names each mail, with copies. */
type Taken = { readonly to: string; readonly id: string }

type MailServer = {
  readonly smtpUrl: string
  /** From now on, takes the mail of this number and later ones without an answer. */
  holdAt(count: number): void
  /** How many mails it has taken so far. */
  count(): Promise<number>
  taken(): Promise<readonly Taken[]>
}

function read(mail: string): Taken {
  const [, to = ''] = /^To: (\S+?)\r?$/m.exec(mail) ?? []
  const [, id = ''] = /^Message-ID: (\S+?)\r?$/im.exec(mail) ?? []
  return { to, id }
}

/**
 * A server of this process, the one of Postfix for tests (`SMTP_SINK=/usr/sbin/smtp-sink`), or any
 * at `MAIL_SERVER` that delivers each mail as a file into the folder `MAIL_FOLDER`.
 */
async function openServer(t: ExecutionContext, folder: string): Promise<MailServer> {
  const { SMTP_SINK: sink, MAIL_SERVER: server, MAIL_FOLDER: delivered = '' } = process.env
  if (server !== undefined) return { smtpUrl: server, ...mailsIn(delivered) }
  if (sink === undefined) {
    const received: string[] = []
    let held = Infinity
    const smtpUrl = await listenForMail(t, (stream, _session, done) => {
      text(stream).then((mail) => {
        received.push(mail)
        if (received.length < held) done()
      }, done)
    })
    return {
      smtpUrl,
      holdAt: (count) => (held = count),
      count: () => Promise.resolve(received.length),
      taken: () => Promise.resolve(received.map(read)),
    }
  }
  const port = await freePort()
  const template = path.join(folder, 'mail.')
  const child = spawn(sink, [
    '-u',
    os.userInfo().username,
    '-d',
    template,
    `127.0.0.1:${port}`,
    '100',
  ])
  t.teardown(() => child.kill())
  return { smtpUrl: `smtp://127.0.0.1:${port}`, ...mailsIn(folder) }
}

/** The mails that lie in a folder, one in a file. */
function mailsIn(folder: string): Omit<MailServer, 'smtpUrl'> {
  const files = () => readdir(folder)
  return {
    // These answer each.
    holdAt: () => undefined,
    count: async () => (await files()).length,
    async taken() {
      const texts = (await files()).map((name) => readFile(path.join(folder, name), 'utf8'))
      // What a killed sender broke off is a file without the end of a mail.
      return (await Promise.all(texts)).map(read).filter(({ id }) => id !== '')
    },
  }
}

/** Waits for so many mails, as long as one more comes in time, or until `isOver`. */
async function untilTaken(server: MailServer, wanted: number, isOver = () => false): Promise<void> {
  for (let count = 0; count < wanted && !isOver(); count = await server.count()) {
    const before = count
    const isMore = async () => isOver() || (await server.count()) > before
    await until(`mail ${before + 1} of ${wanted}`, isMore, { pauseMs: 50 })
  }
}

test.serial(
  `${organizations * owners} weeks are told over ${kills} kills, none lost`,
  async (t) => {
    t.timeout(60 * 60_000)
    const folder = await mkdtemp(path.join(os.tmpdir(), 'arklog-digest-'))
    const mails = await mkdtemp(path.join(os.tmpdir(), 'arklog-mails-'))
    t.teardown(async () => {
      for (const each of [folder, mails]) await rm(each, { recursive: true })
    })
    const server = await openServer(t, mails)
    const slugs = Array.from({ length: organizations }, (_, index) => `press-${index}`)
    const store = await openDigestStore(folder)
    const audit = new AuditLog(store)
    const at = formatTimestamp(Date.now())
    for (const id of slugs) {
      const owner = { type: 'organization', id } as const
      const entry = { owner, at, action: 'week_ended', because: '2026-11-23' } as const
      await audit.writeOnce(`week/${id}`, entry)
    }
    await store.close()
    const wanted = organizations * owners
    const script = new URL('./_digest_process.ts', import.meta.url).pathname
    const start = () => {
      const child = spawn(process.execPath, [script, folder, server.smtpUrl, `${owners}`], {
        stdio: ['ignore', 'inherit', 'inherit'],
      })
      return { child, ended: once(child, 'exit') }
    }
    for (let kill = 1; kill <= kills; kill += 1) {
      const enough = Math.floor((wanted * kill) / (kills + 1))
      // Whoever waits for the answer to it is still on its way.
      server.holdAt(enough)
      const { child, ended } = start()
      await untilTaken(server, enough, () => child.exitCode !== null)
      child.kill('SIGKILL')
      const [, signal] = await ended
      t.is(signal, 'SIGKILL', 'it was killed on its way')
    }
    server.holdAt(Infinity)
    const [code] = await start().ended
    t.is(code, 0)
    await untilTaken(server, wanted)
    const taken = await server.taken()
    const readers = slugs.flatMap((slug) =>
      Array.from({ length: owners }, (_, index) => digestAddress(`${slug}-${index}`)),
    )
    const idsOf = Map.groupBy(taken, ({ to }) => to)
    t.deepEqual(
      readers.filter((reader) => !idsOf.has(reader)),
      [],
      'nobody is left out',
    )
    t.is(idsOf.size, wanted, 'nobody else is told')
    // A mail on its way when it was killed may come again, as the same one: by its Message-ID.
    const different = [...idsOf.values()].filter(
      (each) => new Set(each.map(({ id }) => id)).size > 1,
    )
    t.deepEqual(different, [], 'nobody is told twice')
    t.true(taken.length - wanted <= kills, `${taken.length - wanted} copies`)
    t.is(new Set(taken.map(({ id }) => id)).size, wanted)
    t.log(
      `${wanted} mails, ${kills} kills, ${taken.length - wanted} copies with the same Message-ID`,
    )
  },
)
