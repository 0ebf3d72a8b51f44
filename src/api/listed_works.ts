import type { Environment } from '#actors/registry/environment.ts'
import { renderResults } from '#src/api/search_results.ts'
import type { ListedWork } from '#src/web/public/result_list.ts'

/** Works as a list shows them, by the ids of their index; those that do not stand are left out. */
export async function readListedWorks(
  ids: readonly string[],
  registry: { readonly environment: Environment; readonly baseUrl: string },
): Promise<ListedWork[]> {
  const texts = await renderResults('works', ids, registry)
  return texts.map((text) => JSON.parse(text) as ListedWork)
}
