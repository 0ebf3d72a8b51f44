import * as path from 'node:path'
import test, { type ExecutionContext } from 'ava'

import { encodeMapLeaf } from '#log/tlog/map/map_leaf.ts'
import { hashEntries } from '#log/tlog/map/map_tree.ts'
import type { MapFact } from '#log/tlog/map/map_value.ts'
import { auditMap } from '#log/store/map_audit.ts'
import { openLog } from '#log/store/open_log.ts'
import { leafHash } from '#log/tlog/hash.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { append, logOptions, origin } from '#test/log/_log.ts'
import { entriesAfter } from '#test/log/tlog/map/_map_entries.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

/** An entry that registers a name, and what it states. */
function entryOf(leafIndex: number): readonly [Uint8Array, MapFact] {
  const entry = Buffer.from(`entry ${leafIndex}`)
  const fact = { ark: `name ${leafIndex}`, kind: 'registered', version: 1 } as const
  return [entry, { ...fact, leafIndex, leafHash: leafHash(entry) }]
}

/** A log of 9,000 entries, every 1,500th of which is a map leaf, that `change` may change. */
async function audited(
  t: ExecutionContext,
  change: (leaf: Uint8Array, leafIndex: number) => Uint8Array = (leaf) => leaf,
) {
  const entries: Uint8Array[] = []
  const facts: MapFact[] = []
  for (let at = 0; at < 9_000; at += 1) {
    if (at % 1_500 === 1_499) {
      const map = entriesAfter(facts)
      const rootHash = hashEntries(map).hash
      entries.push(change(encodeMapLeaf({ origin, covers: at, keys: map.length, rootHash }), at))
    } else {
      const [entry, fact] = entryOf(at)
      entries.push(entry)
      facts.push(fact)
    }
  }
  const store = openMemoryStore()
  const { treeSize } = await append(store, await openLog(store, logOptions), entries)
  const scratchDir = path.join(await makeTempDir(t), 'map')
  const factOf = (_: Uint8Array, leafIndex: number) => entryOf(leafIndex)[1]
  return auditMap(store, { treeSize, origin, factOf, scratchDir, progress: () => {} })
}

test('an audit recomputes every map leaf', async (t) => {
  t.deepEqual(await audited(t), { mapLeaves: 6, problems: [] })
})

test('an audit tells every map leaf that is wrong, and how it should be', async (t) => {
  const { problems } = await audited(t, (leaf, at) => {
    const text = Buffer.from(leaf).toString()
    if (at === 2_999) return Buffer.from(text.replace('\n2998\n', '\n2997\n'))
    if (at === 5_999) return Buffer.from(text.replace('\n5999\n', '\n5998\n'))
    return at === 8_999 ? Buffer.from(`${text}more\n`) : leaf
  })
  t.is(problems.length, 3)
  t.regex(problems[0] ?? '', /^entry 2999: the map leaf is not .* arklog-map\/v1 \S+ 2999 2998 /)
  t.regex(problems[1] ?? '', /^entry 5999: the map leaf is not .* 5999 5996 /)
  t.regex(problems[2] ?? '', /^entry 8999: not a map leaf: /)
})
