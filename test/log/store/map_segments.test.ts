import * as fs from 'node:fs/promises'
import * as path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { MapSegments } from '#log/store/map_segments.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { seededRandom } from '#test/simulation/_seeded_random.ts'

const count = 64
const prefix = '06-'

/** Opens the files of a folder, and gives the note of the last frame with the rows. */
async function open(dir: string): Promise<{ rows: MapSegments; note: string }> {
  const names = (await fs.readdir(dir)).sort()
  let note = ''
  const rows = await MapSegments.open({ dir, prefix, count }, names, async (frame) => {
    note = Buffer.from(frame.note).toString()
  })
  return { rows, note }
}

function textOf(rows: MapSegments, number: number): string {
  return String(rows.get(number))
}

function allRows(rows: MapSegments): string[] {
  return Array.from({ length: count }, (_, number) => textOf(rows, number))
}

/** Two frames, and what the rows were after the first and after both. */
async function twoFrames(t: ExecutionContext) {
  const dir = await makeTempDir(t)
  const rows = MapSegments.create(dir, prefix, count)
  const frame = (note: string, ...some: readonly (readonly [number, string])[]) => ({
    note: Buffer.from(note),
    rows: new Map(some.map(([number, value]) => [number, Buffer.from(value)])),
  })
  await rows.append(frame('first', [0, 'a'], [5, 'b'.repeat(1_200)], [63, 'c']), 1_000)
  const first = allRows(rows)
  const file = path.join(dir, `${prefix}00000001`)
  const { size } = await fs.stat(file)
  await rows.append(frame('second', [5, 'd'], [6, 'e'.repeat(100)]), 1_000)
  const states = new Map([
    ['', Array.from({ length: count }, () => 'undefined')],
    ['first', first],
    ['second', allRows(rows)],
  ])
  return { dir, file, rows, size, states }
}

test('rows are what was written last, now and when they are opened again', async (t) => {
  const { dir, rows, states } = await twoFrames(t)
  t.like(states.get('first'), { 0: 'a', 5: 'b'.repeat(1_200), 6: 'undefined', 63: 'c' })
  t.like(states.get('second'), { 0: 'a', 5: 'd', 6: 'e'.repeat(100), 63: 'c' })
  await rows.close()
  const opened = await open(dir)
  t.is(opened.note, 'second')
  t.deepEqual(allRows(opened.rows), states.get('second'))
  await opened.rows.close()
})

test('what a crash leaves of a frame is given up', async (t) => {
  const { dir, file, rows, size, states } = await twoFrames(t)
  await rows.close()
  const whole = await fs.readFile(file)
  for (let length = 0; length <= whole.length; length += 3) {
    await fs.writeFile(file, whole.subarray(0, length))
    const opened = await open(dir)
    t.is(opened.note, length === whole.length ? 'second' : length >= size ? 'first' : '')
    t.deepEqual(allRows(opened.rows), states.get(opened.note))
    await opened.rows.close()
  }
})

test('no bit that flips on the disk becomes another row', async (t) => {
  const { dir, file, rows, states } = await twoFrames(t)
  const whole = await fs.readFile(file)
  for (let at = 0; at < whole.length; at += 3) {
    const flipped = Buffer.from(whole)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 7))
    await fs.writeFile(file, flipped)
    for (const number of [0, 5, 6, 63]) {
      try {
        if (textOf(rows, number) !== states.get('second')?.[number]) t.fail(`byte ${at}`)
      } catch (error) {
        t.like(error, { code: 'store_corrupt' })
      }
    }
    const opened = await open(dir)
    t.not(opened.note, 'second')
    t.deepEqual(allRows(opened.rows), states.get(opened.note))
    await opened.rows.close()
  }
  await rows.close()
})

test('the files have little more than twice what counts of them, and no row is lost', async (t) => {
  const dir = await makeTempDir(t)
  const random = seededRandom(46)
  let rows = MapSegments.create(dir, prefix, count)
  const known = new Map<number, Buffer>()
  const liveBytes = count * 16_000
  let files = 0
  for (let at = 0; at < 1_200; at += 1) {
    const number = at < count ? at : 8 + Math.floor(random() * (count - 8))
    const value = Buffer.alloc(Math.floor(random() * 32_000), `${at} `)
    known.set(number, value)
    await rows.append({ note: Buffer.from(`${at}`), rows: new Map([[number, value]]) }, liveBytes)
    if (at % 100 !== 99) continue
    await rows.close()
    const opened = await open(dir)
    t.is(opened.note, `${at}`)
    rows = opened.rows
    for (const [one, bytes] of known) t.is(Buffer.compare(rows.get(one) ?? bytes, bytes), 0)
    const names = await fs.readdir(dir)
    const sizes = await Promise.all(names.map((name) => fs.stat(path.join(dir, name))))
    const all = sizes.reduce((sum, { size }) => sum + size, 0)
    t.true(all < 2 * liveBytes + 3 * 4_194_304, `${all} bytes`)
    files = Number.parseInt(names.sort().at(-1)?.slice(prefix.length) ?? '', 16)
  }
  t.true(files >= 4)
  await rows.close()
})

test('a file that is missing between others is told', async (t) => {
  const { dir, file, rows } = await twoFrames(t)
  await rows.close()
  await fs.copyFile(file, path.join(dir, `${prefix}00000003`))
  await t.throwsAsync(open(dir), { code: 'store_corrupt' })
})
