import { bootstrapEffect, checkingEffect } from './effects/start-effects.ts';
import type { WidgetServices } from '../services.ts';
import { MountedWidget, type MakeEffects } from './widgets.ts';
import type { WidgetOptions } from './widget-options.ts';
import type { Effect } from './widget-store.ts';

/** The widget in which the signed-in user sets up passkeys. */
export class PasskeyRegistrationWidget extends MountedWidget {
  constructor(services: WidgetServices, options: WidgetOptions) {
    super(services, options, { screen: { name: 'PasskeyRegistrationStart', creation: null } });
    // What the device can do, and the passkeys that there are, show as soon as they are known.
    this.prepare();
  }

  protected override effects(): readonly Effect[] {
    const { refresher, project } = this.services;
    return [checkingEffect(refresher.checking$), bootstrapEffect(project)];
  }

  protected override async loadEffects(): Promise<MakeEffects> {
    const { passkeyRegistrationEffects } = await import('./effects/passkey-registration.ts');
    return (services) => passkeyRegistrationEffects(services, () => this.options.config);
  }
}
