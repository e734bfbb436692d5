import type { Consent } from '../consent.ts';

/** What the person asks of the consent widget (specification, section 4). */
export type ConsentIntent =
  | { readonly type: 'consent/allowed' }
  | { readonly type: 'consent/denied' }
  /** Signs out here, so that somebody else can sign in. */
  | { readonly type: 'consent/switched' }
  /** Begins the flow anew after a failure. */
  | { readonly type: 'consent/retried' }
  | { readonly type: 'logout/confirmed' }
  | { readonly type: 'logout/refused' };

/** What comes of it. */
export type ConsentOutcome =
  /** The flow as it stands now. */
  | { readonly type: 'consent/changed'; readonly consent: Consent }
  | {
      readonly type: 'consent/started';
      readonly client_id: string;
      readonly redirect_uri: string;
      readonly scope: string;
    }
  | { readonly type: 'consent/completed' }
  | { readonly type: 'consent/refused' };
