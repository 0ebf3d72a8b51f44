import test from 'ava'

import { parseS3Place, S3Target } from '#src/keeping/backup/s3_target.ts'
import { testBackupTarget } from '#test/contracts/backup_target.ts'
import { s3Missing, startS3Server, type S3Server } from '#test/src/keeping/backup/_s3_server.ts'

test('an address names a bucket and a folder in it', (t) => {
  t.deepEqual(parseS3Place('s3://my-bucket'), { bucket: 'my-bucket', folder: '' })
  t.deepEqual(parseS3Place('s3://my-bucket/'), { bucket: 'my-bucket', folder: '' })
  t.deepEqual(parseS3Place('s3://b.c.d/one//two/'), { bucket: 'b.c.d', folder: 'one/two/' })
  for (const other of ['s3://', 's3://B', 's3:/bucket', 'https://bucket', '/mnt', 's3://-a-']) {
    t.is(parseS3Place(other), undefined, other)
  }
})

if (s3Missing === undefined) {
  let server: S3Server | undefined
  let folders = 0

  const openTarget = (folder: string, change: Readonly<Record<string, string>> = {}) => {
    const { bucket = '', environment = {} } = server ?? {}
    Object.assign(process.env, environment, change)
    return new S3Target({ bucket, folder }, process.env)
  }

  test.before(async () => {
    server = await startS3Server()
  })
  test.after.always(() => server?.stop())

  testBackupTarget(test, async () => {
    folders += 1
    return [openTarget(`${folders}/`), openTarget(`${folders}/`)]
  })

  test('the object that a console keeps for a folder is no file', async (t) => {
    const target = openTarget('console/')
    await target.write('backups/', Buffer.alloc(0))
    await target.write('backups/a.json', Buffer.from('{}'))
    t.deepEqual(await target.list('backups/'), ['backups/a.json'])
  })

  test('a bucket that is not there is told with what to do', async (t) => {
    openTarget('')
    const target = new S3Target({ bucket: 'nothing', folder: '' }, process.env)
    const expected = { code: 'target_failed', message: /NoSuchBucket.*Check the bucket/ }
    await t.throwsAsync(target.list('chunks/'), expected)
    await t.throwsAsync(target.write('chunks/a', Buffer.from('a')), expected)
  })
} else {
  test.skip(`an S3 server keeps the contract (skipped: ${s3Missing})`, () => undefined)
}
