import type { WidgetState } from '../../domain/screens/widget-state.ts';
import { lateEffects } from './effects/lazy-effects.ts';
import { bootstrapEffect, checkingEffect, signedInEffect } from './effects/surroundings.ts';
import { MountedWidget, type WidgetOptions, type WidgetParts } from './mounted-widget.ts';
import type { Effect } from './widget-store.ts';

/** What the host said of a reset page. */
export interface ResetOptions extends WidgetOptions {
  /** The token of the emailed link. */
  readonly token: string;
}

/** What decides how Main looks at once: nothing moves when the rest is known. */
function knownAtStart({ browser, storage, keys }: WidgetParts): Pick<WidgetState, 'lastMethod' | 'passkeyAutofill'> {
  const none = !browser.mayAutofillPasskeys || storage.get(keys.storage('no_passkey_autofill')) !== null;
  return { lastMethod: storage.get(keys.storage('last_method')), passkeyAutofill: none ? false : null };
}

/** The login widget; with a token, the one of the page that a reset mail leads to. */
export class LoginWidget<Options extends WidgetOptions = WidgetOptions> extends MountedWidget<Options> {
  constructor(parts: WidgetParts, options: Options, tokenType?: 'login' | 'reset') {
    super(parts, options, {
      ...knownAtStart(parts),
      ...(tokenType === undefined ? {} : { screen: { name: 'PasswordResetForm', tokenType } }),
    });
    if (tokenType === 'login') this.store.send({ type: 'resetLink/opened' });
  }

  protected override effects(): readonly Effect[] {
    const { parts } = this;
    const options = (): WidgetOptions | ResetOptions => this.options;
    return [
      lateEffects(async () => {
        const { loginEffects } = await import('./effects/login-effects.ts');
        return loginEffects(parts, options);
      }),
      signedInEffect(parts.sessions),
      checkingEffect(parts.refresher.checking$),
      bootstrapEffect(parts.project),
    ];
  }
}
