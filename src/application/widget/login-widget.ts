import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { bootstrapEffect, checkingEffect, signedInEffect } from './effects/start-effects.ts';
import type { Core, WidgetServices } from '../services.ts';
import { MountedWidget, type MakeEffects } from './widgets.ts';
import type { WidgetOptions } from './widget-options.ts';
import type { Effect } from './widget-store.ts';

/** The facts that decide Main's first look, so that nothing moves when the rest is known. */
function knownAtStart({ browser, storage, keys }: Core): Pick<WidgetState, 'lastMethod' | 'passkeyAutofill'> {
  const none = !browser.mayAutofillPasskeys || storage.get(keys.storage('no_passkey_autofill')) !== null;
  return { lastMethod: storage.get(keys.storage('last_method')), passkeyAutofill: none ? false : null };
}

/** The login widget; with a token, the one of the page that a reset mail leads to. */
export class LoginWidget<Options extends WidgetOptions = WidgetOptions> extends MountedWidget<Options> {
  constructor(services: WidgetServices, options: Options, tokenType?: 'login' | 'reset') {
    super(services, options, {
      ...knownAtStart(services),
      ...(tokenType === undefined ? {} : { screen: { name: 'PasswordResetForm', tokenType } }),
    });
    if (tokenType === 'login') this.store.send({ type: 'resetLink/opened' });
    // The token is checked before anybody thinks up a password for it.
    if (tokenType === 'reset') this.prepare();
  }

  protected override effects(): readonly Effect[] {
    const { sessions, refresher, project } = this.services;
    return [signedInEffect(sessions), checkingEffect(refresher.checking$), bootstrapEffect(project)];
  }

  protected override async loadEffects(): Promise<MakeEffects> {
    const { loginEffects } = await import('./effects/login-effects.ts');
    return (services) => loginEffects(services, () => this.options);
  }
}
