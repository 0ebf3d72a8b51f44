/** A browser that is signed in, as it may be shown; its cookie is nowhere kept, only a digest. */
export type WebSession = {
  /** Names the session to its person; no credential. */
  readonly id: string
  readonly ppid: string
  readonly created_at: string
  readonly last_seen_at: string
  readonly expires_at: string
  /** Shortened. */
  readonly user_agent: string
  /** Such as 192.0.2.0/24. */
  readonly network: string
}

/** From where a session is begun. */
export type SessionOrigin = { readonly ip: string; readonly userAgent: string }

/** The browsers that are signed in. */
export declare class WebSessions {
  /** Begins a session and gives its cookie's value. */
  begin(ppid: string, origin: SessionOrigin): Promise<{ token: string; session: WebSession }>
  /** The session of a cookie's value, unless it has ended; notes that it was seen. */
  find(token: string): WebSession | undefined
  list(ppid: string): readonly WebSession[]
  end(ppid: string, id: string): Promise<void>
  /** Ends every session of a person, but one that is named. */
  endAll(ppid: string, exceptId?: string): Promise<void>
}
