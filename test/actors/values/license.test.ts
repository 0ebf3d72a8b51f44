import test from 'ava'
import spdxIds from 'spdx-license-ids/index.json' with { type: 'json' }
import spdxNames from 'spdx-license-list/spdx.json' with { type: 'json' }
import {
  explainLicense,
  foldLicense,
  licenseNames,
  licensesAt,
  readLicense,
  recognizeLicense,
} from '#actors/values/license.ts'

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
    'Attribution 4.0 International',
    'CC BY 4.0 Deed',
    'Attribution 4.0 International (CC BY 4.0)',
    'CC BY 4.0, https://creativecommons.org/licenses/by/4.0/',
    'http://creativecommons.org/licenses/by/4.0/; CC-BY',
    'This work is licensed under a Creative Commons Attribution 4.0 International License.',
  ],
  'CC-BY-NC-ND-3.0': ['cc by-nc-nd 3.0', 'CC-BY-NC-ND-3'],
  'CC0-1.0': ['CC0', 'cc0 1.0', 'CC Zero', 'CC0 1.0 Universal (CC0 1.0) Public Domain Dedication'],
  'Apache-2.0': [
    'apache 2',
    'Apache License, Version 2.0',
    'apache-2',
    'Apache v2.0',
    'ASL 2.0',
    'https://www.apache.org/licenses/LICENSE-2.0.txt',
    'Apache Software License 2.0',
    'Apache License 2.0.',
  ],
  'DL-DE-BY-2.0': ['dl-de/by-2-0'],
  MIT: [
    'mit',
    'SPDX:MIT',
    'License: MIT',
    'MIT License',
    'The MIT License',
    'The MIT License (MIT)',
  ],
  'BSD-3-Clause': ['BSD 3-Clause', '3-clause BSD license', 'new BSD'],
  'GPL-3.0-only': [
    'GPL-3.0',
    'gpl v3',
    'GPLv3',
    'GNU GPL v3',
    'GNU General Public License v3 (GPLv3)',
  ],
  'GPL-2.0-or-later': ['gpl-2.0-or-later', 'GPL 2.0 or later', 'GNU GPL v2 or later'],
  'AGPL-3.0-only': ['GNU AGPLv3'],
  'AGPL-3.0-or-later': ['AGPL-3.0+', 'AGPLv3+', 'GNU AGPL 3.0+'],
  'ODbL-1.0': [
    'Open Database License',
    'ODbL',
    'Open Data Commons Open Database License (ODbL)',
    'https://opendatacommons.org/licenses/odbl/1-0/',
  ],
  'OGL-UK-3.0': ['OGL 3.0', 'UK Open Government Licence v3'],
  'EUPL-1.2': ['http://publications.europa.eu/resource/authority/licence/EUPL_1_2'],
  'LGPL-2.1-only': ['LGPL-2.1', 'lgpl v2.1'],
  'MPL-2.0': ['mpl 2', 'Mozilla Public License 2.0'],
}

for (const [id, texts] of Object.entries(spellings)) {
  test(`folds spellings of ${id}`, (t) => {
    for (const text of texts) t.is(readLicense(text), id, text)
  })
}

test('a ported license that SPDX has not is its address, in words too', (t) => {
  for (const [text, path] of [
    ['CC BY-SA 2.0 FR', 'by-sa/2.0/fr'],
    ['Attribution-ShareAlike 3.0 United States (CC BY-SA 3.0 US)', 'by-sa/3.0/us'],
    ['Creative Commons Attribution-NonCommercial-NoDerivs 2.5 Spain', 'by-nc-nd/2.5/es'],
    ['Creative Commons Attribution 2.0 UK: England & Wales', 'by/2.0/uk'],
    ['Creative Commons Attribution 3.0 Hong Kong', 'by/3.0/hk'],
  ] as const) {
    t.is(readLicense(text), `https://creativecommons.org/licenses/${path}/`, text)
  }
  for (const text of ['CC BY 3.0 XX', 'CC BY 3.0 DE FR', 'Some License (MIT)', 'x ()']) {
    t.is(readLicense(text), undefined, text)
  }
})

