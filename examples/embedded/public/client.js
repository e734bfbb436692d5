const { apiUrl } = await (await fetch('/settings.json')).json();

/** One client for the page, however many elements show the login. */
export const client = new Portico.PorticoUIClient('public-token-test-d1e70000-0000-4000-8000-000000000000', { apiUrl });

export const config = { products: ['otp'], otpOptions: { methods: ['email'] } };
