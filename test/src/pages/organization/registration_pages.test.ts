import test, { type ExecutionContext } from 'ava'

import { openPress, signUpMember } from '#test/src/pages/_members.ts'

const base = '/auth/organizations/press/works'
const work = {
  work_title: 'On the Equilibrium',
  work_type: 'article',
  work_url: 'https://press.example/equilibrium.pdf',
  author_1_family: 'Gibbs',
  author_1_given: 'Josiah Willard',
}

async function openDesk(t: ExecutionContext) {
  const registry = await openPress(t)
  const { browser } = await signUpMember(t, registry, 'editor')
  const send = async (fields: Record<string, string>) =>
    (await browser.submit(`${base}/new`, fields)).body
  return { registry, browser, send }
}

test('what was folded is told in words of the form, and registered as it was told', async (t) => {
  const { registry, browser, send } = await openDesk(t)
  const typed = {
    ...work,
    work_title: 'On the Equi\u00adlibrium',
    language: 'English',
    license: 'CC-BY',
    published_date: '12 March 2021',
    author_1_orcid: 'orcid.org/0000-0002-1825-0097',
  }
  const seen = await send(typed)
  t.regex(seen, /Check before registering/)
  t.regex(seen, /Title: we removed invisible characters \(1 soft hyphen\)\./)
  t.regex(seen, /Language: we read “English” as en\./)
  t.regex(seen, /License: we read “CC-BY” as CC-BY-4\.0\./)
  t.regex(seen, /Published: we read “12 March 2021” as 2021-03-12\./)
  t.regex(seen, /Author 1 › ORCID iD: we read “orcid\.org\/0000-0002-1825-0097” as/)
  t.regex(seen, /Gibbs, J\. W\. \(2021\)\. On the Equilibrium\./)
  const hidden = [...seen.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)]
  const registered = await browser.post(
    `${base}/register`,
    Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value])),
  )
  const ark = /ark:\/(\w+\/\w+)/.exec(registered.body)?.[1] ?? ''
  const found = await registry.environments.live.catalogue.work(ark)
  const stored = JSON.parse(
    found.type === 'not_found' ? '{}' : Buffer.from(found.body).toString(),
  ) as Record<string, unknown>
  t.like(stored, {
    work_title: 'On the Equilibrium',
    authors: 'Josiah Willard Gibbs',
    language: 'en',
    license: 'CC-BY-4.0',
    published_date: '2021-03-12',
  })
})

test('faults are in words of the form, at the field that they are of', async (t) => {
  const { send } = await openDesk(t)
  const seen = await send({
    work_title: '',
    work_type: '',
    work_url: '',
    author_1_family: '',
    author_1_given: 'Ada',
    author_2_family: 'Gibbs',
    author_2_orcid: '0000-0002-1825-0098',
    language: 'Klingonish',
    published_date: '5/3/2019',
  })
  t.regex(seen, /This field is required: Title\./)
  t.regex(seen, /Choose the type of the work\./)
  t.regex(seen, /Enter the address of the work, or its DOI\./)
  t.regex(seen, /Enter the family name of author 1, or remove the row\./)
  t.regex(seen, /href="#field-author-2-orcid">“0000-0002-1825-0098” is not an ORCID iD/)
  t.regex(seen, /We do not know the language “Klingonish”/)
  t.regex(seen, /“5\/3\/2019” can be 2019-03-05 or 2019-05-03\. Write the one that you mean\./)
  for (const path of ['work_title', 'work_url', 'author_details', 'published_date']) {
    t.notRegex(seen.replaceAll(/<[^>]+>/g, ' '), new RegExp(path), path)
  }
  t.regex(await send({ ...work, author_1_family: '', author_1_given: '' }), /at least one author/)
})

test('a name that nobody can part is told, with how it will be cited', async (t) => {
  const { send } = await openDesk(t)
  const whole = { author_1_family: 'Maria Garcia Lopez', author_1_given: '' }
  t.regex(
    await send({ ...work, ...whole }),
    /We cite “<bdi>Maria Garcia Lopez<\/bdi>” as it stands/,
  )
  t.notRegex(await send(work), /as it stands, because/)
  t.notRegex(await send({ ...work, ...whole, author_1_family: 'A Collaboration' }), /as it stands/)
})

test('rows of authors are added and removed without scripts', async (t) => {
  const { send } = await openDesk(t)
  const more = await send({ ...work, add_author: 'on' })
  t.regex(more, /value="Gibbs"/)
  t.regex(more, /name="author_2_family" autofocus/)
  const less = await send({ ...work, author_2_family: 'Lovelace', remove_author: '1' })
  t.regex(less, /name="author_1_family"[^>]*value="Lovelace"/)
  t.notRegex(less, /author_2_family/)
})

