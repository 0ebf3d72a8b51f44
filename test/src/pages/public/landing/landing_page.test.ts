import test from 'ava'

import type { PublicClaim } from '#actors/people/claims/match.ts'
import { nothing } from '#src/pages/kit/html.ts'
import { landingPage } from '#src/pages/public/landing/landing_page.ts'
import {
  ark,
  context,
  pending,
  recordOf,
  textOf,
  tombstone,
  withdrawnWork,
  workWith,
} from '#test/src/pages/public/landing/_records.ts'
import { english } from '#src/words/language.ts'
import { textIn } from '#src/words/wording.ts'

const orcid = '0000-0002-1825-0097'

test('a page has its title, authors, ARK and a way to the content', (t) => {
  const { title, body, status } = landingPage(recordOf(workWith()), context)
  t.is(title, 'On the order of things')
  t.is(status, undefined)
  const text = textOf(body)
  t.true(text.includes('Review article · Version 1 On the order of things Ox, Ada Pen, Bo Cite as'))
  t.true(body.html(english).includes(`<code id="ark">https://registry.example/${ark}</code>`))
  t.true(text.includes('Open the content at press.example , outside this registry'))
  t.true(text.includes('This work has no abstract.'))
  t.true(text.includes('Registered on 1 Jan 2026, 00:00 UTC by A Press'))
})

test('beside the way to the content stand its type and size, as found or as declared', (t) => {
  const shown = (work: Parameters<typeof workWith>[0]) =>
    textOf(landingPage(recordOf(workWith(work)), context).body)
  const read = { ...pending, media_type: 'application/pdf', size: 1_234_567 }
  t.regex(shown({ content: read }), /Open the content PDF, 1\.23 MB at press\.example/)
  const odd = { ...pending, media_type: 'chemical/x-pdb' }
  t.regex(shown({ content: odd }), /Open the content chemical\/x-pdb at press\.example/)
  const file = { url: 'https://press.example/things', media_type: 'text/csv', size: 400 }
  const metadata = { ...workWith().metadata, files: [file] }
  t.regex(shown({ metadata }), /Open the content CSV, 400 bytes? at press\.example/)
  const page = { ...read, reason: 'landing_page' }
  t.regex(shown({ content: page }), /Open the publisher’s page at press\.example/)
})

