import assert from 'node:assert/strict'

import { parseForeignCheckpoint } from '#log/tlog/checkpoint.ts'
import { cosignatureVerifier } from '#log/tlog/cosignature.ts'
import { openNote } from '#log/tlog/note.ts'
import { logId } from '#src/tlog_tools/witness/decision.ts'

/** What a witness answers to a submission. */
export type WitnessReply = {
  readonly status: number
  readonly type: string | null
  readonly body: string
  readonly headers: Headers
}

/** A witness as logs and monitors reach it, and the keys that they know it by. */
export class WitnessClient {
  readonly url: string
  readonly vkey: string
  readonly vkeys: readonly string[]

  constructor(url: string, vkeys: readonly [string, ...string[]]) {
    this.url = url
    this.vkey = vkeys[0]
    this.vkeys = vkeys
  }

  /** Submits a body; holds the reply to have the form that its status asks for. */
  async submit(body: string | Uint8Array): Promise<WitnessReply> {
    const response = await fetch(`${this.url}/add-checkpoint`, {
      method: 'POST',
      body: Buffer.from(body),
    })
    const { status, headers } = response
    const text = await response.text()
    const type = headers.get('content-type')
    if (status === 409) {
      assert.equal(type, 'text/x.tlog.size')
      assert.match(text, /^(?:0|[1-9]\d*)\n$/)
    } else if (status === 200) {
      assert.equal(type, 'text/plain; charset=utf-8')
      assert.match(text, /^(?:— \S+ \S+\n){1,2}$/)
    } else {
      assert.ok(!text.includes('—'), `no signature with ${status}`)
    }
    return { status, type, body: text, headers }
  }

  /** The size that a submission is told where the witness is: by a 200, or by a 409. */
  holdCosigned(text: string, line: string): void {
    const verifiers = this.vkeys.map(cosignatureVerifier)
    const { verified } = openNote(`${text}\n${line}`, verifiers)
    assert.equal(verified.length, verifiers.length, 'each key has signed')
  }

  /** The last checkpoint of a log by its monitoring path; undefined if there is none. */
  async latest(origin: string) {
    const response = await fetch(`${this.url}/${logId(origin)}/checkpoint`)
    const note = await response.text()
    if (response.status === 404) return undefined
    assert.equal(response.status, 200, note)
    const { text } = openNote(note, this.vkeys.map(cosignatureVerifier))
    const { treeSize, rootHash } = parseForeignCheckpoint(text)
    return { note, text, treeSize, root: Buffer.from(rootHash).toString('hex') }
  }
}
