import { createTransport, type Transporter } from 'nodemailer'
import type { Logger } from 'pino'

import type { Message } from '#src/delivery/mail/message.ts'
import { mails } from '#src/words/english.ts'
import { english, type Language } from '#src/words/language.ts'
import { languageOf } from '#src/words/languages.ts'

/**
 * What became of a message: the server has taken it, will never take it, or did neither until it
 * was given up here. A sender that must reach its
 * reader sends one that was given up again, later.
 */
export type MailOutcome = 'taken' | 'refused' | 'given_up'

type MailerOptions = {
  /** Such as smtp://localhost:25, with user and password if the server wants them. */
  readonly smtpUrl: string
  readonly from: string
  /** What every mail ends with: the name of the registry, its address, and whom to ask. */
  readonly registry: string
  readonly logger: Logger
  /** Notes what became of each mail. */
  readonly note?: (message: Message, outcome: MailOutcome) => Promise<void>
  /** Milliseconds to wait before each further attempt. */
  readonly retryAfterMs?: readonly number[]
}

/** Asks a server, as a mailer would, whether it would take mail; rejects with why not. */
export async function askMailServer(smtpUrl: string): Promise<void> {
  const transport = createTransport(transportOptions(smtpUrl))
  try {
    await transport.verify()
  } finally {
    transport.close()
  }
}

function transportOptions(smtpUrl: string) {
  return {
    url: smtpUrl,
    connectionTimeout: connectTimeoutMs,
    greetingTimeout: connectTimeoutMs,
    socketTimeout: socketTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** Waits between attempts: servers that want a second one (greylisting) want it minutes later. */
const retriesAfterMs = [5_000, 60_000, 600_000] as const

/** Messages on their way at one time; beyond them new ones are given up. */
const pendingMax = 1_000

const connectTimeoutMs = 10_000
const socketTimeoutMs = 30_000

/**
 * Sends messages by SMTP, again when the server fails or asks for it. What is on its way when the
 * process ends is given up: the rows of whoever sends it outlive that. Logs say what became of a
 * message of which kind, never to whom.
 */
export class Mailer {
  readonly #transport: Transporter
  readonly #options: MailerOptions
  readonly #retriesAfterMs: readonly number[]
  readonly #pending = new Set<Promise<MailOutcome>>()
  readonly #closing = new AbortController()

  constructor(options: MailerOptions) {
    this.#options = options
    this.#retriesAfterMs = options.retryAfterMs ?? retriesAfterMs
    this.#transport = createTransport({
      ...transportOptions(options.smtpUrl),
      pool: true,
      maxConnections: 2,
    })
  }

  /** Sends a message, and tells what became of it once that is certain. */
  async deliver(message: Message): Promise<MailOutcome> {
    const { logger } = this.#options
    if (this.#closing.signal.aborted || this.#pending.size >= pendingMax) {
      logger.error({ mail: message.kind }, 'a message was given up: too many are on their way')
      return 'given_up'
    }
    const sending = this.#send(message).finally(() => this.#pending.delete(sending))
    this.#pending.add(sending)
    return sending
  }

  async #send(message: Message): Promise<MailOutcome> {
    const outcome = await this.#attempt(message)
    await this.#options
      .note?.(message, outcome)
      .catch((err: unknown) => this.#options.logger.error({ err }, 'a mail was not noted'))
    return outcome
  }

  get waiting(): number {
    return this.#pending.size
  }

  /** Waits until no message is on its way or waiting for its next attempt. */
  async drained(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending)
  }

  /** Gives up what waits for another attempt, and ends the connections. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#transport.close()
    await this.drained()
  }

  async #attempt(message: Message): Promise<MailOutcome> {
    const { from, registry, logger } = this.#options
    const { kind, to } = message
    let outcome: MailOutcome = 'given_up'
    for (const [attempt, waitMs] of [0, ...this.#retriesAfterMs].entries()) {
      if (!(await this.#sleep(waitMs))) break
      try {
        await this.#transport.sendMail({ from, to, ...mailOf(message, { from, registry }) })
        logger.info({ mail: kind, attempt: attempt + 1 }, 'a message was sent')
        return 'taken'
      } catch (error) {
        logger.warn({ mail: kind, attempt: attempt + 1, ...shown(error) }, 'mail was not accepted')
        if (!isFinal(error)) continue
        if (isOfMessage(error)) outcome = 'refused'
        break
      }
    }
    logger.error({ mail: kind }, 'a message could not be sent')
    return outcome
  }

  /** False if the mailer is closed before the time is over. */
  #sleep(ms: number): Promise<boolean> {
    const { signal } = this.#closing
    if (signal.aborted) return Promise.resolve(false)
    if (ms === 0) return Promise.resolve(true)
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const stop = () => {
      clearTimeout(timer)
      resolve(false)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve(true)
    }, ms)
    timer.unref()
    signal.addEventListener('abort', stop, { once: true })
    return promise
  }
}

/**
 * What is sent of a message: plain text and the same as HTML, each with the registry at its end,
 * and that no person has written it.
 */
export function mailOf(
  message: Message,
  { from, registry }: Pick<MailerOptions, 'from' | 'registry'>,
) {
  const { subject, id, switches, attachment } = message
  const language = languageOf(message.language) ?? english
  const text = `${message.text}\n${mails.newsRegistry({ registry }).text(language)}\n`
  const host = from.replace(/^.*@|>.*$/g, '')
  return {
    subject,
    text,
    html: htmlOf(subject, text, language),
    // Unbroken lines, so that no program cuts a link in two.
    textEncoding: 'quoted-printable' as const,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(switches !== undefined && { 'List-Unsubscribe': `<${switches}>` }),
    },
    ...(id !== undefined && { messageId: `<${id}@${host}>` }),
    ...(attachment !== undefined && {
      attachments: [
        { filename: attachment.name, content: attachment.csv, contentType: 'text/csv' },
      ],
    }),
  }
}

/** The one layout of all mails: paragraphs, and a link as the button of a narrow page. */
function htmlOf(subject: string, text: string, { tag, direction }: Language): string {
  const parts = text
    .trim()
    .split('\n\n')
    .map((part) => {
      const content = escaped(part).replaceAll('\n', ' ')
      if (!/^https?:\/\/\S+$/.test(part)) return `<p>${content}</p>`
      return `<p><a href="${content}" style="word-break:break-all">${content}</a></p>`
    })
  return `<!doctype html><html lang="${tag}" dir="${direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escaped(subject)}</title></head>
<body style="margin:0 auto;padding:1rem;max-width:34rem;font:1rem/1.5 sans-serif">
<main><h1 style="font-size:1.25rem">${escaped(subject)}</h1>
${parts.join('\n')}
</main></body></html>
`
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => `&#${character.codePointAt(0)};`)
}

type SmtpError = { readonly code?: string; readonly responseCode?: number; command?: string }

/** What may be logged of a failure: replies of servers repeat addresses, so their codes only. */
function shown(error: unknown) {
  const { code, responseCode, command } = error as SmtpError
  return { code, response_code: responseCode, command: command?.split(' ', 1)[0] }
}

/** Whether the server has refused for good (RFC 5321 §4.2.1). */
function isFinal(error: unknown): boolean {
  const { responseCode = 0 } = error as SmtpError
  return responseCode >= 500
}

/** Whether the server refused the message, and not its sender. */
function isOfMessage(error: unknown): boolean {
  const { code } = error as SmtpError
  return code === 'EENVELOPE' || code === 'EMESSAGE'
}