test('a license of Creative Commons is of a place where its version was ported to', (t) => {
  // Version 4.0 is the same everywhere.
  for (const text of [
    'CC BY-NC-4.0-DE',
    'Creative Commons Attribution-NonCommercial 4.0 Germany',
    'https://creativecommons.org/licenses/by-nc/4.0/de/',
  ]) {
    t.is(readLicense(text), 'CC-BY-NC-4.0', text)
  }
  t.is(readLicense('CC BY DE'), 'CC-BY-3.0-DE')
  t.is(readLicense('CC BY 2.1 CA'), 'https://creativecommons.org/licenses/by/2.1/ca/')
  for (const [text, nearest] of [
    ['CC BY 2.5 DE', 'CC-BY-3.0-DE or https://creativecommons.org/licenses/by/2.0/de/'],
    ['https://creativecommons.org/licenses/by/3.0/jp/', 'licenses/by/2.1/jp/'],
    ['https://creativecommons.org/licenses/by/3.0/xx/', 'CC-BY-3.0'],
    ['CC BY 2.0 XX', 'CC-BY-2.0'],
    ['https://creativecommons.org/licenses/by/2.7/', 'CC-BY-4.0'],
    ['CC BY-ND-SA 4.0', 'CC-BY-SA-4.0 or CC-BY-ND-4.0'],
    ['https://creativecommons.org/licenses/by-nd-sa/4.0/', 'CC-BY-SA-4.0 or CC-BY-ND-4.0'],
  ] as const) {
    t.is(readLicense(text), undefined, text)
    t.true(explainLicense(text).includes(nearest), explainLicense(text))
  }
  // Of a version that may come.
  const later = 'https://creativecommons.org/licenses/by/5.0/'
  t.is(readLicense(later), later)
})

test('the deeds of Creative Commons are known in other languages', (t) => {
  for (const [text, license] of [
    ['Namensnennung 4.0 International', 'CC-BY-4.0'],
    [
      'Namensnennung - Nicht-kommerziell - Weitergabe unter gleichen Bedingungen 4.0 International',
      'CC-BY-NC-SA-4.0',
    ],
    ['Creative Commons Namensnennung 3.0 Deutschland', 'CC-BY-3.0-DE'],
    [
      'Attribution - Pas d’Utilisation Commerciale - Pas de Modification 4.0 International',
      'CC-BY-NC-ND-4.0',
    ],
    ['Licencia Creative Commons Atribución-NoComercial-SinDerivadas 4.0', 'CC-BY-NC-ND-4.0'],
    ['Creative Commons Atribuição-NãoComercial 4.0 Internacional', 'CC-BY-NC-4.0'],
    ['Attribuzione - Condividi allo stesso modo 4.0 Internazionale', 'CC-BY-SA-4.0'],
    ['Naamsvermelding-NietCommercieel 4.0 Internationaal', 'CC-BY-NC-4.0'],
    ['Uznanie autorstwa 4.0 Międzynarodowe', 'CC-BY-4.0'],
    ['知识共享署名 4.0 国际', 'CC-BY-4.0'],
    ['表示 4.0 国際', 'CC-BY-4.0'],
  ] as const) {
    t.is(readLicense(text), license, text)
  }
})

test('what is no license is told where it belongs, or which one is next', (t) => {
  for (const [text, help] of [
    ['Attribution-ShareAlike', 'CC-BY-SA-4.0'],
    ['UK Open Government Licence (OGL)', 'OGL-UK-3.0'],
    ['Datenlizenz Deutschland', 'DL-DE-BY-2.0 or DL-DE-ZERO-2.0'],
    ['GFDL', 'GFDL-1.3-or-later or GFDL-1.3-only'],
    ['Alle Rechte vorbehalten', 'InC/1.0/'],
    ['(c) 2020 Moss Press', 'InC/1.0/'],
    ['embargoed', 'goes into access'],
    ['License not specified', 'leave it out'],
    ['http://rightsstatements.org/vocab/XYZ/1.0/', 'go into rights'],
  ] as const) {
    t.is(readLicense(text), undefined, text)
    t.true(explainLicense(text).includes(help), explainLicense(text))
  }
})

