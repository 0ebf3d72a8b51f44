import type { Opening, ShownPage } from '#test/browser/_shown_page.ts'

/** A page at the address of the registry. */
function reader(route: string, path = route, name?: string): ShownPage {
  const open: Opening = (window, { server }) => window.goto(server.started.base_url + path)
  return { route, as: 'nobody', open, ...(name !== undefined && { name }) }
}

/** Pages for readers, which are no part of anybody's account. */
export const readerPages: readonly ShownPage[] = [
  reader('/'),
  reader('/how-it-works'),
  reader('/policy'),
  reader('/contact'),
  reader('/privacy'),
  reader('/status'),
  reader('/verify'),
  reader('/:label', '/ark:12345', 'a NAAN'),
  reader('/:label', '/ark:/12345/k2none', 'unknown'),
  reader('/log'),
  reader('/log', '/log?q=rcpt_1', 'refused'),
  reader('/log/entries'),
  reader('/log/checkpoints'),
  reader('/log/compare'),
  reader('/log/compare', '/log/compare?old=1&new=2', 'compared'),
  reader('/log/compare', '/log/compare?old=1&new=99999', 'unsigned'),
  reader('/log/entries/:index', '/log/entries/0'),
  reader('/log/entries/:index', '/sandbox/log/entries/0', 'of an empty log'),
  reader('/sandbox/log'),
  reader('/oai', '/api/v1/oai?verb=ListRecords&metadataPrefix=oai_dc'),
  reader('/search'),
  reader('/search/help'),
  reader('/data'),
  reader('/statistics'),
  reader('/search', '/search?q=analytical+engin', 'found'),
  reader('/search', '/search?q=analytical&type=article&year=1843&title=sketch', 'narrowed'),
  reader('/search', '/search?q=analyticel', 'spelled otherwise'),
  reader('/search', '/search?q=Taylor&license=MIT', 'nothing found'),
  reader('/search', '/search?q=analytical&year=soon', 'refused'),
  reader('/search', '/search?in=people&q=ada', 'people'),
  reader('/search', '/search?in=organizations', 'organizations'),
  {
    route: '/similar',
    as: 'nobody',
    open: (window, { server, ark }) => window.goto(`${server.started.base_url}/similar?ark=${ark}`),
  },
  reader('/publishers'),
  reader('/people'),
  reader('/publishers/:slug', '/publishers/press'),
  reader('/publishers/:slug', '/publishers/nobody', 'unknown'),
  {
    route: '/people/:ppid',
    as: 'nobody',
    open: (window, { server, ppid }) => window.goto(`${server.started.base_url}/people/${ppid}`),
  },
  {
    route: '/*',
    name: 'work',
    as: 'nobody',
    open: (window, { server, ark }) => window.goto(`${server.started.base_url}/${ark}`),
  },
]
