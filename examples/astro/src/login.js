/** The same on the server, which renders the form, and in the page, which takes it over. */
export const options = {
  config: { products: ['otp'], otpOptions: { methods: ['email'] } },
  styles: { preset: 'modern' },
};
