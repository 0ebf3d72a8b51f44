import test from 'ava'
import * as fc from 'fast-check'

import { dataciteElement } from '#src/discovery/formats/datacite.ts'
import { dublinCoreElement } from '#src/discovery/formats/dublin_core.ts'
import {
  element,
  fitText,
  formatElement,
  writeElement,
  type XmlElement,
} from '#src/discovery/formats/xml.ts'
import { anyCharacter } from '#test/_any_character.ts'
import { buildElement, readXml } from '#test/src/_xml.ts'
import { registered } from '#test/src/discovery/formats/_generated.ts'
import { generateWorks } from '#test/vectors/_generated_works.ts'

const name = fc.stringMatching(/^[a-z][a-z0-9_-]{0,8}$/)
// All that JSON can hold, with what is special to XML and what it cannot carry.
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(
        '&',
        '<',
        '>',
        '"',
        "'",
        ']]>',
        '&amp;',
        '&nbsp;',
        '<!--',
        '\u0003',
        '\ufffe',
      ),
      fc.constantFrom('\ud800', '\udc00', '\t', '\n', '\r', '\r\n', '\u0000', 'é', '😀'),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(''))
const attributes = fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true })

const tree = fc.letrec<{ tree: XmlElement }>((tie) => ({
  tree: fc
    .tuple(
      name,
      attributes,
      fc.array(fc.oneof({ maxDepth: 3 }, text, tie('tree')), { maxLength: 4 }),
    )
    .map(([root, about, members]) => element(root, about, ...members)),
})).tree

test('property: what is written is read back, but for what XML cannot carry', (t) => {
  fc.assert(
    fc.property(name, text, text, (root, attribute, content) => {
      const read = readXml(writeElement(element(root, { a: attribute }, content)))
      t.is(read.name, root)
      t.is(read.attributes['a'], fitText(attribute))
      t.is(read.text, fitText(content))
    }),
  )
})

test('property: xmlbuilder2 writes the same bytes', (t) => {
  fc.assert(fc.property(tree, (root) => t.is(buildElement(root), writeElement(root, '\ufffd'))))
})

test('property: a work has one text in XML, whoever writes it', (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 9_000 }), fc.string({ unit: anyCharacter }), (seed, lines) => {
      for (const body of generateWorks(seed, 2)) {
        const { metadata, ...work } = registered(body)
        const described = { ...work, metadata: { ...metadata, description: `A\r\nB\r${lines}` } }
        for (const root of [dataciteElement(described), dublinCoreElement(described)]) {
          t.is(buildElement(root), writeElement(root, '\ufffd'))
        }
      }
    }),
    { numRuns: 20 },
  )
})

test('characters that XML cannot carry are left out, and all others stay', (t) => {
  t.is(fitText('a\u0003b\u0000\ud800c\udc00\ufffe\uffffd'), 'abcd')
  t.is(fitText('\t\n\r \u007f\u0085é😀\ufffd'), '\t\n\r \u007f\u0085é😀\ufffd')
})

test('what a reader would change is escaped', (t) => {
  t.is(writeElement(element('a', {}, '<b> & ]]>\r\n')), '<a>&lt;b&gt; &amp; ]]&gt;&#13;\n</a>')
  const written = writeElement(element('a', { b: '"\'<&\t\n\r' }))
  t.is(written, '<a b="&quot;\'&lt;&amp;&#9;&#10;&#13;"/>')
})

test('attributes and children that are undefined are left out', (t) => {
  t.is(writeElement(element('a', { b: undefined }, undefined, element('c', {}))), '<a><c/></a>')
})

test('a document says where a character was lost, however long it is', (t) => {
  const author = element('author', { id: '\u0001<' }, 'Ox \ufffe & Pen')
  const few = Array.from({ length: 3 }, () => author)
  const many = Array.from({ length: 3_000 }, () => author)
  const [read] = readXml(formatElement(element('work', {}, ...few))).children
  t.is(read?.text, 'Ox \ufffd & Pen')
  const { children } = readXml(formatElement(element('work', {}, ...many)))
  t.is(children.length, 3_000)
  for (const child of children) t.deepEqual(child, read)
})
