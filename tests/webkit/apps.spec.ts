import { newAddress } from '../e2e/visitor.ts';
import { APP, DEMO, test } from './fixtures.ts';
import { askForCode } from './visitor.ts';

test(
  'another app signs its user in here, unasked the second time, and logs out',
  { tag: '@soak' },
  async ({ webkit, inbox }) => {
    const address = newAddress();
    await webkit.goto(APP);
    await webkit.click('button', 'Sign in with Portico');
    await askForCode(webkit, address);
    await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
    await webkit.see('#widget :is(h1, h2)', 'Sign in to');
    await webkit.click('#widget button', 'Allow');
    await webkit.see('main', address);
    await webkit.click('button', 'Log out');
    await webkit.click('button', 'Sign in with Portico');
    await webkit.see('#widget :is(h1, h2)', 'Sign up or log in');
  },
);

test('the account page leads to the login and back', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = newAddress();
  await webkit.goto(`${DEMO}/account?build=standalone`);
  await webkit.click('#widget button', 'Sign in');
  await askForCode(webkit, address);
  await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
  await webkit.see('#widget :is(h1, h2)', 'Your account');
  await webkit.see('#widget *', address);
});