test('whatever a registrant writes is text', (t) => {
  const evil = '"><script>alert(1)</script>'
  const work = workWith({
    metadata: {
      work_title: evil,
      work_type: 'article',
      authors: evil,
      description: evil,
      keywords: evil,
      license: 'https://press.example/"onclick="',
      existing_doi: `10.5555/${evil}`,
      publisher_name: evil,
      container_title: evil,
      volume: evil,
      issue: evil,
      pages: evil,
      funding: [{ funder: evil, award: evil }],
      related_identifiers: [
        { relation: 'Cites', scheme: 'URN', identifier: 'javascript:alert(1)' },
        { relation: 'Cites', scheme: 'PURL', identifier: evil },
      ],
    },
    authors: [{ name: evil, affiliation: evil, claims: [] }],
    content: { ...pending, url: 'javascript:alert(1)', media_type: evil, message: evil },
  })
  const version = {
    version: 1,
    kind: 'versioned',
    created_at: work.created_at,
    changed_fields: [evil],
    version_note: evil,
    source: { type: 'organization', id: 'press', name: evil, via: 'ui' },
  } as const
  const { body, head = nothing } = landingPage(recordOf(work, { versions: [version] }), context)
  t.false(body.html(english).includes('<script'))
  t.false(head.html(english).includes('<script'))
  t.false(/(?:href|action)="javascript:/i.test(body.html(english)))
  t.false(/"onclick="/.test(body.html(english) + head.html(english)))
})

const both = {
  status: 'verified',
  basis: 'registrant',
  confirmed_by: ['registrant', 'person'],
} as const

test('a verified author whose place nothing says is named below the authors', (t) => {
  const claim = { ppid: 'p0h4kq2m7xz3', ...both } as const
  const unplaced_claims = [
    { ...claim, name: 'Cy Quill' },
    { ...claim, ppid: 'p0' },
  ]
  const { body } = landingPage(recordOf(workWith({ unplaced_claims })), context)
  t.true(body.html(english).includes('<a href="/people/p0h4kq2m7xz3"><bdi>Cy Quill</bdi></a>'))
  const text = textOf(body)
  const words = 'confirmed by the publisher and the person'
  t.true(text.includes(`Cy Quill : ${words}, but we do not know which of the authors`), text)
  t.true(text.includes(`Somebody with a profile here : ${words}`), text)
})

test('an author who is known leads to the person; an iD says whether it is confirmed', (t) => {
  const claim = { ppid: 'p0h4kq2m7xz3', orcid, ...both } as const
  const authors = [
    { name: 'Ox, Ada', affiliation: 'A Press', claims: [claim] },
    { name: 'Pen, Bo', orcid, claims: [] },
  ]
  const { body } = landingPage(recordOf(workWith({ authors })), context)
  t.true(body.html(english).includes('<a href="/people/p0h4kq2m7xz3"><bdi>Ox, Ada</bdi></a>'))
  const text = textOf(body)
  const words = 'confirmed by the publisher and the person'
  t.true(text.includes(`Ox, Ada ORCID iD ${orcid} ${words} A Press`))
  t.true(text.includes(`Pen, Bo ORCID iD ${orcid}, not confirmed by its owner`))
})

test('an author has all affiliations, and a relation that is none of ours its own words', (t) => {
  const affiliations = [
    { name: 'A Press', identifier: 'https://ror.org/05gq02987', scheme: 'ROR' },
    { name: 'B School', department: 'Tides' },
  ]
  const authors = [{ name: 'Ox, Ada', affiliation: 'A Press', affiliations, claims: [] }]
  const doi = { scheme: 'DOI', relation: 'Other' } as const
  const related_identifiers = [
    { ...doi, identifier: '10.1234/a', note: 'isCommentOn' },
    { ...doi, identifier: '10.1234/b', note: 'is calibrated with' },
  ]
  const work = workWith({ authors })
  const metadata = { ...work.metadata, related_identifiers }
  const { body } = landingPage(recordOf({ ...work, metadata }), context)
  const text = textOf(body)
  t.true(text.includes('Ox, Ada A Press Tides, B School'), text)
  t.true(
    body
      .html(english)
      .includes('<a href="https://ror.org/05gq02987" rel="noreferrer"><bdi>A Press</bdi>'),
  )
  t.true(text.includes('Is comment on DOI 10.1234/a'))
  t.true(text.includes('is calibrated with DOI 10.1234/b'))
})

test('a badge says what was checked of an author, and no more', (t) => {
  const markOf = (claim: Pick<PublicClaim, 'basis' | 'confirmed_by'>) => {
    const authors = [
      { name: 'Ox', claims: [{ ppid: 'p0', status: 'verified', ...claim } as const] },
    ]
    const { body } = landingPage(recordOf(workWith({ authors })), context)
    return /<span class="known[^"]*">([^<]*)</.exec(body.html(english))?.[1]
  }
  t.is(markOf({ basis: 'orcid', confirmed_by: ['orcid', 'person'] }), 'signed in with ORCID')
  t.is(markOf({ basis: 'admin', confirmed_by: ['admin'] }), 'confirmed by an administrator')
  t.is(markOf({ basis: 'registrant', confirmed_by: ['person'] }), 'registered by this person')
  t.is(
    markOf({ basis: 'registrant', confirmed_by: ['registrant'] }),
    'named by the publisher, with the person’s permission',
  )
})

test('whoever is an author is led to where they say so', (t) => {
  const claimUrl = 'https://registry.example/auth/account/works/claim?ark=ark%3A%2F12345%2Fk2'
  const reportUrl = '/report?ark=ark%3A%2F12345%2Fk2'
  const { body } = landingPage(recordOf(workWith()), { ...context, claimUrl, reportUrl })
  t.true(body.html(english).includes('rel="nofollow">I am an author of this work</a>'))
  t.true(body.html(english).includes('rel="nofollow">Report a problem</a>'))
  t.false(
    landingPage(recordOf(workWith()), context)
      .body.html(english)
      .includes('I am an author of this work'),
  )
})

test('a thousand authors are folded behind twenty', (t) => {
  const authors = Array.from({ length: 1_000 }, (_, index) => ({ name: `A ${index}`, claims: [] }))
  const { body } = landingPage(recordOf(workWith({ authors })), context)
  const fold = body
    .html(english)
    .indexOf('<details class="fold"><summary>980 more authors</summary>')
  t.true(
    body.html(english).indexOf('<bdi>A 19</bdi>') < fold &&
      fold < body.html(english).indexOf('<bdi>A 20</bdi>'),
  )
})

test('of more authors than a page can name, the others are counted', (t) => {
  const authors = Array.from({ length: 3_000 }, (_, index) => ({ name: `A ${index}`, claims: [] }))
  const { body, head = nothing } = landingPage(recordOf(workWith({ authors })), context)
  t.true(body.html(english).includes('<bdi>A 999</bdi>'))
  t.false(body.html(english).includes('<bdi>A 1000</bdi>'))
  t.true(textOf(body).includes('The JSON record names 2,000 more authors.'))
  t.is(head.html(english).split('citation_author"').length - 1, 1_000)
})

