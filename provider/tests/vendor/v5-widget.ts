import { Products, StytchUIClient } from 'vendor-client-v5';
import { clientOptions, expose, publicToken } from './expose.ts';
import { callbacks, configWith, told, tokenOfPage, widgetOptions } from './widget-options.ts';

const client = new StytchUIClient(publicToken, clientOptions);
const place = document.body.appendChild(document.createElement('div'));
place.id = 'widget';
const widget = { elementId: '#widget', config: configWith(Products), callbacks };
const mount = {
  login: () => client.mountLogin(widget),
  reset: () => client.mountResetPassword({ ...widget, passwordResetToken: tokenOfPage() }),
  passkeys: () => client.mountPasskeyRegistration(widget),
  consent: () => client.mountIdentityProvider(widget),
};
mount[widgetOptions().kind]();
expose(client);
Object.assign(window, { told });
