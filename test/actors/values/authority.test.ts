import test from 'ava'

import type { Agent } from '#actors/values/agent.ts'
import {
  leastRole,
  may,
  type OwnedWork,
  powers,
  type RecordFacts,
} from '#actors/values/authority.ts'
import type { Member } from '#actors/people/organizations/events.ts'

const person = (id: string) => ({ type: 'person', id, name: id }) as const
const organization = { type: 'organization', id: 'press', name: 'A Press' } as const
const another = { type: 'organization', id: 'moon', name: 'Moon' } as const
const operator = { type: 'operator', id: 'operator', name: 'Operator' } as const

function desk(ppid: string): Agent {
  return { ...organization, via: 'oauth', client_id: 'desk', on_behalf_of: ppid }
}

function widget(ppid: string): Agent {
  return { ...person(ppid), via: 'oauth', client_id: 'widget' }
}

/** How a public application wrote before it wrote as the person alone. */
const formerWidget: Agent = { ...desk('ada'), client_id: 'widget' }

/** The callers, each a column of the table. */
const callers: Readonly<Record<string, Agent | undefined>> = {
  // Anonymous.
  a: undefined,
  // The operator's key, without and with a code of an administrator.
  o: { ...operator, via: 'api_key', key_id: 'o' },
  A: { ...operator, via: 'api_key', key_id: 'o', admin: true },
  // The registry itself.
  R: { ...operator, id: 'accounts', via: 'service' },
  // An organization: its key, and a member who writes as it on its pages.
  k: { ...organization, via: 'api_key', key_id: 'k' },
  m: { ...organization, via: 'ui', member: 'editor' },
  // Its owner, its editor and its viewer, on its pages.
  O: { ...person('owner'), via: 'ui' },
  E: { ...person('editor'), via: 'ui' },
  V: { ...person('viewer'), via: 'ui' },
  // Ada: on the pages, with a key of her own, with a researcher's key (mint, update).
  p: { ...person('ada'), via: 'ui' },
  f: { ...person('ada'), via: 'api_key', key_id: 'f' },
  u: { ...person('ada'), via: 'api_key', key_id: 'u', limited: true },
  // Tokens for Ada: of the organization's application, of its public one, and of somebody else's.
  c: desk('ada'),
  b: widget('ada'),
  x: { ...widget('ada'), client_id: 'elsewhere' },
  // The first two for Bob, and Bob on the pages.
  C: desk('bob'),
  B: widget('bob'),
  q: { ...person('bob'), via: 'ui' },
  // The key of another organization.
  K: { ...another, via: 'api_key', key_id: 'K' },
}

const deskFor = (ppid: string) => ({ client_id: 'desk', ppid })
const widgetFor = (ppid: string) => ({ client_id: 'widget', ppid })
const ofPress: OwnedWork = { owner: organization }
const since = '2030-01-01T00:00:00.000Z'
const members: readonly Member[] = [
  { ppid: 'owner', role: 'owner', since },
  { ppid: 'editor', role: 'editor', since },
  { ppid: 'viewer', role: 'viewer', since },
]

type Records = {
  readonly [Kind in keyof RecordFacts]: Readonly<Record<string, RecordFacts[Kind]>>
}