const crossref = JSON.stringify({
  status: 'ok',
  message: {
    DOI: '10.1234/equilibrium',
    title: ['On the Equilibrium'],
    type: 'journal-article',
    author: [{ given: 'Josiah Willard', family: 'Gibbs' }],
    issued: { 'date-parts': [[1876, 10]] },
  },
})

test('the form is filled in from pasted metadata, and what cannot be read is said', async (t) => {
  const { browser } = await openDesk(t)
  const { body: empty } = await browser.get(`${base}/new`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(empty)?.[1] ?? ''
  const fill = async (metadata: string) =>
    (await browser.post(`${base}/fill`, { csrf, file: '', metadata })).body
  const filled = await fill(crossref)
  t.regex(filled, /We filled in the form/)
  t.regex(filled, /name="work_title"[^>]*value="On the Equilibrium"/)
  t.regex(filled, /name="author_1_given"[^>]*value="Josiah Willard"/)
  t.regex(filled, /value="10\.1234\/equilibrium"/)
  t.regex(await fill('not metadata'), /There is no entry of BibTeX/)
  t.regex(await fill(''), /Choose a file, or paste its text/)
})

function plain(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
}

/** Sends the form of a page that goes to an address, as it stands; gives the page that follows. */
async function sendOn(browser: Desk['browser'], action: string, page: string): Promise<string> {
  const forms = page.split('<form').filter((part) => part.includes(`action="${action}"`))
  const [text = ''] = forms.map((part) => part.split('</form>')[0] ?? '')
  const inputs = [...text.matchAll(/<input\b[^>]*>/g)].map(([tag]) => {
    return [/name="([^"]*)"/.exec(tag)?.[1] ?? '', /value="([^"]*)"/.exec(tag)?.[1] ?? '']
  })
  const areas = [...text.matchAll(/<textarea\b[^>]*name="([^"]*)"[^>]*>([^<]*)</g)]
  const selects = [...text.matchAll(/<select\b[^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs)]
  const chosen = selects.map(([, name, options = '']) => {
    return [name, /value="([^"]*)" selected/.exec(options)?.[1] ?? '']
  })
  const fields = [...inputs, ...areas.map(([, name, value]) => [name, value]), ...chosen]
  const sent = fields.map(([name = '', value = '']) => [name, plain(value)] as const)
  const { body } = await browser.post(action, Object.fromEntries(sent.filter(([name]) => name)))
  return body
}

type Desk = Awaited<ReturnType<typeof openDesk>>

test('what a form cannot show of a new work goes along with it', async (t) => {
  const { registry, browser } = await openDesk(t)
  const { body: empty } = await browser.get(`${base}/new`)
  const csrf = /name="csrf" value="([^"]+)"/.exec(empty)?.[1] ?? ''
  const reference = Array.from({ length: 101 }, (_, index) => ({ unstructured: `Book ${index}` }))
  const { message } = JSON.parse(crossref) as { readonly message: object }
  const author = [
    { given: 'Josiah Willard', family: 'Gibbs', suffix: 'Jr.' },
    { name: 'Yale Group', affiliation: [{ name: 'Yale' }, { name: 'Connecticut Academy' }] },
  ]
  const URL = 'https://press.example/equilibrium.pdf'
  const record = { ...message, author, reference, resource: { primary: { URL } } }
  const metadata = JSON.stringify(record)
  const { body: filled } = await browser.post(`${base}/fill`, { csrf, file: '', metadata })
  t.regex(filled, /References: too many to show in a form\. They stay as they are\./)
  const shown = await sendOn(browser, `${base}/new`, filled)
  t.regex(shown, /Check before registering/)
  t.regex(shown, /<li dir="auto">Text: Book 100<\/li>/)
  const registered = await sendOn(browser, `${base}/register`, shown)
  const ark = /ark:\/(\w+\/\w+)/.exec(registered)?.[1] ?? ''
  const found = await registry.environments.live.catalogue.work(ark)
  t.is(found.type, 'found', registered)
  const stored = JSON.parse(
    found.type === 'not_found' ? '{}' : Buffer.from(found.body).toString(),
  ) as { references: unknown[]; author_details: Record<string, unknown>[] }
  t.is(stored.references.length, 101)
  t.is(stored.author_details[0]?.['suffix'], 'Jr.')
  t.like(stored.author_details[1], {
    affiliations: [{ name: 'Yale' }, { name: 'Connecticut Academy' }],
  })
})
