import type { WidgetServices } from '../services.ts';
import { bootstrapEffect } from './effects/start-effects.ts';
import { MountedWidget, type MakeEffects } from './widgets.ts';
import type { IdentityProviderOptions } from './consent-options.ts';
import type { Effect } from './widget-store.ts';

/** The widget in which a person authorizes another app, or logs out for it. */
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
