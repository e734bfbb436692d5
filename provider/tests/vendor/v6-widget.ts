import {
  createStytchClient,
  Products,
  StytchIdentityProvider,
  StytchPasskeyRegistration,
  StytchResetPassword,
  StytchUI,
} from '@stytch/vanilla-js';
import { clientOptions, expose, publicToken } from './expose.ts';
import { callbacks, configWith, told, tokenOfPage, widgetOptions } from './widget-options.ts';

const client = createStytchClient(publicToken, clientOptions);
const elements = {
  login: StytchUI,
  reset: StytchResetPassword,
  passkeys: StytchPasskeyRegistration,
  consent: StytchIdentityProvider,
};
for (const [kind, element] of Object.entries(elements)) customElements.define(`stytch-${kind}`, element);
const { kind } = widgetOptions();
const widget = document.body.appendChild(document.createElement(`stytch-${kind}`)) as unknown as {
  render(props: object): void;
};
widget.render({ client, config: configWith(Products), callbacks, passwordResetToken: tokenOfPage() });
expose(client);
Object.assign(window, { told });
