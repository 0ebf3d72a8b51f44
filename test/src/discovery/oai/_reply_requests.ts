/** A request, and how its reply is called. */
export type ReplyRequest = { readonly name: string; readonly query: string }

/** Formats of records. */
const prefixes = ['oai_dc', 'oai_datacite', 'svc'] as const

/** Requests that a repository answers whatever it holds; errors of the protocol are among them. */
export const plainRequests: readonly ReplyRequest[] = [
  'verb=Identify',
  'verb=ListMetadataFormats',
  'verb=ListSets',
  '',
  'verb=junk',
  'verb=Identify&verb=Identify',
  'verb=Identify&junk=%3C%26%22',
  'verb=GetRecord',
  'verb=GetRecord&identifier=invalid%22id&metadataPrefix=oai_dc',
  'verb=GetRecord&identifier=ark:/12345/none&metadataPrefix=none',
  'verb=ListMetadataFormats&identifier=ark:/12345/none',
  'verb=ListSets&resumptionToken=junk',
  'verb=ListIdentifiers',
  'verb=ListIdentifiers&metadataPrefix=none',
  'verb=ListIdentifiers&metadataPrefix=oai_dc&set=none',
  'verb=ListIdentifiers&metadataPrefix=oai_dc&from=junk',
  'verb=ListIdentifiers&metadataPrefix=oai_dc&until=2026-02-30',
  'verb=ListIdentifiers&metadataPrefix=oai_dc&until=1900-01-01',
  'verb=ListIdentifiers&resumptionToken=junk&until=2000-02-05',
  'verb=ListRecords&metadataPrefix=oai_dc&from=2002-02-05&until=2002-02-06T05:35:00Z',
  'verb=ListRecords&metadataPrefix=oai_dc&from=2003-01-01&until=2002-01-01',
  'verb=ListRecords&resumptionToken=junk',
].map((query) => ({ name: query === '' ? 'no arguments' : query, query }))

/** Pages of each list that are asked for. */
const pagesMax = 20

/** Asks for every page of a list, up to `pagesMax`, and for single records of it. */
export async function* listReplies(
  ask: (query: string) => Promise<string>,
): AsyncGenerator<ReplyRequest & { readonly xml: string }> {
  for (const prefix of prefixes) {
    for (const verb of ['ListRecords', 'ListIdentifiers']) {
      let query = `verb=${verb}&metadataPrefix=${prefix}`
      for (let page = 1; page <= pagesMax; page += 1) {
        const xml = await ask(query)
        yield { name: `${verb} ${prefix}, page ${page}`, query, xml }
        const token = /<resumptionToken[^>]*>([^<]+)</.exec(xml)?.[1]
        if (token === undefined) break
        query = `verb=${verb}&resumptionToken=${token}`
      }
    }
    for (const query of await recordQueries(ask, prefix)) {
      yield { name: query, query, xml: await ask(query) }
    }
  }
}

/** One record that stands and one that was deleted, if the first page has any. */
async function recordQueries(ask: (query: string) => Promise<string>, prefix: string) {
  const xml = await ask(`verb=ListIdentifiers&metadataPrefix=${prefix}`)
  const standing = /<header><identifier>([^<]*)</.exec(xml)?.[1]
  const deleted = /<header status="deleted"><identifier>([^<]*)</.exec(xml)?.[1]
  return [standing, deleted]
    .filter((ark) => ark !== undefined)
    .flatMap((ark) => {
      const identifier = encodeURIComponent(ark)
      return [
        `verb=GetRecord&identifier=${identifier}&metadataPrefix=${prefix}`,
        `verb=ListMetadataFormats&identifier=${identifier}`,
      ]
    })
}
