import type { ConsentItem, ConsentSection, DescribedScope } from '../../domain/consent.ts';
import { bootstrapEffect } from './effects/surroundings.ts';
import { MountedWidget, type MakeEffects, type WidgetOptions, type WidgetServices } from './mounted-widget.ts';
import type { Effect } from './widget-store.ts';

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
  /** Asks also where another page shows this one in a frame (ours). False unless given: who is framed cannot see by whom. */
  readonly allowFraming?: boolean | undefined;
}

/** The widget in which a person lets another app in, or logs out for it. */
export class IdentityProviderWidget extends MountedWidget<IdentityProviderOptions> {
  constructor(services: WidgetServices, options: IdentityProviderOptions) {
    super(services, options, { screen: { name: 'IDPConsent' } });
    // There is nothing to show before the server has been asked.
    this.prepare();
  }

  protected override effects(): readonly Effect[] {
    return [bootstrapEffect(this.services.project)];
  }

  protected override async loadEffects(): Promise<MakeEffects> {
    const { consentEffects } = await import('./effects/consent.ts');
    return (services) => consentEffects(services, () => this.options);
  }
}
