/** HTML that may be sent as it is: made by the tag `html` of ghtml, or by a function of src/web. */
export type Html = string

/** One page: what stands between the header and the footer, and what the frame says of it. */
export type Page = {
  /** Names the page in the browser's tab; the body has its own h1. */
  readonly title: string
  readonly body: Html
  /** The entry of the navigation that this page is, such as `/account/works`. */
  readonly current?: string
  /** A message about what was just done, or what went wrong. */
  readonly flash?: { readonly kind: 'success' | 'error' | 'info'; readonly text: string }
  /** Seconds, then where the browser goes by itself: for what a form must not redirect to. */
  readonly refresh?: { readonly seconds: number; readonly url: string }
  /** 200 unless told. */
  readonly status?: number
}

/** What the frame of every page is made from. */
export type Frame = {
  /** Path of the auth prefix, such as `/auth`, or empty. */
  readonly prefix: string
  readonly stylesheet: string
  /** The name of the person signed in, if any: then the frame has its navigation. */
  readonly signedInAs?: string
  readonly csrf: string
}

/** The whole document of a page. */
export declare function renderPage(page: Page, frame: Frame): string
