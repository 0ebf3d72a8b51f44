import test from 'ava'

import { parseFeedPage } from '#src/cli/oai_adapter/change_source.ts'
import { RecordCopy } from '#src/cli/oai_adapter/record_copy.ts'
import { makeRegistry } from '#test/actors/_environment.ts'
import { openMemoryStore } from '#test/contracts/_memory_store.ts'
import { type OpenSource, testRecordSource } from '#test/contracts/record_source.ts'

/** A copy that is fed with the feed of a registry, a few changes at a time. */
const open: OpenSource = async (t) => {
  let nowMs = Date.parse('2026-01-01T00:00:00.000Z')
  const made = await makeRegistry(t, { systemMs: () => nowMs })
  const registry = await made.open()
  t.teardown(() => registry.close())
  const source = new RecordCopy(openMemoryStore())
  return {
    source,
    registry,
    advance: (ms) => {
      nowMs += ms
    },
    nowSeconds: () => Math.floor(nowMs / 1_000),
    async settled() {
      for (;;) {
        const query = { cursor: source.state.next, limit: 3 }
        const { body } = await registry.catalogue.changes(query)
        const page = parseFeedPage(Buffer.from(body).toString('utf8'))
        if (page === undefined) throw new Error('the feed gives pages')
        if (page.next === source.state.next) return
        await source.apply(page)
      }
    },
  }
}

testRecordSource(test, open)