/** The records of the table: of which kind, and who wrote them for whom. */
const records: Records = {
  work: {
    'the organization, by key': ofPress,
    'its application, for Ada': { owner: organization, client: deskFor('ada') },
    'its application, for Bob': { owner: organization, client: deskFor('bob') },
    'its public application, for Ada': { owner: person('ada'), client: widgetFor('ada') },
    'its public application, for Ada, once as the organization': {
      owner: organization,
      client: widgetFor('ada'),
    },
    Ada: { owner: person('ada') },
    'another organization, by key': { owner: another },
    'the operator, by key': { owner: operator },
  },
  claim: {
    'not made yet, of Ada, on a work of the organization': { ppid: 'ada', work: ofPress },
    'Ada, on a work of the organization': { ppid: 'ada', work: ofPress, source: callers['p'] },
    'the organization, of Ada': { ppid: 'ada', work: ofPress, source: callers['k'] },
    'its application, for Ada': { ppid: 'ada', work: ofPress, source: desk('ada') },
    'its public application, for Ada': { ppid: 'ada', work: ofPress, source: widget('ada') },
    'its application, for Ada, on a work that it added': {
      ppid: 'ada',
      work: { owner: organization, client: deskFor('ada') },
      source: desk('ada'),
    },
    'Bob, on a work of Ada': {
      ppid: 'bob',
      work: { owner: person('ada') },
      source: callers['q'],
    },
  },
  item: {
    'not there yet, of Ada': { ppid: 'ada' },
    Ada: { ppid: 'ada', source: { ...person('ada'), via: 'ui' } },
    'the organization’s application, for Ada': { ppid: 'ada', source: desk('ada') },
    'its public application, for Ada': { ppid: 'ada', source: widget('ada') },
    'its public application, for Ada, once as the organization': {
      ppid: 'ada',
      source: formerWidget,
    },
    'the organization’s application, for Bob': { ppid: 'bob', source: desk('bob') },
  },
  person: { Ada: { ppid: 'ada' } },
  'test person': {
    'Ada, whom the organization has made': { ppid: 'ada', maker: organization },
    'Tess, whom Ada has made': { ppid: 'tess', maker: person('ada') },
  },
  webhook: {
    'of the organization, with an owner, an editor and a viewer': {
      organization: organization.id,
      members,
    },
  },
  organization: {
    'whose members are an owner, an editor and a viewer': {
      members,
      slug: organization.id,
      ppid: 'viewer',
    },
  },
}

