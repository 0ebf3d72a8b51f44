import type { Transport, TransportListener } from '#actors/kernel/remote.ts'
import { assert } from '#log/base/errors.ts'
import type { LinkFrame } from '#src/cluster/link_frame.ts'

// So that their lengths have room in the head of a frame.
const frameTextsMax = 4_096

/** What a link needs of whoever holds it. */
export type NodeLinkOptions = {
  /** Sends a frame to the other node. False: nothing is sent any more. */
  readonly publish: (frame: LinkFrame) => boolean
  /** UTF-16 units of the texts of one frame, at most. */
  readonly frameCharactersMax: number
  /** Beats without a frame from the other node after which it is taken for gone. */
  readonly silentBeatsMax: number
  /** Called once, when the link has ended. */
  readonly ended: () => void
}

/**
 * A connection between two nodes over an engine that delivers at most once. It carries all texts in
 * order or ends: frames are numbered, and a beat tells how many there were. It ends when a frame is
 * missing, when nobody is there for one, when the other node has not been heard for some beats, and
 * when either side closes it.
 */
export class NodeLink implements Transport {
  readonly #options: NodeLinkOptions
  #listener: TransportListener | undefined
  #isOpen = true
  #sent = 0
  #received = 0
  #silentBeats = 0

  constructor(options: NodeLinkOptions) {
    this.#options = options
  }

  /** A text has `frameCharactersMax` at most. */
  send(texts: readonly string[]): void {
    let from = 0
    while (this.#isOpen && from < texts.length) {
      const to = this.#frameEnd(texts, from)
      this.#publish({ type: 'texts', number: this.#sent, texts: texts.slice(from, to) })
      this.#sent += 1
      from = to
    }
  }

  listen(listener: TransportListener): void {
    assert(this.#listener === undefined, 'a link has one listener')
    this.#listener = listener
  }

  get isHeard(): boolean {
    return this.#listener !== undefined
  }

  close(): void {
    if (this.#isOpen) this.#options.publish({ type: 'end' })
    this.end()
  }

  /** Takes a frame of the other node. One that does not follow the last one ends the link. */
  receive(frame: LinkFrame): void {
    if (!this.#isOpen) return
    this.#silentBeats = 0
    switch (frame.type) {
      case 'texts':
        if (frame.number !== this.#received) return this.close()
        this.#received += 1
        this.#listener?.received(frame.texts)
        return
      case 'beat':
        if (frame.sent !== this.#received) this.close()
        return
      case 'open':
        return this.close()
      case 'end':
        return this.end()
    }
  }

  /** Says to the other node that this one lives; judges whether that one does. */
  beat(): void {
    this.#silentBeats += 1
    if (this.#silentBeats > this.#options.silentBeatsMax) return this.close()
    this.#publish({ type: 'beat', sent: this.#sent })
  }

  /** Ends the link without a word to the other node, which is known to be gone or to know. */
  end(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#options.ended()
    this.#listener?.ended()
  }

  #publish(frame: LinkFrame): void {
    if (this.#isOpen && !this.#options.publish(frame)) this.end()
  }

  /** Where the frame ends that begins with a text: before the text that has no room any more. */
  #frameEnd(texts: readonly string[], from: number): number {
    const { frameCharactersMax } = this.#options
    const last = Math.min(texts.length, from + frameTextsMax)
    let characters = 0
    for (let at = from; at < last; at += 1) {
      const { length = 0 } = texts[at] ?? {}
      assert(length <= frameCharactersMax, `a text has ${frameCharactersMax} characters at most`)
      characters += length
      if (characters > frameCharactersMax) return at
    }
    return last
  }
}
