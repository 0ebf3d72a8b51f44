import { noticesPath } from '#src/pages/kit/page_address.ts'
import { html, type Html, nothing } from '#src/pages/kit/html.ts'

/** Who is signed in, and where they work beside their account. */
export type SignedInReader = {
  readonly name: string
  /** The organizations that they are a member of. */
  readonly organizations: readonly { readonly slug: string; readonly name: string }[]
  readonly isAdmin: boolean
  /** How many notices wait for them, such as `3`; empty if none do. */
  readonly unread: string
}

/** What a link to the notices says: that some are new, as far as there are. */
function noticesName(unread: string): string {
  return unread === '' ? 'Notices' : `Notices (${unread} new)`
}

/** Organizations that the menu names; there is a page of all of them. */
const organizationsMax = 10

/**
 * The menu of who is signed in: from any page to the account, to each organization, and to the
 * administration. `prefix` stands before the paths of the pages of accounts; `signOut` is the last
 * entry.
 */
export function whoMenu(
  { name, organizations, isAdmin, unread }: SignedInReader,
  prefix: string,
  signOut: Html,
): Html {
  const link = (path: string, text: string) =>
    html`<li><a href="${prefix}${path}"><bdi>${text}</bdi></a></li>`
  const named = organizations.slice(0, organizationsMax)
  const word = html`<span class="new-word"> new</span>`
  const count = html` <span class="badge badge-waiting">${unread}${word}</span>`
  return html`<details class="who-menu"><summary><bdi>${name}</bdi>${
    unread === '' ? nothing : count
  }</summary><ul>
${link('/account', 'Profile')}
${link('/account/works', 'Works')}
${link(noticesPath, noticesName(unread))}
${named.map(({ slug, name: text }) => link(`/organizations/${slug}`, text))}
${organizations.length > named.length ? link('/organizations', 'All organizations') : nothing}
${isAdmin ? link('/admin', 'Administration') : nothing}
<li>${signOut}</li>
</ul></details>`
}
