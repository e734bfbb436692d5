import type { ConsentItem, ConsentSection } from '../../domain/consent.ts';
import { lateEffects } from './effects/late-effects.ts';
import { bootstrapEffect } from './effects/surroundings.ts';
import { MountedWidget, type WidgetOptions, type WidgetParts } from './mounted-widget.ts';
import type { Effect } from './widget-store.ts';

/** What a host's own consent screen is made from. */
export interface ConsentManifestInput {
  readonly scopes: readonly { readonly scope: string; readonly description: string }[];
  readonly clientName: string;
}

/** Items, each a line or a line with details, or sections of them under headers. */
export type ConsentManifest =
  | readonly (string | ConsentItem)[]
  | readonly (Omit<ConsentSection, 'items'> & { readonly items: readonly (string | ConsentItem)[] })[];

export interface IdentityProviderOptions extends WidgetOptions {
  readonly getIDPConsentManifest?: ((input: ConsentManifestInput) => ConsentManifest) | undefined;
  readonly authTokenParams?: { readonly trustedAuthToken: string; readonly tokenProfileID: string } | undefined;
}

/** The widget in which a person lets another app in, or logs out for it. */
export class IdentityProviderWidget extends MountedWidget<IdentityProviderOptions> {
  constructor(parts: WidgetParts, options: IdentityProviderOptions) {
    super(parts, options, { screen: { name: 'IDPConsent' } });
  }

  protected override effects(): readonly Effect[] {
    const { parts } = this;
    return [
      lateEffects(async () => {
        const { consentEffects } = await import('./effects/consent.ts');
        return consentEffects(parts, () => this.options);
      }),
      bootstrapEffect(parts.project),
    ];
  }
}
