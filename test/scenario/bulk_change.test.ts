// A change of many works, on a server of several threads and on the nodes of a cluster.

import test, { type ExecutionContext } from 'ava'

import { leaderOf, startCluster } from '#test/scenario/_cluster.ts'
import {
  call,
  firstKey,
  newDataDir,
  newWork,
  runJson,
  type Server,
  spawnArklog,
  startServer,
} from '#test/scenario/_process.ts'
import { overServers } from '#test/src/cluster/_over_servers.ts'
import { JarBrowser } from '#test/src/_jar_browser.ts'
import { until } from '#test/_until.ts'

/** Far more than are changed until a server hears that it is to stop. */
const many = 240

type Job = { readonly id: string; readonly state: string; readonly changed: number }

async function mintMany(server: Server, key: string, count: number): Promise<string[]> {
  const arks: string[] = []
  for (let first = 0; first < count; first += 20) {
    const part = Array.from({ length: Math.min(20, count - first) }, async (_, at) => {
      const body = newWork(`Work ${first + at}`)
      const answer = await call<{ ark_identifier: string }>(server, '/v1/works', { key, body })
      return answer.body.ark_identifier
    })
    arks.push(...(await Promise.all(part)))
  }
  return arks
}

async function isOnceChanged(t: ExecutionContext, server: Server, key: string, arks: string[]) {
  for (const ark of arks) {
    const { body } = await call(server, `/v1/works/${ark}`, { key })
    t.like(body, { version: 2, language: 'de' }, ark)
  }
}

test('every thread of a server begins changes, stops them, and shows their progress', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off', EDGE_THREADS: '3' }
  const server = await startServer(t, settings)
  const key = firstKey(server)
  const arks = await mintMany(server, key, many)
  const port = Number(new URL(server.started.local_url).port)
  const browser = new JarBrowser(port, server.started.base_url)
  const ppid = await browser.signUp({
    name: 'Ed',
    email: 'ed@people.example',
    password: 'a long enough sentence',
  })
  await runJson(t, ['organization', 'member', 'add', 'demo', ppid, 'editor'], settings)
  const desk = '/auth/organizations/demo/changes'
  await browser.get(desk)
  const preview = await browser.postThen(desk, { language: 'de' })
  const [, id = ''] = /changes\/([0-9a-f]{28})\/start/.exec(preview.body) ?? []
  await browser.get(`${desk}/${id}`)
  t.is((await browser.post(`${desk}/${id}/start`)).status, 303)
  const pages = Array.from({ length: 6 }, async (_, nth) => {
    await until(`page ${nth} shows the end`, async () => {
      return (await browser.get(`${desk}/${id}`)).body.includes(`Changed language of ${many} works`)
    })
  })
  await Promise.all(pages)
  await isOnceChanged(t, server, key, arks)
  // A change may be at its end before it hears that it is to stop: then another one is begun.
  const isStopped = async (language: string): Promise<boolean> => {
    await browser.get(desk)
    const begun = await browser.postThen(desk, { language })
    const [, next = ''] = /changes\/([0-9a-f]{28})\/start/.exec(begun.body) ?? []
    await browser.get(`${desk}/${next}`)
    await browser.post(`${desk}/${next}/start`)
    await browser.post(`${desk}/${next}/stop`)
    let shown = ''
    await until('it has ended', async () => {
      shown = (await browser.get(`${desk}/${next}?page=9`)).body
      return /Not changed: stopped|Changed language of \d+ works/.test(shown)
    })
    return shown.includes('Not changed: stopped')
  }
  for (const language of ['fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'fi']) {
    if (await isStopped(language)) return
  }
  t.fail('no change was stopped')
})

test('a command whose server is killed says how to go on with its change', async (t) => {
  const settings = { DATA_DIR: await newDataDir(t), RATE_LIMITS: 'off', EDGE_THREADS: '1' }
  const server = await startServer(t, settings)
  await mintMany(server, firstKey(server), many)
  const begun = spawnArklog(t, ['work', 'change', 'demo', '--set', 'language=de'], settings)
  const shown: string[] = []
  begun.child.stderr?.on('data', (text: Buffer) => shown.push(text.toString()))
  await until('it has begun', () => /: \d+ of 240 works/.test(shown.join('')))
  await server.end('SIGKILL')
  const { code, stderr } = await begun.ended
  t.not(code, 0)
  const [, id = ''] = /run "arklog work change-resume demo ([0-9a-f]{28})"/.exec(stderr) ?? []
  const resumed = await runJson<Job>(t, ['work', 'change-resume', 'demo', id], settings)
  t.like(resumed, { id, state: 'done', changed: many })
})

overServers((servers) => {
  test('what a follower begins the leader does, and the next leader ends, once', async (t) => {
    const { nodes, key } = await startCluster(t, servers())
    const leader = await leaderOf(nodes)
    const [one, two] = nodes.filter((node) => node !== leader)
    if (one === undefined || two === undefined) return t.fail()
    const arks = await mintMany(one.server, key, 100)
    const change = ['work', 'change', 'demo', '--set', 'language=de']
    const draft = await runJson<Job>(t, [...change, '--dry-run'], one.settings)
    t.like(draft, { state: 'draft', ready: 100 })
    const resume = ['work', 'change-resume', 'demo', draft.id]
    const begun = spawnArklog(t, resume, one.settings)
    const shown: string[] = []
    begun.child.stderr?.on('data', (text: Buffer) => shown.push(text.toString()))
    // How far it is is asked four times a second: a part may be passed over, or all of them.
    const isPartDone = () => /: [1-9]\d* of 100 works/.test(shown.join(''))
    await until('a part is done', () => isPartDone() || begun.child.exitCode !== null)
    await leader.server.end('SIGKILL')
    const [there, here] = await Promise.all([runJson<Job>(t, resume, two.settings), begun.ended])
    t.like(there, { id: draft.id, state: 'done', changed: 100 })
    t.is(here.code, 0, here.stderr)
    t.regex(here.stdout, /100 works changed, 0 not/)
    for (const { server } of [one, two]) await isOnceChanged(t, server, key, arks)
  })
})
