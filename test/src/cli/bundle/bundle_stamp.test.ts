import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'ava'

import { bundledProgram, bundleFolder, stampFile, stampOf } from '#src/cli/bundle/bundle_stamp.ts'
import { makeTempDir } from '#test/log/_store_dir.ts'

test('a bundle is used as long as it is of these very sources', async (t) => {
  const root = await makeTempDir(t)
  for (const folder of ['src/deep', 'actors', 'log', 'config', bundleFolder]) {
    await mkdir(path.join(root, folder), { recursive: true })
  }
  await writeFile(path.join(root, 'package-lock.json'), '{}')
  await writeFile(path.join(root, 'src/deep/one.ts'), 'export const one = 1\n')
  t.is(bundledProgram(root), undefined)
  await writeFile(path.join(root, bundleFolder, stampFile), stampOf(root))
  const program = bundledProgram(root)
  t.is(program && path.dirname(program), path.join(root, bundleFolder))
  await writeFile(path.join(root, 'docs.md'), 'no source')
  t.is(bundledProgram(root), program)
  await mkdir(path.join(root, 'src/client/dist'), { recursive: true })
  await writeFile(path.join(root, 'src/client/dist/built.js'), '')
  t.is(bundledProgram(root), program, 'what is built of sources is no source')
  await writeFile(path.join(root, 'src/deep/one.ts'), 'export const one = 1.5\n')
  t.is(bundledProgram(root), undefined)
  await writeFile(path.join(root, bundleFolder, stampFile), stampOf(root))
  t.is(bundledProgram(root), program)
  await writeFile(path.join(root, 'log/two.ts'), '')
  t.is(bundledProgram(root), undefined)
})
