import { visibilityOfAll } from '#actors/people/checks.ts'
import type { People } from '#actors/people/port.ts'
import type { Agent } from '#actors/values/agent.ts'
import { foldOrcid } from '#actors/values/identifier.ts'
import type { SignUp } from '#config/schema.ts'
import { cookieValues } from '#src/edge/credentials.ts'
import { HttpError } from '#src/edge/errors.ts'
import { type KnownSuspensions, refuseSuspended } from '#src/edge/suspended.ts'
import type { Account } from '#src/identity/accounts/account.ts'
import type { Accounts } from '#src/identity/accounts/accounts.ts'
import type {
  UpstreamFlow,
  UpstreamLogin,
  UpstreamPerson,
} from '#src/identity/oauth/upstream_login.ts'
import { openText, sealText } from '#src/identity/store/sealed_rows.ts'
import type { AccountPage } from '#src/pages/kit/account_frame.ts'
import { html } from '#src/pages/kit/html.ts'
import { welcomePath } from '#src/pages/kit/page_address.ts'
import type { MemberVisit, PageReply, Pages, Visit } from '#src/pages/kit/pages.ts'
import { asLink, buttonLink } from '#src/pages/kit/parts.ts'
import { readerLanguage } from '#src/edge/reader_language.ts'
import { credentials as words } from '#src/words/english.ts'
import type { Text, TextWording } from '#src/words/wording.ts'

/** What people sign in with who have an account elsewhere. */
export type Upstreams = {
  readonly logins: readonly UpstreamLogin[]
  readonly accounts: Accounts
  readonly suspensions: KnownSuspensions
  readonly people: Pick<People, 'read' | 'linkOrcid'>
  readonly signUp: SignUp
  /** 32 secret bytes, under which the browser keeps what belongs to its sign-in. */
  readonly cookieKey: Uint8Array
  readonly nowMs: () => number
  readonly isSecure: boolean
  /** Is told why a sign-in elsewhere failed. */
  readonly report: (fault: unknown) => void
}

type PendingSignIn = UpstreamFlow & {
  /** Where to go on, with the prefix. */
  readonly returnTo: string
  /** The person whose account is to be linked; undefined for a sign-in. */
  readonly linkTo?: string
  readonly expiresMs: number
}

const cookieName = 'svc_login'
const pendingSeconds = 600
const accountPage = '/account/security'

/** The path below the prefix at which a sign-in with an issuer begins. */
export function upstreamPath(id: string): string {
  return `/login/${id}`
}

/** The path below the prefix to which an issuer sends browsers back. */
export function callbackPath(id: string): string {
  return `${upstreamPath(id)}/callback`
}

/** Adds the pages by which people come in from elsewhere, and link such an account to theirs. */
export function addUpstreamPages(pages: Pages, upstreams: Upstreams): void {
  for (const login of upstreams.logins) {
    const { id } = login.issuer
    pages.open.get(upstreamPath(id), (visit) =>
      begin(pages, upstreams, login, visit, visit.query.get('return_to')),
    )
    pages.fresh.post(`${upstreamPath(id)}/link`, (visit) =>
      beginLink(pages, upstreams, login, visit),
    )
    pages.open.get(callbackPath(id), (visit) => comeBack(pages, upstreams, login, visit), {
      limit: 'sign_in',
    })
  }
}

function beginLink(pages: Pages, upstreams: Upstreams, login: UpstreamLogin, visit: MemberVisit) {
  return begin(pages, upstreams, login, visit, pages.prefix + accountPage, visit.account.ppid)
}

async function begin(
  pages: Pages,
  upstreams: Upstreams,
  login: UpstreamLogin,
  visit: Visit,
  returnTo: string | null,
  linkTo?: string,
): Promise<PageReply> {
  try {
    const { url, flow } = await login.begin()
    const pending: PendingSignIn = {
      ...flow,
      returnTo: returnTo ?? '',
      ...(linkTo !== undefined && { linkTo }),
      expiresMs: upstreams.nowMs() + pendingSeconds * 1_000,
    }
    const place = pages.prefix + upstreamPath(login.issuer.id)
    const text = sealText(upstreams.cookieKey, place, JSON.stringify(pending))
    setCookie(upstreams, visit, place, encodeURIComponent(text), pendingSeconds)
    // A form may lead elsewhere only by a page.
    return visit.request.method === 'POST' ? goOnPage(login, url) : { redirect: url }
  } catch (error) {
    upstreams.report(error)
    const message = `${login.issuer.name} cannot be reached at this moment: try again later`
    throw new HttpError('unavailable', message, { extra: { retry_after: 60 } })
  }
}

function goOnPage({ issuer }: UpstreamLogin, url: string): AccountPage {
  return {
    title: words.goingTo({ name: issuer.name }),
    refresh: { seconds: 0, url },
    content: html`<p>${words.goOn({ link: asLink(url) })}</p>`,
  }
}

