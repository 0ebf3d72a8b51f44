import test from 'ava'
import { decideCreation, itemsMax } from '#actors/people/rules.ts'
import {
  application,
  type HistoryCommand,
  PersonHistory,
  plainHash,
  profileOf,
  publisher,
  self,
  stranger,
  university,
} from '#test/actors/people/_history.ts'

const kind = 'affiliation' as const
const brown = { organization: 'Brown University', role: 'Professor' }

function put(by = publisher, fields: Record<string, unknown> = brown): HistoryCommand {
  return { type: 'put_item', kind, fields, by }
}

/** A person with one item of the publisher. */
function withItem() {
  const history = new PersonHistory()
  const decision = history.ask(put())
  if (decision.type !== 'accepted' || decision.item === undefined) throw new Error(decision.type)
  const { item: id } = decision
  return { history, id, position: history.events.length - 1 }
}

test('a person is made once, and never again after their end', (t) => {
  const history = new PersonHistory()
  const again = { type: 'create', by: self, profile: profileOf() } as const
  t.deepEqual(decideCreation(history.state, again, plainHash), { type: 'exists' })
  t.like(history.ask({ type: 'erase', by: self }), { type: 'accepted' })
  t.like(decideCreation(history.state, again, plainHash), { type: 'gone' })
  t.deepEqual(history.state, {
    status: 'erased',
    ppid: history.events[0]?.stream.slice('person/'.length),
    seq: 2,
    erased_at: '2026-11-21T00:00:01.000Z',
  })
})

test('a stranger changes nothing', (t) => {
  const { history, id, position } = withItem()
  const commands: HistoryCommand[] = [
    { type: 'update', patch: { bio: 'x' }, by: stranger },
    put(stranger),
    { type: 'change_item', kind, id, patch: { role: 'Dean' }, by: stranger },
    { type: 'remove_item', kind, id, by: stranger },
    { type: 'mark_item', kind, id, mark: { status: 'hidden' }, by: stranger },
    { type: 'undo', position, by: stranger },
    { type: 'erase', by: stranger },
  ]
  for (const command of commands) t.deepEqual(history.ask(command), { type: 'forbidden' })
})

test('who may write neither marks, nor undoes, nor erases, nor says who sees what', (t) => {
  const { history, id, position } = withItem()
  for (const by of [publisher, application]) {
    const commands: HistoryCommand[] = [
      { type: 'mark_item', kind, id, mark: { status: 'hidden' }, by },
      { type: 'undo', position, by },
      { type: 'erase', by },
      { type: 'update', patch: { visibility: { bio: 'public' } }, by },
      { type: 'update', patch: { orcid: '0000-0002-1825-0097' }, by },
    ]
    for (const command of commands) t.deepEqual(history.ask(command), { type: 'forbidden' })
  }
})

test('only the source changes an item; the person may remove it', (t) => {
  const { history, id } = withItem()
  const change = { type: 'change_item', kind, id, patch: { role: 'Dean' } } as const
  // An application of the same organization is another source.
  const byAnotherClient = { ...publisher, client_id: 'client-second' }
  for (const by of [self, university, application, byAnotherClient]) {
    t.deepEqual(history.ask({ ...change, by }), { type: 'not_source', source: publisher })
  }
  for (const by of [university, application, byAnotherClient]) {
    const answer = history.ask({ type: 'remove_item', kind, id, by })
    t.deepEqual(answer, { type: 'not_source', source: publisher })
  }
  t.like(history.ask({ ...change, by: publisher }), { type: 'accepted', fields: ['role'] })
  t.like(history.ask({ type: 'remove_item', kind, id, by: self }), { type: 'accepted' })
  t.deepEqual(history.plain().items, [])
})

