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
    await page.getByLabel('A file of BibTeX, RIS, CSV, XML or JSON').setInputFiles(file)
    await pushButton(page, 'Read file')
    const entry = page.getByRole('row', { name: /lovelace1843/ })
    t.regex(await entry.innerText(), /Notes by the Translator[^]*ready to register/)
    t.regex(await page.getByRole('row', { name: /nothing/ }).innerText(), /not registered/)
    await pushButton(page, 'Register 1 work')
    t.regex(await entry.innerText(), /registered[^]*ark:\/12345\//)
    t.deepEqual(scene.faults, [])
  })
}

test('a table is sent, its columns are named by hand, and a row changes a work', async (t) => {
  const scene = await Scene.open(t)
  const page = await scene.setUp()
  const send = async (text: string) => {
    await page.goto(scene.at('/organizations/demo/import'))
    await page.getByLabel('Or paste its text here').fill(text)
    await pushButton(page, 'Read file')
  }
  await send('Titel;authors;url;type\nNotizen;Ada Lovelace;https://example.org/n;article\n')
  t.regex(await page.getByRole('row', { name: /row 1/ }).innerText(), /not registered/)
  await page.getByLabel('Titel').selectOption('work_title')
  await pushButton(page, 'Read again with these columns')
  await pushButton(page, 'Register 1 work')
  const row = page.getByRole('row', { name: /row 1/ })
  const [ark = ''] = /ark:\/\S+/.exec(await row.innerText()) ?? []
  t.regex(ark, /^ark:\/12345\//)
  await send(`ark,title\n${ark},Notizen der Übersetzerin\n`)
  t.regex(await row.innerText(), /version 2[^]*title: Notizen Notizen der Übersetzerin/)
  await pushButton(page, 'Change 1 work')
  t.regex(await row.innerText(), /version 2/)
  await send(`ark,title\n${ark},Notizen der Übersetzerin\n`)
  t.regex(await row.innerText(), /no changes/)
  t.deepEqual(scene.faults, [])
})
