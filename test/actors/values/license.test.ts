import test from 'ava'
import spdxIds from 'spdx-license-ids/index.json' with { type: 'json' }
import { explainLicense, foldLicense, recognizeLicense } from '#actors/values/license.ts'

test('every identifier of SPDX is its own stored form, in any case, with spaces too', (t) => {
  t.true(spdxIds.length > 500)
  for (const id of spdxIds) {
    t.is(foldLicense(id), id)
    t.is(foldLicense(id.toLowerCase()), id)
    t.is(foldLicense(id.replaceAll('-', ' ')), id)
  }
})

const spellings: Record<string, readonly string[]> = {
  'CC-BY-4.0': [
    'cc-by 4.0',
    'CC BY 4.0',
    'cc_by_4.0',
    'CC-BY v4',
    'CC BY 4',
    'Creative Commons Attribution 4.0 International License',
  ],
  'CC-BY-NC-ND-3.0': ['cc by-nc-nd 3.0', 'CC-BY-NC-ND-3'],
  'CC0-1.0': ['CC0', 'cc0 1.0', 'CC Zero'],
  'Apache-2.0': ['apache 2', 'Apache License, Version 2.0', 'apache-2', 'Apache v2.0'],
  MIT: ['mit', 'MIT License', 'The MIT License'],
  'BSD-3-Clause': ['BSD 3-Clause', '3-clause BSD license', 'new BSD'],
  'GPL-3.0-only': ['GPL-3.0', 'gpl v3', 'GPLv3', 'GNU GPL v3'],
  'GPL-2.0-or-later': ['gpl-2.0-or-later', 'GPL 2.0 or later'],
  'LGPL-2.1-only': ['LGPL-2.1', 'lgpl v2.1'],
  'MPL-2.0': ['mpl 2', 'Mozilla Public License 2.0'],
}

for (const [id, texts] of Object.entries(spellings)) {
  test(`folds spellings of ${id}`, (t) => {
    for (const text of texts) t.is(foldLicense(text), id, text)
  })
}

test('takes an address', (t) => {
  const url = 'https://creativecommons.org/licenses/by/4.0/'
  t.is(foldLicense(url), url)
})

test('refuses what does not name one license, and says what may be meant', (t) => {
  const rule = 'an SPDX identifier such as CC-BY-4.0, or an http or https address'
  for (const [text, meant] of [
    ['cc by', 'CC-BY-4.0'],
    ['CC-BY-NC', 'CC-BY-NC-4.0'],
    ['Apache', 'Apache-2.0'],
    ['GPL', 'GPL-3.0-only'],
  ] as const) {
    t.is(foldLicense(text), undefined, text)
    t.is(explainLicense(text), `${rule}; did you mean ${meant}?`)
  }
  for (const text of ['all rights reserved', 'license', 'MIT OR Apache-2.0', 'ftp://a.b/']) {
    t.is(foldLicense(text), undefined, text)
    t.is(explainLicense(text), rule, text)
  }
})

const creativeCommons: Readonly<Record<string, readonly string[]>> = {
  'CC-BY-4.0': [
    'CC-BY',
    'cc by',
    'Creative Commons Attribution',
    'Creative Commons Attribution 4.0 International (CC BY 4.0)',
    'Licensed under the Creative Commons Attribution License',
  ],
  'CC-BY-NC-ND-4.0': [
    'CC BY-NC-ND',
    'CC-BY-ND-NC v4.0',
    'Creative Commons Attribution-NonCommercial-NoDerivatives 4.0 International',
  ],
  'CC-BY-SA-3.0': ['Creative Commons Attribution-ShareAlike 3.0 Unported'],
}

for (const [id, texts] of Object.entries(creativeCommons)) {
  for (const text of texts) {
    test(`${text} is recognized as ${id}`, (t) => t.is(recognizeLicense(text), id))
  }
}

test('what names no one license of Creative Commons is not recognized', (t) => {
  const texts = [
    'CC',
    'by',
    'CC BY 3.0 or 4.0',
    'CC BY 5.0',
    'CC BY 3.0 IGO',
    'Apache',
    'CC BY and MIT',
  ]
  for (const text of texts) t.is(recognizeLicense(text), undefined, text)
})
