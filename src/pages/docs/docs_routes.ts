import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

import type { RegistryEdge } from '#src/use_cases/registry_edge.ts'
import type { LimitConfig } from '#src/edge/limits/limits.ts'
import { type DocsPage, writeDocsPage } from '#src/pages/docs/docs_page.ts'
import {
  errorsPage,
  guidePage,
  limitsPage,
  oauthPage,
  quickStartPage,
  startPage,
} from '#src/pages/docs/tutorial_pages.ts'
import { readGuides } from '#src/pages/docs/guides.ts'
import { type DescribedInterface, readInterface } from '#src/pages/docs/interface.ts'
import { operationPage, referencePage } from '#src/pages/docs/operation_page.ts'
import { HttpError } from '#src/edge/errors.ts'
import {
  accountsBase,
  pageOptions,
  type PublicPage,
  sendPublicPage,
} from '#src/pages/kit/public_page.ts'

type DocsEdge = Pick<
  RegistryEdge,
  'count' | 'baseUrl' | 'branding' | 'accounts' | 'sandbox' | 'describeInterface'
> & { readonly config: LimitConfig }

type NamedRequest = FastifyRequest<{ Params: { readonly name: string } }>

/**
 * `/docs` and all below it: the documentation for who writes programs. Every page is written once,
 * when it is first asked for; there are as many as there are guides and operations.
 */
export function registerDocsRoutes(server: FastifyInstance, edge: DocsEdge): void {
  const { baseUrl, accounts, sandbox, config } = edge
  // In every thread: most of them never show a guide.
  const guides = once(readGuides)
  const site = { baseUrl, accounts: accountsBase(edge), sandboxAuthUrl: sandbox.accounts.authUrl }
  const described = once(() => readInterface(edge.describeInterface()))
  const options = pageOptions(edge, 'pages')
  const written = new Map<string, PublicPage>()
  const send = (reply: FastifyReply, path: string, make: () => DocsPage) => {
    const page = written.get(path) ?? writeDocsPage(make(), edge, guides())
    written.set(path, page)
    return sendPublicPage(page, reply, edge)
  }
  const pages: readonly (readonly [path: string, make: () => DocsPage])[] = [
    ['/docs', () => startPage(baseUrl)],
    ['/docs/quick-start', () => quickStartPage(site)],
    ['/docs/oauth', () => oauthPage(site)],
    ['/docs/errors', errorsPage],
    ['/docs/limits', () => limitsPage(config)],
    ['/docs/reference', () => referencePage(described())],
  ]
  for (const [path, make] of pages) {
    server.get(path, options, async (_request, reply) => send(reply, path, make))
  }
  server.get('/docs/reference/:name', options, async (request: NamedRequest, reply) => {
    const { name } = request.params
    const operation = operationOf(described(), name)
    return send(reply, `reference ${name}`, () => operationPage(operation, described(), baseUrl))
  })
  server.get('/docs/guides/:name', options, async (request: NamedRequest, reply) => {
    const { name } = request.params
    const guide = guides()
      .flatMap((group) => group.guides)
      .find((each) => each.name === name)
    if (guide === undefined) throw new HttpError('not_found', 'There is no guide of this name')
    const { authUrl } = accounts
    return send(reply, `guide ${name}`, () => guidePage(guide, { baseUrl, authUrl }))
  })
}

function operationOf({ operations }: DescribedInterface, name: string) {
  const operation = operations.get(name)
  if (operation !== undefined) return operation
  throw new HttpError('not_found', 'There is no operation of this name')
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
