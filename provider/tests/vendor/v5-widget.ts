import { OTPMethods, Products, StytchUIClient } from 'vendor-client-v5';
import { clientOptions, expose, publicToken } from './expose.ts';

const client = new StytchUIClient(publicToken, clientOptions);
const place = document.body.appendChild(document.createElement('div'));
place.id = 'widget';
client.mountLogin({
  elementId: '#widget',
  config: { products: [Products.otp], otpOptions: { methods: [OTPMethods.Email], expirationMinutes: 5 } },
});
expose(client);
