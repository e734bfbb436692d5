/** The consent and logout pages of an identity provider (specification, sections 2 and 4). */

/** One thing an app asks for: a line, and what it means in detail. */
export interface ConsentItem {
  readonly text: string;
  readonly details?: readonly string[] | undefined;
}

/** Items under a header of their own. */
export interface ConsentSection {
  readonly header: string;
  readonly items: readonly ConsentItem[];
}

/** Where an authorize or logout flow stands. */
export type Consent =
  | { readonly status: 'loading' }
  /** `message` is for the person; null stands for the generic one. */
  | { readonly status: 'error'; readonly message: string | null }
  | { readonly status: 'noSession' }
  | { readonly status: 'denied' }
  | { readonly status: 'success' }
  | {
      readonly status: 'consentRequired';
      readonly clientName: string;
      readonly logoUrl: string | null;
      /** All that is asked for is standard: the title says 'Sign in to …'. */
      readonly standardOnly: boolean;
      readonly sections: readonly ConsentSection[];
      /** The descriptions of what this person cannot grant. */
      readonly ungrantable: readonly string[];
    }
  | { readonly status: 'confirmLogout' }
  | { readonly status: 'notLoggedOut' };
