import type { FastifyInstance } from 'fastify'

import type { People } from '#actors/people.ts'
import type { AccountService } from '#src/account_service.ts'
import type { CountRequest } from '#src/http/limits.ts'
import { registerPages } from '#src/web/pages.ts'
import { addResetPages } from '#src/web/reset_pages.ts'
import { addSignInPages } from '#src/web/sign_in_pages.ts'
import { addSignUpPages } from '#src/web/sign_up_pages.ts'
import { Visitors } from '#src/web/visitors.ts'

/** What the pages are about. */
export type Site = {
  readonly service: AccountService
  readonly people: People
  readonly baseUrl: string
  readonly count: CountRequest
  /** That many bytes of a cryptographic source. */
  readonly random: (bytes: number) => Uint8Array
}

/** Registers all pages. */
export async function registerSite(server: FastifyInstance, site: Site): Promise<void> {
  const { service, people, baseUrl, count, random } = site
  const { accounts, sessions, authUrl, csrfKey, signUp } = service
  const visitors = new Visitors({ accounts, sessions, authUrl, csrfKey, random })
  const nameOf = (ppid: string) => {
    const person = people.read(ppid)
    return person?.type === 'person' ? person.profile.name : ppid
  }
  const maySignUp = signUp === 'open'
  const options = { visitors, authUrl, baseUrl, maySignUp, csrfKey, count, nameOf }
  await registerPages(server, options, (pages) => {
    const entrance = { ...service, upstreams: [] }
    addSignInPages(pages, entrance)
    addSignUpPages(pages, entrance)
    addResetPages(pages, entrance)
  })
}