test('the same thing from the same source is one item, whatever its spelling', (t) => {
  const { history, id } = withItem()
  const again = history.ask(put(publisher, { ...brown, organization: 'BROWN  university.' }))
  t.like(again, { type: 'accepted', item: id, fields: ['organization'] })
  t.deepEqual(history.ask(put(publisher, { ...brown, organization: 'BROWN  university.' })), {
    type: 'unchanged',
    item: id,
  })
  t.like(history.ask(put(university)), { type: 'accepted', created: true })
  t.like(history.ask(put(publisher, { ...brown, start_year: '2020' })), { created: true })
  t.is(history.plain().items.length, 3)
})

test('an item does not become the same as another one of its source', (t) => {
  const { history, id } = withItem()
  const other = history.ask(put(publisher, { organization: 'Yale' }))
  if (other.type !== 'accepted' || other.item === undefined) return t.fail()
  const change = { type: 'change_item', kind, id: other.item, patch: brown, by: publisher } as const
  t.deepEqual(history.ask(change), { type: 'duplicate_item', id })
})

test('a person has a bounded number of items of a kind', (t) => {
  const history = new PersonHistory()
  for (let index = 0; index < itemsMax; index += 1) {
    history.ask(put(publisher, { organization: `No ${index}` }))
  }
  const refused = { type: 'too_many_items', max: itemsMax } as const
  t.deepEqual(history.ask(put(publisher)), refused)
  const other = { type: 'put_item', kind: 'education', fields: { institution: 'x' } } as const
  t.like(history.ask({ ...other, by: publisher }), { type: 'accepted' })
  t.like(history.ask(put(publisher, { organization: 'No 7', role: 'Dean' })), refused)
  t.like(history.ask(put(publisher, { organization: 'No 7', end_year: '2020' })), {
    type: 'accepted',
  })
})

test('others can only ask for fewer to see an item than the person lets', (t) => {
  const history = new PersonHistory()
  history.ask({ type: 'update', patch: { visibility: { affiliations: 'trusted' } }, by: self })
  const seenBy = (by = publisher, visibility: 'public' | 'private', organization: string) => {
    history.ask({ type: 'put_item', kind, fields: { organization }, visibility, by })
    return history.plain().items.at(-1)?.visibility
  }
  t.is(seenBy(publisher, 'public', 'a'), 'trusted')
  t.is(seenBy(publisher, 'private', 'b'), 'private')
  t.is(seenBy(self, 'public', 'c'), 'public')
})

test('an item is hidden, contested with a reason, and shown again', (t) => {
  const { history, id } = withItem()
  const mark = { type: 'mark_item', kind, id, by: self } as const
  t.like(history.ask({ ...mark, mark: { status: 'contested', reason: 'Never.' } }), {
    drafts: [{ personal: { before: {}, after: { reason: 'Never.' } } }],
  })
  t.is(history.active.items[0]?.contested, history.events.length - 1)
  t.like(history.ask({ ...mark, mark: { status: 'contested' } }), { type: 'unchanged' })
  t.like(history.ask({ ...mark, mark: { visibility: 'private' } }), { type: 'accepted' })
  t.like(history.active.items[0], { status: 'contested', visibility: 'private', contested: 2 })
  t.like(history.ask({ ...mark, mark: { status: 'hidden' } }), { type: 'accepted' })
  t.is(history.active.items[0]?.contested, undefined)
  t.like(history.ask({ ...mark, mark: { status: 'active' } }), { type: 'accepted' })
  t.is(history.active.items[0]?.status, 'active')
})

test('nobody contests what they wrote themselves', (t) => {
  const history = new PersonHistory()
  history.ask(put(self))
  const [item] = history.active.items
  const mark = { type: 'mark_item', kind, id: item?.id ?? '', by: self } as const
  t.deepEqual(history.ask({ ...mark, mark: { status: 'contested' } }), { type: 'own_item' })
})