/** Who (a column) may do what (a row) to which record (a heading): + yes, . no. */
const table = `
                      a o A R k m O E V p f u c b x C B q K
work: the organization, by key
  change              . . + . + + . . . . . . . . . . . . .
  withdraw            . . + . + + . . . . . . . . . . . . .
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . . . . + + . . . . . . . . . . . . .
work: its application, for Ada
  change              . . + . + + . . . . . . + . . . . . .
  withdraw            . . + . + + . . . . . . + . . . . . .
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . . . . + + . . . . . . . . . . . . .
work: its application, for Bob
  change              . . + . + + . . . . . . . . . + . . .
  withdraw            . . + . + + . . . . . . . . . + . . .
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . . . . + + . . . . . . . . . . . . .
work: its public application, for Ada
  change              . . + . . . . . . + + . . + . . . . .
  withdraw            . . + . . . . . . + + . . + . . . . .
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . . . . . . . . . + + . . . . . . . .
work: its public application, for Ada, once as the organization
  change              . . + . + + . . . . . . . + . . . . .
  withdraw            . . + . + + . . . . . . . + . . . . .
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . . . . + + . . . . . . . . . . . . .
work: Ada
  change              . . + . . . . . . + + + . . . . . . .
  withdraw            . . + . . . . . . + + . . . . . . . .
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . . . . . . . . . + + . . . . . . . .
work: another organization, by key
  change              . . + . . . . . . . . . . . . . . . +
  withdraw            . . + . . . . . . . . . . . . . . . +
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . . . . . . . . . . . . . . . . . . +
work: the operator, by key
  change              . + + . . . . . . . . . . . . . . . .
  withdraw            . + + . . . . . . . . . . . . . . . .
  erase               . . + . . . . . . . . . . . . . . . .
  list claims         . + + . . . . . . . . . . . . . . . .
claim: not made yet, of Ada, on a work of the organization
  claim               . . . . . . . . . + + . + + + . . . .
  assert              . . + . + + . . . . . . . . . . . . .
  accept              . . . . . . . . . + + . . . . . . . .
  review              . . . . + + . . . . . . . . . . . . .
  decide              . . + . . . . . . . . . . . . . . . .
  withdraw            . . . . . . . . . + + . . . . . . . .
  retract             . . . . . . . . . . . . . . . . . . .
  disclaim            . . + . . . . . . + + . . . . . . . .
  read words          . . + . + + . . . + + . . . . . . . .
claim: Ada, on a work of the organization
  claim               . . . . . . . . . + + . + + + . . . .
  assert              . . + . + + . . . . . . . . . . . . .
  accept              . . . . . . . . . + + . . . . . . . .
  review              . . . . + + . . . . . . . . . . . . .
  decide              . . + . . . . . . . . . . . . . . . .
  withdraw            . . . . . . . . . + + . . . . . . . .
  retract             . . . . . . . . . + + . . . . . . . .
  disclaim            . . + . . . . . . + + . . . . . . . .
  read words          . . + . + + . . . + + . . . . . . . .
claim: the organization, of Ada
  claim               . . . . . . . . . + + . + + + . . . .
  assert              . . + . + + . . . . . . . . . . . . .
  accept              . . . . . . . . . + + . . . . . . . .
  review              . . . . + + . . . . . . . . . . . . .
  decide              . . + . . . . . . . . . . . . . . . .
  withdraw            . . . . . . . . . + + . . . . . . . .
  retract             . . . . + + . . . . . . . . . . . . .
  disclaim            . . + . . . . . . + + . . . . . . . .
  read words          . . + . + + . . . + + . . . . . . . .
claim: its application, for Ada
  claim               . . . . . . . . . + + . + + + . . . .
  assert              . . + . + + . . . . . . . . . . . . .
  accept              . . . . . . . . . + + . . . . . . . .
  review              . . . . + + . . . . . . . . . . . . .
  decide              . . + . . . . . . . . . . . . . . . .
  withdraw            . . . . . . . . . + + . . . . . . . .
  retract             . . . . + + . . . . . . + . . . . . .
  disclaim            . . + . . . . . . + + . . . . . . . .
  read words          . . + . + + . . . + + . + . . . . . .
claim: its public application, for Ada
  claim               . . . . . . . . . + + . + + + . . . .
  assert              . . + . + + . . . . . . . . . . . . .
  accept              . . . . . . . . . + + . . . . . . . .
  review              . . . . + + . . . . . . . . . . . . .
  decide              . . + . . . . . . . . . . . . . . . .
  withdraw            . . . . . . . . . + + . . . . . . . .
  retract             . . . . . . . . . . . . . + . . . . .
  disclaim            . . + . . . . . . + + . . . . . . . .
  read words          . . + . + + . . . + + . . + . . . . .
claim: its application, for Ada, on a work that it added
  claim               . . . . . . . . . + + . + + + . . . .
  assert              . . + . + + . . . . . . . . . . . . .
  accept              . . . . . . . . . + + . . . . . . . .
  review              . . . . + + . . . . . . . . . . . . .
  decide              . . + . . . . . . . . . . . . . . . .
  withdraw            . . . . . . . . . + + . . . . . . . .
  retract             . . . . + + . . . . . . + . . . . . .
  disclaim            . . + . . . . . . + + . . . . . . . .
  read words          . . + . + + . . . + + . + . . . . . .
claim: Bob, on a work of Ada
  claim               . . . . . . . . . . . . . . . + + + .
  assert              . . + . . . . . . + + . . . . . . . .
  accept              . . . . . . . . . . . . . . . . . + .
  review              . . . . . . . . . + + . . . . . . . .
  decide              . . + . . . . . . . . . . . . . . . .
  withdraw            . . . . . . . . . . . . . . . . . + .
  retract             . . . . . . . . . . . . . . . . . + .
  disclaim            . . + . . . . . . . . . . . . . . + .
  read words          . . + . . . . . . + + . . . . . . + .
item: not there yet, of Ada
  change              . . . . . . . . . . . . . . . . . . .
  remove              . . + . . . . . . + + . . . . . . . .
  mark                . . + . . . . . . + + + . . . . . . .
item: Ada
  change              . . . . . . . . . + + + . . . . . . .
  remove              . . + . . . . . . + + + . . . . . . .
  mark                . . + . . . . . . + + + . . . . . . .
item: the organization’s application, for Ada
  change              . . . . + + . . . . . . + . . . . . .
  remove              . . + . + + . . . + + . + . . . . . .
  mark                . . + . . . . . . + + . . . . . . . .
item: its public application, for Ada
  change              . . . . . . . . . . . . . + . . . . .
  remove              . . + . . . . . . + + . . + . . . . .
  mark                . . + . . . . . . + + . . . . . . . .
item: its public application, for Ada, once as the organization
  change              . . . . + + . . . . . . . + . . . . .
  remove              . . + . + + . . . + + . . + . . . . .
  mark                . . + . . . . . . + + . . . . . . . .
item: the organization’s application, for Bob
  change              . . . . + + . . . . . . . . . + . . .
  remove              . . + . + + . . . . . . . . . + . + .
  mark                . . + . . . . . . . . . . . . . . + .
person: Ada
  read private        . . + . . . . . . + + + . . . . . . .
  change              . . + . . . . . . + + . + + + . . . .
  change identity     . . + . . . . . . + + . . . . . . . .
  undo write          . . + . . . . . . + + . . . . . . . .
  add item            . . + . . . . . . + + + + + + . . . .
  undo work           . . . . . . . . . + + . . . . . . . .
  manage keys         . . . . . . . . . + . . . . . . . . .
  end permission      . . . . . . . . . + . . . . . . . . .
  erase               . . + . . . . . . + + . . . . . . . .
  administer          . . + . . . . . . . . . . . . . . . .
test person: Ada, whom the organization has made
  make                . . + . + + . . . . . . . . . . . . .
  remove              . . + . + + . . . + + . . . . . . . .
test person: Tess, whom Ada has made
  make                . . + . . . . . . + . . . . . . . . .
  remove              . . + . . . . . . + . . . . . . . . .
webhook: of the organization, with an owner, an editor and a viewer
  manage              . . + . + . + . . . . . . . . . . . .
organization: whose members are an owner, an editor and a viewer
  read                . . + . . . + + + . . . . . . . . . .
  describe            . . + . . . + + . . . . . . . . . . .
  register works      . . + . . . + + . . . . . . . . . . .
  change many works   . . + . + . + + . . . . . . . . . . .
  undo many changes   . . + . . . + . . . . . . . . . . . .
  review claims       . . + . . . + + . . . . . . . . . . .
  manage keys         . . + . . . + . . . . . . . . . . . .
  manage applications . . + . . . + . . . . . . . . . . . .
  manage members      . . + . . . + . . . . . . . . . . . .
  read history        . . + . . . + . . . . . . . . . . . .
  read counts         . . + . + . . . . . . . . . . . . . .
  invite below        . . + . . . + . . . . . . . . . . . .
  choose parent       . . + . . . + . . . . . . . . . . . .
  join uninvited      . . + . . . . . . . . . . . . . . . .
  leave               . . . . . . . . + . . . . . . . . . .
  abandon             . . . + . . . . . . . . . . . . . . .`

