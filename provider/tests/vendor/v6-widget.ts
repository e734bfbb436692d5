import { createStytchClient, OTPMethods, Products, StytchUI } from '@stytch/vanilla-js';
import { clientOptions, expose, publicToken } from './expose.ts';

const client = createStytchClient(publicToken, clientOptions);
customElements.define('stytch-ui', StytchUI);
const widget = document.body.appendChild(document.createElement('stytch-ui'));
(widget as InstanceType<typeof StytchUI>).render({
  client,
  config: { products: [Products.otp], otpOptions: { methods: [OTPMethods.Email], expirationMinutes: 5 } },
});
expose(client);
