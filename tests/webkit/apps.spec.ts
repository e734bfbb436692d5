import { newAddress } from '../e2e/visitor.ts';
import { APP, DEMO, test } from './fixtures.ts';
import { askForCode, seeSignedIn, seeSignedOut } from './visitor.ts';

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
    await webkit.see('main strong', address);
    await webkit.click('button', 'Log out');
    await webkit.click('button', 'Sign in with Portico');
    await webkit.see('#widget :is(h1, h2)', 'Sign up or log in');
  },
);

test('who denies is told so by the app, and is asked again', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = newAddress();
  await webkit.goto(APP);
  await webkit.click('button', 'Sign in with Portico');
  await askForCode(webkit, address);
  await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
  await webkit.click('#widget button', 'Deny');
  await webkit.see(':is(h1, h2)', 'You are not signed in');
  await webkit.see('[role=alert]', 'did not allow Weekly Planner');
  await webkit.goto(APP);
  await webkit.click('button', 'Sign in with Portico');
  await webkit.see('#widget *', `Signed in as ${address}`);
  await webkit.see('#widget button', 'Allow');
});

test('another account can be used for the app that asked', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const [first, second] = [newAddress(), newAddress()];
  await webkit.goto(APP);
  await webkit.click('button', 'Sign in with Portico');
  await askForCode(webkit, first);
  await webkit.type('#widget input', await inbox.codeFor(first), 'passcode');
  await webkit.see('#widget *', `Signed in as ${first}`);
  await webkit.click('#widget button', 'Use another account');
  await askForCode(webkit, second);
  await webkit.type('#widget input', await inbox.codeFor(second), 'passcode');
  await webkit.see('#widget *', `Signed in as ${second}`);
  await webkit.click('#widget button', 'Allow');
  await webkit.see('main strong', second);
});

test('logging out for an app asks first: No stays, Yes leaves', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = newAddress();
  const query = new URLSearchParams({
    client_id: 'client-demo-relying-party',
    post_logout_redirect_uri: `${APP}/`,
    build: 'standalone',
  });
  await webkit.goto(`${DEMO}/standalone`);
  await askForCode(webkit, address);
  await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
  await seeSignedIn(webkit, address);
  await webkit.goto(`${DEMO}/authorize?${query.toString()}`);
  await webkit.see('#widget :is(h1, h2)', 'Log out?');
  await webkit.see('#widget *', `Signed in as ${address}`);
  await webkit.click('#widget button', 'No');
  await webkit.see('#widget :is(h1, h2)', 'You have not been logged out.');
  await webkit.reload();
  await webkit.click('#widget button', 'Yes');
  await webkit.see('button', 'Sign in with Portico');
  await webkit.goto(`${DEMO}/standalone`);
  await seeSignedOut(webkit);
});

test('the account page leads to the login and back', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = newAddress();
  await webkit.goto(`${DEMO}/account?build=standalone`);
  await webkit.click('#widget button', 'Sign in');
  await askForCode(webkit, address);
  await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
  await webkit.see('#widget :is(h1, h2)', 'Your account');
  await webkit.see('#widget *', address);
});
