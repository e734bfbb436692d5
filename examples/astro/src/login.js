/** The same options on the server, which renders the form, and in the page. */
export const options = {
  config: { products: ['otp'], otpOptions: { methods: ['email'] } },
  styles: { preset: 'modern' },
};