test('If-Match of an item and of a profile are each about their own', (t) => {
  const { history, id } = withItem()
  const change = { type: 'change_item', kind, id, by: publisher, ifMatch: ['"2"'] } as const
  t.like(history.ask({ type: 'update', patch: { bio: 'x' }, by: self, ifMatch: ['"1.2"'] }), {
    type: 'accepted',
  })
  t.like(history.ask({ ...change, patch: { role: 'Dean' } }), { type: 'accepted' })
  t.deepEqual(history.ask({ ...change, patch: { role: 'Rector' } }), {
    type: 'precondition_failed',
    etag: '"4"',
    changes: [{ field: 'role', at: history.events[3]?.at }],
  })
  t.deepEqual(history.ask({ type: 'update', patch: { bio: 'y' }, by: self, ifMatch: ['"1"'] }), {
    type: 'precondition_failed',
    etag: '"3.4"',
    changes: [{ field: 'bio', at: history.events[2]?.at }],
  })
})

test('what was added, changed and removed is taken back, the newest first', (t) => {
  const { history, id, position: added } = withItem()
  const before = history.plain()
  history.ask({ type: 'change_item', kind, id, patch: { role: 'Dean' }, by: publisher })
  const changed = history.events.length - 1
  const between = history.plain()
  history.ask({ type: 'remove_item', kind, id, by: publisher })
  const removed = history.events.length - 1
  const undo = (position: number) => history.ask({ type: 'undo', position, by: self })

  t.deepEqual(undo(changed), { type: 'changed_since', position: -1 })
  t.like(undo(removed), { type: 'accepted' })
  t.deepEqual(history.plain(), between)
  t.deepEqual(undo(removed), { type: 'already_undone' })
  t.deepEqual(undo(added), { type: 'changed_since', position: changed })
  t.like(undo(changed), { type: 'accepted' })
  t.deepEqual(history.plain(), before)
  t.like(undo(added), { type: 'accepted' })
  t.deepEqual(history.plain().items, [])
})

test('a removed item does not come back beside its successor', (t) => {
  const { history, id } = withItem()
  history.ask({ type: 'remove_item', kind, id, by: publisher })
  const removed = history.events.length - 1
  history.ask(put())
  t.deepEqual(history.ask({ type: 'undo', position: removed, by: self }), {
    type: 'changed_since',
    position: removed + 1,
  })
})

test('an undone change of a profile leaves alone what was changed beside it', (t) => {
  const history = new PersonHistory(profileOf({ name: 'Ada', username: 'ada', bio: 'Engines' }))
  const patch = { username: 'countess', avatar_url: 'https://a.example/a.png' }
  history.ask({ type: 'update', patch, by: publisher })
  const position = history.events.length - 1
  history.ask({ type: 'update', patch: { bio: 'Poetry' }, by: self })
  t.like(history.ask({ type: 'undo', position, by: self }), {
    type: 'accepted',
    fields: ['avatar_url', 'username'],
  })
  t.deepEqual(history.plain().profile, profileOf({ name: 'Ada', username: 'ada', bio: 'Poetry' }))
  t.deepEqual(history.active.names, { username: 'username:ada' })
})

test('a change of a profile that was changed again stays', (t) => {
  const history = new PersonHistory()
  history.ask({ type: 'update', patch: { bio: 'One', name: 'A.' }, by: publisher })
  history.ask({ type: 'update', patch: { bio: 'Two' }, by: self })
  t.deepEqual(history.ask({ type: 'undo', position: 1, by: self }), {
    type: 'changed_since',
    position: 2,
  })
})

test('only an authenticated ORCID iD is a name that nobody else may have', (t) => {
  const history = new PersonHistory()
  const orcid = '0000-0002-1825-0097'
  history.ask({ type: 'update', patch: { orcid, orcid_authenticated: null }, by: self })
  t.deepEqual(history.active.names, {})
  history.ask({ type: 'update', patch: { orcid, orcid_authenticated: true }, by: self })
  t.deepEqual(history.active.names, { orcid: `orcid:${orcid}` })
  const again = { type: 'update', patch: { orcid, orcid_authenticated: null }, by: self } as const
  t.deepEqual(history.ask(again), { type: 'unchanged' })
  history.ask({ type: 'update', patch: { orcid: null, orcid_authenticated: null }, by: self })
  t.deepEqual(history.active.names, {})
  t.deepEqual(history.plain().profile, profileOf())
})
