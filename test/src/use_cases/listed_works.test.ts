import test from 'ava'

import { readListedWorks } from '#src/use_cases/listed_works.ts'
import { operatorAgent } from '#src/identity/store/owner_text.ts'
import { documentId } from '#src/discovery/search/documents.ts'
import { mint, serveRegistry } from '#test/src/_served_registry.ts'

test('a list names who registered a work, whoever has changed it since', async (t) => {
  const registry = await serveRegistry()
  t.teardown(() => registry.close())
  const { baseUrl, environments } = registry
  const key = await registry.key({ scopes: ['works:write'] })
  const { ark_identifier } = await mint(registry, key)
  const ark = ark_identifier.slice('ark:/'.length)
  const change = { ark, patch: { description: 'Corrected' }, by: operatorAgent } as const
  t.is((await environments.live.works.update(change)).type, 'changed')
  const ids = [documentId({ type: 'work', id: ark })]
  const [work] = await readListedWorks(ids, { environment: environments.live, baseUrl })
  t.like(work, { description: 'Corrected', registrant: 'Demo Press' })
})
