import type { Certainty } from '#actors/journal/certainty.ts'
import type { Sequencer, SequencerMessage } from '#actors/journal/sequencer.ts'

/** What a node leads with: it refuses only while it is certain of what it knows. */
export class Leading {
  readonly sequencer: Sequencer
  readonly certainty: Certainty

  constructor(sequencer: Sequencer, certainty: Certainty) {
    this.sequencer = sequencer
    this.certainty = certainty
  }

  /** Takes what is proposed; what it refuses is answered once it is certain. */
  receive(message: SequencerMessage): void {
    if (message.type !== 'propose') return this.sequencer.receive(message)
    const { resolve, reject } = message.reply
    const reply: typeof message.reply = {
      reject,
      resolve: (outcome) => {
        if (outcome.type === 'committed') return resolve(outcome)
        this.certainty.confirm().then(() => resolve(outcome), reject)
      },
    }
    this.sequencer.receive({ ...message, reply })
  }
}
