import { html, type Html, nothing } from '#src/web/kit/html.ts'
import type { Item, Person } from '#actors/people/port.ts'
import { everybody, sees, seesItem } from '#src/api/person_reply.ts'
import { publicStyle } from '#src/web/kit/assets.ts'
import { itemTitle } from '#src/web/kit/words.ts'
import type { Page } from '#src/web/kit/page.ts'
import { badge, card, facts } from '#src/web/kit/parts.ts'
import { workList } from '#src/web/public/result_list.ts'
import type { ListedWork } from '#src/api/listed_works.ts'

/** What readers see of a person: what is public, and works that count as theirs. */
export type PublicProfile = {
  readonly person: Person
  readonly works: readonly ListedWork[]
  /** Whether they are a person of the sandbox. */
  readonly isTest: boolean
  /** The public address of the registry, without a slash at its end. */
  readonly baseUrl: string
}

/** The page of a person for readers. */
export function publicProfilePage({ person, works, isTest, baseUrl }: PublicProfile): Page {
  const { ppid, profile, items } = person
  const isShown = (field: keyof typeof profile.visibility) =>
    sees(everybody, profile.visibility[field], 'read people')
  const name = isShown('name') ? profile.name : ppid
  const shown = items.filter((item) => seesItem(everybody, item))
  return {
    title: name,
    wide: true,
    styles: [publicStyle],
    body: html`<h1>${name}</h1>
${isTest ? testNotice : ''}
${isShown('bio') && profile.bio !== undefined ? html`<p class="lead">${profile.bio}</p>` : ''}
${facts([
  ['Identifier', html`<code>${ppid}</code>`],
  ['Username', isShown('username') ? profile.username : undefined],
  [
    'ORCID iD',
    isShown('orcid') && profile.orcid !== undefined
      ? orcidLink(profile.orcid, profile.orcid_authenticated === true)
      : undefined,
  ],
  [
    'Links',
    isShown('urls') && profile.urls !== undefined
      ? html`<ul>${profile.urls.map(link)}</ul>`
      : undefined,
  ],
])}
${worksPart(works)}
${itemsPart('Affiliations', shown, 'affiliation')}
${itemsPart('Education', shown, 'education')}
<p class="aside">For programs: <a href="${baseUrl}/api/v1/people/${ppid}">this profile as
JSON</a>.</p>`,
  }
}

const testNotice = html`<p class="aside"><strong>Sandbox:</strong> a test person, whom somebody made
to try this registry out.</p>`

function orcidLink(orcid: string, isAuthenticated: boolean): Html {
  const url = `https://orcid.org/${orcid}`
  const mark = isAuthenticated ? badge('signed in with it', 'good') : badge('not confirmed')
  return html`<a href="${url}" rel="noreferrer">${url}</a> ${mark}`
}

// Stored addresses are http or https.
function link({ name, url }: { readonly name?: string; readonly url: string }): Html {
  return html`<li><a href="${url}" rel="noreferrer nofollow">${name ?? url}</a></li>`
}

function worksPart(works: readonly ListedWork[]): Html {
  if (works.length === 0) return nothing
  return html`<section aria-labelledby="works"><h2 id="works">Works</h2>
${workList(works)}</section>`
}

function itemsPart(heading: string, items: readonly Item[], kind: Item['kind']): Html {
  const some = items.filter((item) => item.kind === kind)
  if (some.length === 0) return nothing
  const lines = some.map((item) => {
    const mark = item.status === 'contested' ? badge('contested by the person', 'bad') : ''
    const by = item.source.type === 'organization' ? item.source.name : 'the person'
    return html`<li>${itemTitle(item)} ${mark} <span class="hint">said by ${by}</span></li>`
  })
  return card(heading, html`<ul>${lines}</ul>`)
}