type Row = {
  readonly kind: keyof RecordFacts
  readonly record: string
  readonly action: string
  readonly cells: readonly string[]
}

function parseTable(): { readonly columns: readonly string[]; readonly rows: readonly Row[] } {
  const [header = '', ...lines] = table.split('\n').slice(1)
  let heading: readonly string[] = []
  const rows = lines.flatMap((line): readonly Row[] => {
    const [, action = '', cells = ''] = /^ {2}(.{20})(.+)$/.exec(line) ?? []
    if (action === '') {
      heading = line.split(/: (.*)/)
      return []
    }
    const [kind, record = ''] = heading
    return [
      {
        kind: kind as keyof RecordFacts,
        record,
        action: action.trim(),
        cells: cells.split(' '),
      },
    ]
  })
  return { columns: header.trim().split(' '), rows }
}

const { columns, rows } = parseTable()

test('the table has every caller, every record and every action once', (t) => {
  t.deepEqual(columns, Object.keys(callers))
  const asked = rows.map(({ kind, record, action }) => `${kind}: ${record}: ${action}`)
  const all = Object.entries(records).flatMap(([kind, each]) =>
    Object.keys(each).flatMap((record) =>
      Object.keys(powers[kind as keyof RecordFacts]).map(
        (action) => `${kind}: ${record}: ${action}`,
      ),
    ),
  )
  t.deepEqual(asked, all)
  t.true(rows.every(({ cells }) => cells.length === columns.length))
})

for (const { kind, record, action, cells } of rows) {
  test(`${kind}: ${record}: ${action}`, (t) => {
    const facts = records[kind][record]
    const ask = may as (by: Agent | undefined, ...what: readonly unknown[]) => boolean
    const found = columns.map((name) => (ask(callers[name], kind, action, facts) ? '+' : '.'))
    t.deepEqual(found, cells)
  })
}

test('whoever is more in an organization may do what those may who are less', (t) => {
  t.is(leastRole('read'), 'viewer')
  t.is(leastRole('describe'), 'editor')
  t.is(leastRole('manage keys'), 'owner')
  t.is(leastRole('abandon'), undefined)
})