test('every name of SPDX is recognized, a deprecated one as what replaces it', (t) => {
  const replaced: string[] = []
  for (const [id, { name }] of Object.entries(spdxNames)) {
    const read = readLicense(name)
    if (read !== id) replaced.push(`${id} ${read}`)
  }
  t.is(replaced.length, 22)
  t.true(replaced.includes('GPL-2.0+ GPL-2.0-or-later'))
  t.true(replaced.includes('StandardML-NJ SMLNJ'))
})

test('a deprecated identifier is recognized as what replaces it', (t) => {
  for (const [id, current] of [
    ['GPL-2.0+', 'GPL-2.0-or-later'],
    ['GPL-2.0', 'GPL-2.0-only'],
    ['bzip2-1.0.5', 'bzip2-1.0.6'],
  ] as const) {
    t.is(foldLicense(id), undefined, id)
    t.is(recognizeLicense(id), current, id)
  }
  t.is(foldLicense('GPL-2.0-with-GCC-exception'), 'GPL-2.0-with-GCC-exception')
})

test('an address of no license that SPDX lists is taken as it is', (t) => {
  const url = 'https://example.org/licence'
  t.is(foldLicense(url), url)
  // Of four licences.
  const shared = 'https://www.gnu.org/licenses/gpl-3.0-standalone.html'
  t.is(foldLicense(shared), shared)
  const either = ['GPL-3.0-only', 'GPL-3.0-or-later']
  t.deepEqual(licensesAt(shared).toSorted(), either)
  t.deepEqual(licensesAt('http://www.gnu.org/licenses/gpl-3.0.en.html'), either)
  t.deepEqual(licensesAt(url), [])
})

const addresses: Readonly<Record<string, readonly string[]>> = {
  'CC-BY-4.0': [
    'https://creativecommons.org/licenses/by/4.0/',
    'http://creativecommons.org/licenses/by/4.0',
    'https://www.creativecommons.org/licenses/by/4.0/legalcode',
    'https://creativecommons.org/licenses/by/4.0/legalcode.de',
    'https://creativecommons.org/licenses/by/4.0/deed.pt-br',
    'https://creativecommons.org/licenses/by/4.0/?ref=chooser-v1',
    'creativecommons.org/licenses/by/4.0',
    'https://spdx.org/licenses/CC-BY-4.0.html',
  ],
  'CC-BY-3.0-DE': ['https://creativecommons.org/licenses/by/3.0/de/deed.de'],
  'CC-BY-NC-ND-1.0': ['https://creativecommons.org/licenses/by-nd-nc/1.0/'],
  'CC0-1.0': ['http://creativecommons.org/publicdomain/zero/1.0/legalcode'],
  'CC-PDM-1.0': ['https://creativecommons.org/publicdomain/mark/1.0/deed.en'],
  MIT: ['https://spdx.org/licenses/MIT.html', 'https://opensource.org/licenses/MIT'],
  'Apache-2.0': ['http://www.apache.org/licenses/LICENSE-2.0'],
  'MPL-2.0': ['https://www.mozilla.org/MPL/2.0/'],
  // SPDX has no identifier for this one: its address has one spelling.
  'https://creativecommons.org/licenses/by/3.0/fr/': [
    'http://creativecommons.org/licenses/by/3.0/fr/deed.fr',
  ],
}

for (const [id, texts] of Object.entries(addresses)) {
  test(`recognizes addresses of ${id}`, (t) => {
    for (const text of texts) {
      t.is(foldLicense(text), undefined, text)
      t.is(recognizeLicense(text), id, text)
    }
    t.is(readLicense(id), id)
  })
}

