import { lateEffects } from './effects/lazy-effects.ts';
import { bootstrapEffect, checkingEffect } from './effects/surroundings.ts';
import { MountedWidget, type WidgetOptions, type WidgetParts } from './mounted-widget.ts';
import type { Effect } from './widget-store.ts';

/** The widget in which who is signed in sets up passkeys. */
export class PasskeyRegistrationWidget extends MountedWidget {
  constructor(parts: WidgetParts, options: WidgetOptions) {
    super(parts, options, { screen: { name: 'PasskeyRegistrationStart', creation: null } });
  }

  protected override effects(): readonly Effect[] {
    const { parts } = this;
    return [
      lateEffects(async () => {
        const { passkeyRegistrationEffects } = await import('./effects/passkey-registration.ts');
        return passkeyRegistrationEffects(parts, () => this.options.config);
      }),
      checkingEffect(parts.refresher.checking$),
      bootstrapEffect(parts.project),
    ];
  }
}
