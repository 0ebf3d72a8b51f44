import test from 'ava'

import { pushButton } from '#test/browser/_page_actions.ts'
import { Scene } from '#test/browser/_scene.ts'

const bibtex = `@article{lovelace1843,
  author = {Lovelace, Ada},
  title = {Notes by the {T}ranslator},
  year = {1843},
  url = {https://example.org/notes}
}
@article{nothing, title = {Without an author's name or address}}
`

for (const javaScriptEnabled of [true, false]) {
  const scripts = javaScriptEnabled ? 'with' : 'without'
  test(`a file of BibTeX is chosen, looked at and registered, ${scripts} scripts`, async (t) => {
    const scene = await Scene.open(t, { javaScriptEnabled })
    const page = await scene.setUp()
    await page.goto(scene.at('/organizations/demo/import'))
    const buffer = Buffer.from(bibtex)
    const file = { name: 'notes.bib', mimeType: 'application/octet-stream', buffer }
    await page.getByLabel('A file of BibTeX, RIS or CSL-JSON').setInputFiles(file)
    await pushButton(page, 'Read it')
    const entry = page.getByRole('row', { name: /lovelace1843/ })
    t.regex(await entry.innerText(), /Notes by the Translator[^]*can be registered/)
    t.regex(await page.getByRole('row', { name: /nothing/ }).innerText(), /not registered/)
    await pushButton(page, 'Register 1 work')
    t.regex(await entry.innerText(), /registered[^]*ark:\/12345\//)
    t.deepEqual(scene.faults, [])
  })
}