async function comeBack(
  pages: Pages,
  upstreams: Upstreams,
  login: UpstreamLogin,
  visit: Visit,
): Promise<PageReply> {
  const place = pages.prefix + upstreamPath(login.issuer.id)
  const pending = readPending(upstreams, visit, place)
  if (pending === undefined) return failedPage(pages, login, words.elsewhereExpired)
  let person: UpstreamPerson
  try {
    person = await login.finish(visit.query.toString(), pending)
  } catch (error) {
    upstreams.report(error)
    return failedPage(pages, login, words.elsewhereRefused({ name: login.issuer.name }))
  }
  const found = await accountOf(upstreams, visit, pending, person)
  if (!('account' in found)) return failedPage(pages, login, found)
  const { account, isNew } = found
  const asked = pages.returnTo(pending.returnTo)
  // Whoever has just come is asked first who sees them; until then, nobody does.
  const to = isNew ? welcomePath + pages.returnQuery(pages.prefix + asked) : asked
  const reply =
    pending.linkTo === undefined
      ? await pages.signIn(visit, account, {
          method: 'elsewhere',
          issuer: login.issuer.name,
          to,
        })
      : { redirect: to }
  setCookie(upstreams, visit, place, '', 0)
  await linkOrcid(upstreams, account, person)
  return reply
}

/** An account, and whether it was made just now. */
type Found = { readonly account: Account; readonly isNew: boolean }

/** The account that is signed in or linked; a text says why there is none. */
async function accountOf(
  { accounts, signUp, suspensions }: Upstreams,
  visit: Visit,
  { linkTo }: PendingSignIn,
  person: UpstreamPerson,
): Promise<Found | TextWording> {
  if (linkTo !== undefined) {
    if (visit.account?.ppid !== linkTo) return words.elsewhereOut
    refuseSuspended(suspensions, [{ type: 'account', id: linkTo }])
    const linked = await accounts.link(linkTo, person.link)
    if (linked === undefined) return words.elsewhereTaken
    return { account: linked, isNew: false }
  }
  const known = await accounts.signInByLink(person.link)
  if (known.type === 'signed_in') return { account: known.account, isNew: false }
  if (signUp !== 'open') return words.elsewhereNone
  const made = await makeAccount(accounts, person, readerLanguage(visit.request).tag)
  return made === undefined ? words.elsewhereFailed : { account: made, isNew: true }
}

/** A new account for a first sign-in: never an old one with the same address. */
async function makeAccount(
  accounts: Accounts,
  { name, email, link }: UpstreamPerson,
  language: string,
): Promise<Account | undefined> {
  const isVerified = email !== null
  const visibility = visibilityOfAll('private')
  const account = { name, email, email_verified: isVerified, password: null, link, visibility }
  const answer = await accounts.signUp({ ...account, language })
  if (answer.type === 'signed_up') return answer.account
  if (email === null) return undefined
  // The address is another account's. The person can link that one after signing in to it.
  return makeAccount(accounts, { name, email: null, link, orcid: undefined }, language)
}

/** Links the ORCID iD that a person has proved to own, unless it is linked to another person. */
async function linkOrcid(
  { people }: Upstreams,
  { ppid }: Account,
  { orcid: told }: UpstreamPerson,
): Promise<void> {
  const orcid = told === undefined ? undefined : foldOrcid(told)
  const person = people.read(ppid)
  if (orcid === undefined || person?.type !== 'person') return
  const { profile } = person
  if (profile.orcid === orcid && profile.orcid_authenticated === true) return
  const by: Agent = { type: 'person', id: ppid, name: ppid, via: 'ui' }
  await people.linkOrcid({ ppid, by, orcid, authenticated: true })
}

function readPending({ cookieKey, nowMs }: Upstreams, visit: Visit, place: string) {
  const [sealed] = cookieValues(visit.request.headers, cookieName)
  const text = sealed === undefined ? undefined : openText(cookieKey, place, decoded(sealed))
  const pending = text === undefined ? undefined : (JSON.parse(text) as PendingSignIn)
  return pending !== undefined && nowMs() < pending.expiresMs ? pending : undefined
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

function setCookie(
  { isSecure }: Upstreams,
  { reply }: Visit,
  path: string,
  value: string,
  seconds: number,
): void {
  const attributes = `Path=${path}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
  reply.header('set-cookie', `${cookieName}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`)
}

function failedPage({ prefix }: Pages, { issuer }: UpstreamLogin, why: Text): AccountPage {
  const again = buttonLink(prefix + upstreamPath(issuer.id), words.tryAgain({ name: issuer.name }))
  return {
    title: words.notSignedIn,
    status: 400,
    lead: why,
    content: html`<div class="buttons">${again}
<a href="${prefix}/sign-in">${words.otherwise}</a></div>`,
  }
}
