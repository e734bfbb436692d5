import type { ConsentItem, ConsentSection, DescribedScope } from '../../domain/consent.ts';
import type { WidgetOptions } from './widget-options.ts';

/** What a host's own consent screen is made from: what the person can grant, and who asks. */
export interface ConsentManifestInput {
  readonly scopes: readonly DescribedScope[];
  readonly clientName: string;
}

type ManifestItem = string | ConsentItem | DescribedScope;

/** Items, each a line, a line with details or one of the scopes that were given, or sections of them under headers. */
export type ConsentManifest =
  | readonly ManifestItem[]
  | readonly (Omit<ConsentSection, 'items'> & { readonly items: readonly ManifestItem[] })[];

export interface IdentityProviderOptions extends WidgetOptions {
  readonly getIDPConsentManifest?: ((input: ConsentManifestInput) => ConsentManifest) | undefined;
  /**
   * A token of a trusted issuer, which makes the session in place of the one that there is. Unless both members are there,
   * it counts as not given.
   */
  readonly authTokenParams?:
    | { readonly trustedAuthToken: string | null | undefined; readonly tokenProfileID: string | null | undefined }
    | null
    | undefined;
  /**
   * Asks for consent also inside a frame of another page (ours). False unless given: a person in a frame cannot see which
   * site shows it.
   */
  readonly allowFraming?: boolean | undefined;
}