test('an older version says that there is a newer one, and where', (t) => {
  const work = workWith({ version: 2, latest_version: 5, is_latest: false })
  const url = `${context.url}/v2`
  const { body } = landingPage(recordOf(work, { versionsTotal: 5 }), { ...context, url })
  const text = textOf(body)
  t.true(text.startsWith('A newer version exists. This is version 2. See version 5, the latest .'))
  t.true(body.html(english).includes(`<code id="ark">https://registry.example/${ark}/v2</code>`))
})

test('a work of the sandbox is not for citation', (t) => {
  const { body, head } = landingPage(recordOf(workWith(), { environment: 'sandbox' }), context)
  t.true(textOf(body).startsWith('Sandbox: do not cite.'))
  t.true(head?.html(english).includes('<meta name="robots" content="noindex">'))
  t.true(
    body
      .html(english)
      .includes('arklog verify receipt.json --keys keys.json --sandbox --metadata work.json'),
  )
  t.true(body.html(english).includes('href="/sandbox/log/checkpoint"'))
})

test('a withdrawn work is shown as it was, with why and when it was withdrawn', (t) => {
  const { title, body, status, head } = landingPage(recordOf(withdrawnWork()), context)
  t.is(textIn(english, title), 'Withdrawn: On the order of things')
  t.is(status, undefined)
  t.false(head?.html(english).includes('noindex'))
  t.true(
    head
      ?.html(english)
      .includes('<meta name="citation_title" content="WITHDRAWN: On the order of things">'),
  )
  const text = textOf(body)
  t.true(
    text.includes(
      'This work was withdrawn on 1 Feb 2026, 00:00 UTC by A Press , because it is also ' +
        'registered elsewhere. It was here before. Use this work instead: ark:/12345/k2zzz .',
    ),
  )
  t.true(text.includes('Its receipts remain valid'))
  t.true(text.includes('We do not check the content of withdrawn works.'))
  t.false(text.includes('Open the content'))
  t.true(body.html(english).includes(`data-metadata="/api/v1/resolve/${ark}/v1"`))
})

test('an older version of a withdrawn work is shown as that', (t) => {
  const work = withdrawnWork({ latest_version: 2, is_latest: false })
  const text = textOf(landingPage(recordOf(work), context).body)
  t.true(text.includes('A newer version exists.'))
  t.true(text.includes('This work was withdrawn on 1 Feb 2026'))
})

test('of erased metadata a tombstone shows that it was erased', (t) => {
  const { title, body, status, head } = landingPage(recordOf(tombstone), context)
  t.is(textIn(english, title), 'Withdrawn: Metadata erased')
  t.is(status, 410)
  t.true(head?.html(english).includes('noindex'))
  const text = textOf(body)
  t.true(text.includes('for legal reasons'))
  t.true(text.includes('We erased its metadata on 2 Feb 2026, 00:00 UTC'))
  t.true(body.html(english).includes('data-metadata=""'))
})

test('a title and an abstract show their marks and formulas, whose source is a click away', (t) => {
  const metadata = {
    work_title: 'CO2 and ℓₚ < 1',
    work_title_markup: 'CO<sub>2</sub> and <tex-math>\\ell_p</tex-math> &lt; 1',
    work_type: 'article',
    authors: 'Ada Ox',
    work_url: 'https://press.example/x',
    description: 'Costs $5 and $6 at $x_1$; $\\unknown$ stays.',
    titles: [{ title: 'Das E. coli', markup: 'Das <i>E. coli</i>', kind: 'translated' }],
  } as const
  const { title, body } = landingPage(recordOf(workWith({ metadata })), context)
  t.is(title, 'CO2 and ℓₚ < 1')
  t.regex(
    body.html(english),
    />CO<sub>2<\/sub> and <math><msub><mi>ℓ<\/mi><mi>p<\/mi><\/msub><\/math> &(?:lt|#60); 1<\/h1>/,
  )
  t.regex(
    body.html(english),
    /Costs \$5 and \$6 at <math><msub>.*?<\/math>; <code>\$\\unknown\$<\/code> stays\./,
  )
  t.regex(
    body.html(english),
    /<summary>Source of the formulas<\/summary>\s*<ul><li><code>\$\\ell_p\$<\/code>/,
  )
  t.true(body.html(english).includes('Das <i>E. coli</i>'))
  const { work_title_markup: _, ...rest } = metadata
  const plain = { ...rest, work_title: 'p < 0.05, Vec<T>, a <b> c' }
  const shown = landingPage(recordOf(workWith({ metadata: plain })), context).body
  t.regex(
    shown.html(english),
    />p &(?:lt|#60); 0\.05, Vec&(?:lt|#60);T&(?:gt|#62);, a &(?:lt|#60);b&(?:gt|#62); c<\/h1>/,
  )
})
