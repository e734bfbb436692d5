import type { ConsentItem, ConsentSection, DescribedScope } from '#domain/consent/consent.ts';
import type { WidgetOptions } from './widget-options.ts';

/** The input of a host's own consent screen: the scopes that the user can grant, and the app that requests them. */
export interface ConsentManifestInput {
  readonly scopes: readonly DescribedScope[];
  readonly clientName: string;
}

type ManifestItem = string | ConsentItem | DescribedScope;

/** Items (a line, a line with details, or one of the given scopes), or sections of items under headers. */
export type ConsentManifest =
  | readonly ManifestItem[]
  | readonly (Omit<ConsentSection, 'items'> & { readonly items: readonly ManifestItem[] })[];

export interface IdentityProviderOptions extends WidgetOptions {
  /** Returns the permissions that the consent screen lists. Default: the scopes. */
  readonly getIDPConsentManifest?: ((input: ConsentManifestInput) => ConsentManifest) | undefined;
  /**
   * A token of a trusted issuer, which creates a session that replaces the current one. It is ignored unless both members
   * are given.
   */
  readonly authTokenParams?:
    | { readonly trustedAuthToken: string | null | undefined; readonly tokenProfileID: string | null | undefined }
    | null
    | undefined;
  /**
   * Allows consent inside a frame of another page (not in the reference client). The default is false, because a user cannot see the
   * site of a frame. A request that wants no page (`prompt=none`) is answered in any frame.
   */
  readonly allowFraming?: boolean | undefined;
  /**
   * Reports `OAUTH_AUTHORIZE_FLOW_COMPLETE` or `OAUTH_AUTHORIZE_FLOW_CONSENT_DENIED` also when the browser leaves for the app, just
   * before it does (not in the reference client). The default is false: they are reported only when there is no address to navigate
   * to.
   */
  readonly reportsBeforeLeaving?: boolean | undefined;
  /**
   * The page on which users see their connected apps and revoke their access, such as the one with the account widget: an https
   * address, or a path of this site that begins with `/` (not in the reference client). The consent page links to it. Without it,
   * the consent page names the place without a link.
   */
  readonly accountUrl?: string | undefined;
}