test('a license has a name and an address, which is read as the same license again', (t) => {
  t.deepEqual(licenseNames('CC-BY-4.0'), {
    name: 'Creative Commons Attribution 4.0 International',
    address: 'https://creativecommons.org/licenses/by/4.0/',
  })
  const cc0 = 'https://creativecommons.org/publicdomain/zero/1.0/'
  t.is(licenseNames('CC0-1.0').address, cc0)
  t.is(licenseNames('GPL-3.0-only').address, 'https://spdx.org/licenses/GPL-3.0-only.html')
  const url = 'https://example.org/licence'
  t.deepEqual(licenseNames(url), { name: url, address: url })
  for (const id of spdxIds) t.is(readLicense(licenseNames(id).address), id, id)
})

test('a statement of rightsstatements.org is its address, by its name too', (t) => {
  const address = 'http://rightsstatements.org/vocab/InC-EDU/1.0/'
  t.is(foldLicense(address), address)
  t.is(licenseNames(address).name, 'In Copyright - Educational Use Permitted')
  for (const text of [
    'In Copyright – Educational Use Permitted',
    'https://rightsstatements.org/page/InC-EDU/1.0/?language=en',
    'rightsstatements.org/vocab/InC-EDU/1.0',
  ]) {
    t.is(foldLicense(text), undefined, text)
    t.is(recognizeLicense(text), address, text)
  }
  t.is(readLicense('In Copyright'), 'http://rightsstatements.org/vocab/InC/1.0/')
})

test('what is no one license is told where it belongs', (t) => {
  const rule = 'an SPDX identifier such as CC-BY-4.0, or an http or https address'
  for (const [text, help] of [
    ['MIT OR Apache-2.0', ', of one license: give MIT here, and Apache-2.0 in rights'],
    ['(MIT/Apache-2.0)', ', of one license: give MIT here, and Apache-2.0 in rights'],
    ['CC0; CC BY; MIT', ', of one license: give CC0-1.0 here, and CC-BY-4.0 and MIT in rights'],
    [
      'Apache-2.0 WITH LLVM-exception',
      ', without exceptions: give Apache-2.0 here, and LLVM-exception in rights',
    ],
    ['NOASSERTION', '; leave it out if there is none'],
    ['info:eu-repo/semantics/openAccess', '; who can read the work goes into access'],
    [
      'All rights reserved',
      '; of a work in copyright that is http://rightsstatements.org/vocab/InC/1.0/',
    ],
    ['LicenseRef-ours', '; terms in words go into rights'],
  ] as const) {
    t.is(readLicense(text), undefined, text)
    t.is(explainLicense(text), `${rule}${help}`)
  }
})

test('refuses what does not name one license, and says what may be meant', (t) => {
  const rule = 'an SPDX identifier such as CC-BY-4.0, or an http or https address'
  for (const [text, meant] of [
    ['cc by', 'CC-BY-4.0'],
    ['CC-BY-NC', 'CC-BY-NC-4.0'],
    ['Apache', 'Apache-2.0'],
    ['GPL', 'GPL-3.0-only or GPL-3.0-or-later'],
    ['CC BY 5.0', 'CC-BY-4.0'],
    ['Apache-3.0', 'Apache-2.0'],
    ['by-nc-sa', 'CC-BY-NC-SA-4.0'],
    ['OGL', 'OGL-Canada-2.0 or OGL-UK-1.0 or OGL-UK-2.0 or OGL-UK-3.0'],
    ['Public domain', 'CC-PDM-1.0 or CC0-1.0'],
  ] as const) {
    t.is(foldLicense(text), undefined, text)
    t.is(explainLicense(text), `${rule}; did you mean ${meant}?`)
  }
  t.is(explainLicense('BSD'), `${rule}; did you mean BSD-3-Clause or BSD-2-Clause?`)
  for (const text of ['license', 'ftp://a.b/']) {
    t.is(foldLicense(text), undefined, text)
    t.is(explainLicense(text), `${rule}; terms in words go into rights`, text)
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
  const texts = ['CC', 'by', 'CC BY 3.0 or 4.0', 'CC BY 5.0', 'Apache', 'CC BY and MIT']
  for (const text of texts) t.is(recognizeLicense(text), undefined, text)
})
