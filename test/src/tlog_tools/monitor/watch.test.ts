import test from 'ava'

import { namesArk, namesFacts, parseWatch } from '#src/tlog_tools/monitor/watch.ts'

const facts = { organization: 'demo', doi: '10.1234/abc', orcids: ['0000-0002-1825-0097'] }

test('a watch has one name, whatever it is spelled like', (t) => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    'org:demo': ['org:demo'],
    '10.1234/': ['10.1234/', 'doi:10.1234/'],
    '10.1234.5/': ['10.1234.5/', 'doi:10.1234.5/'],
    '10.1234.5/a#b': ['10.1234.5/A#B', 'https://doi.org/10.1234.5/a%23b'],
    '10.1234/abc': ['10.1234/ABC', 'https://doi.org/10.1234/abc'],
    '0000-0002-1825-0097': ['0000-0002-1825-0097', 'https://orcid.org/0000000218250097'],
    'ark:/12345/x7wf3kz91': ['ark:12345/x7wf3kz91', 'ark:/12345/x7-wf3kz91'],
  }
  for (const [name, texts] of Object.entries(spellings)) {
    for (const text of texts) t.is(parseWatch(text)?.name, name, text)
  }
  for (const wrong of ['', 'demo', 'org:', 'org:Demo', '10.12/', '0000-0002-1825-0098', 'ark:']) {
    t.is(parseWatch(wrong), undefined, wrong)
  }
})

test('a watch names what it is for, and nothing that only begins like it', (t) => {
  const names = (text: string) => {
    const watch = parseWatch(text)
    return watch !== undefined && namesFacts(watch, facts)
  }
  for (const text of ['org:demo', '10.1234/', '10.1234/abc', '0000-0002-1825-0097']) {
    t.true(names(text), text)
  }
  for (const text of ['org:dem', '10.12345/', '10.1234.5/', '10.1234/ab', '0000-0001-5109-3700']) {
    t.false(names(text), text)
  }
  const ark = parseWatch('ark:12345/x7wf3kz91')
  t.true(ark && namesArk(ark, 'ark:/12345/x7wf3kz91'))
  t.false(ark && namesArk(ark, 'ark:/12345/x7wf3kz92'))
})
