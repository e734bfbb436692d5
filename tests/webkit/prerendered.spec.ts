import { newAddress } from '../e2e/visitor.ts';
import { expect, test } from './fixtures.ts';
import { ENTER } from './webdriver.ts';

const SMS = { products: ['otp', 'passwords'], otpOptions: { methods: ['sms'] } } as const;
const OTP = { products: ['otp'], otpOptions: { methods: ['email'] } } as const;
/** The field as it is before and after the script: that element, its text and its caret. */
const MARK = `
  const field = document.querySelector('#login input[type=tel]');
  field.setSelectionRange(2, 5);
  window.typed = field;`;
const KEPT = `
  const field = document.activeElement;
  return [window.typed === field, field.value.replace(/\\D/g, ''), field.selectionEnd !== field.value.length];`;
/** No reply to the check of a reset's token: a refusal that is quicker than the takeover would lead to another screen. */
const UNCHECKED = `
  const send = window.fetch;
  window.fetch = (request, ...rest) =>
    String(request.url ?? request).endsWith('/reset/check') ? new Promise(() => {}) : send(request, ...rest);`;
const TAKEN = "return document.querySelector('[data-portico-rendered]') === null && globalThis.client !== undefined";

test(
  'typed text is kept while the script is held back, and Enter is done when it arrives',
  { tag: '@soak' },
  async ({ webkit, site, inbox }) => {
    const address = newAddress();
    await webkit.goto(await site.add({ login: { config: SMS } }));
    await webkit.type('#login input[type=tel]', '2125550123');
    await webkit.run(MARK);
    site.release();
    await webkit.until('the takeover', TAKEN);
    expect(await webkit.run(KEPT)).toEqual([true, '2125550123', true]);

    await webkit.goto(await site.add({ login: { config: OTP } }));
    await webkit.type('#login input', `${address}${ENTER}`);
    await webkit.see('#login button[aria-busy=true]');
    site.release();
    await webkit.see('#login h1, #login h2', 'Enter passcode');
    expect(await inbox.messagesTo(address)).toHaveLength(1);
  },
);

for (const [widget, text] of [
  ['reset', 'Reset your password'],
  ['consent', 'One moment…'],
  ['account', 'Your account'],
] as const) {
  test(
    `the first screen is the widget’s own, which takes it over: ${widget}`,
    { tag: '@soak' },
    async ({ webkit, site }) => {
      await webkit.goto(await site.add({ widget, login: {} }));
      await webkit.see('#login *', text);
      await webkit.run("window.rendered = document.querySelector('#login [data-part=container]').parentElement");
      await webkit.run(UNCHECKED);
      site.release();
      await webkit.until('the takeover', TAKEN);
      expect(await webkit.run("return window.rendered === document.querySelector('[data-portico]')")).toBe(true);
    },
  );
}
