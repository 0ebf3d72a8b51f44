// A search of a real registry with some works, whose embedded index does one search at a time.

import type { ExecutionContext } from 'ava'

import { SearchService } from '#src/discovery/search/search_service.ts'
import { arkOf, openRegistry, register } from '#test/actors/_environment.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'
import { caughtUp } from '#test/src/discovery/search/_caught_up.ts'

/** Opens it with works of these titles, and gives their ids in the index. */
export async function openService(t: ExecutionContext, titles: readonly string[]) {
  const environment = await openRegistry(t)
  const ids: string[] = []
  for (const title of titles) {
    ids.push(arkOf(await register(environment, title, {})).replace('/', '_'))
  }
  const service = new SearchService({
    environment,
    dir: await makeTempDir(t),
    readers: 1,
    queryMsMax: 60_000,
    elapsedMs: () => 0,
    hasRoom: () => true,
    report: (error) => t.log(error),
  })
  t.teardown(() => service.close())
  service.start()
  await caughtUp(service)
  return { environment, service, ids }
}
