/** The account page, as people of WebKit use it. */
import type { Inbox } from '../e2e/fixtures.ts';
import { newAddress, otherThan } from '../e2e/visitor.ts';
import { APP, checkAlone, DEMO, expect, signInElsewhere, test } from './fixtures.ts';
import { askForCode } from './visitor.ts';
import { ENTER, type Browser } from './webdriver.ts';

const PAGE = `${DEMO}/account?build=standalone`;
const EVENTS = `
  return window.__demo.events.filter(({ type }) => type === 'ACCOUNT_CHANGED').map(({ data }) => data.change);`;

const FOCUS = `
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused?.textContent === arguments[0];`;
/** The driver knows of no file that is saved: this keeps the name and text of one, and saves none. */
const KEEP_SAVED = `
  const blobs = new Map();
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) => {
    const url = make(blob);
    blobs.set(url, blob);
    return url;
  };
  HTMLAnchorElement.prototype.click = function () {
    void blobs.get(this.href).text().then((text) => (window.saved = [this.download, text]));
  };`;

/** Signs in on the account page. */
async function enter(webkit: Browser, inbox: Inbox): Promise<string> {
  const address = newAddress();
  await webkit.goto(PAGE);
  await webkit.click('#widget button', 'Sign in');
  await askForCode(webkit, address);
  await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
  await webkit.see('#widget :is(h1, h2)', 'Your account');
  return address;
}

test(
  'a name is saved, an address is added with a code, and the last way to sign in stays',
  { tag: '@soak' },
  async ({ webkit, inbox }) => {
    const address = await enter(webkit, inbox);
    await webkit.click('#widget button', `Remove ${address}`);
    await webkit.see('#widget *', 'This is your only way to sign in.');
    await webkit.click('#widget button', 'Cancel');

    await webkit.click('#widget button', 'Edit your name');
    await webkit.type('#widget input', '<b>Ada</b>', 'First name');
    await webkit.type('#widget input', `Lovelace${ENTER}`, 'Last name');
    await webkit.see('#widget *', 'Your name was saved.');
    await webkit.see('#widget *', '<b>Ada</b> Lovelace');

    const second = newAddress();
    await webkit.click('#widget button', 'Add an email address');
    await webkit.type('#widget input', second, 'Email address');
    await webkit.click('#widget button', 'Send a code');
    await webkit.see('#widget input', 'passcode');
    const code = await inbox.codeFor(second);
    await webkit.type('#widget input', otherThan(code), 'passcode');
    await webkit.see('#widget *', 'Invalid passcode, please try again.');
    await webkit.type('#widget input', code, 'passcode');
    await webkit.see('#widget *', 'The email address was verified.');

    await webkit.click('#widget button', `Remove ${address}`);
    await webkit.click('#widget button', 'Yes, remove');
    await expect.poll(() => webkit.run(EVENTS)).toEqual(['nameChanged', 'emailAdded', 'emailRemoved']);
    await webkit.reload();
    await webkit.see('#widget *', '<b>Ada</b> Lovelace');
    await webkit.click('#widget button', 'Sign out');
    await webkit.see('#widget :is(h1, h2)', 'You are signed out');
  },
);

test('another browser is signed out from here', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = await enter(webkit, inbox);
  const token = await signInElsewhere(inbox, address);
  await webkit.reload();
  await webkit.click('#widget button', 'Sign out Firefox on Windows');
  await webkit.see('#widget [data-section=sessions] *', 'It can take a few minutes');
  await webkit.until('the focus at the heading', FOCUS, 'Where you are signed in');
  expect((await checkAlone(token))[0]).toBe(401);
  await webkit.reload();
  await webkit.see('#widget [data-section=sessions] li', 'This browser');
});

test('somebody takes the data along', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = await enter(webkit, inbox);
  await webkit.run(KEEP_SAVED);
  await webkit.click('#widget button', 'Download your data');
  const [name, text] = await webkit.until<readonly [string, string]>('a file', 'return window.saved');
  expect(name).toBe('account-data.json');
  const { user } = JSON.parse(text) as { user: { emails: readonly { email: string }[] } };
  expect(user.emails.map(({ email }) => email)).toEqual([address]);
});

test('a connected app loses its access', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = newAddress();
  await webkit.goto(APP);
  await webkit.click('button', 'Sign in with Portico');
  await askForCode(webkit, address);
  await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
  await webkit.click('#widget button', 'Allow');
  await webkit.see('main strong', address);
  await webkit.goto(PAGE);
  await webkit.click('#widget button', 'Revoke access: ');
  await webkit.click('#widget button:not([data-opens])', 'Revoke access');
  await webkit.see('#widget *', 'No app has access to your account.');
});

test('the account is deleted in all tabs', { tag: '@soak' }, async ({ webkit, inbox }) => {
  await enter(webkit, inbox);
  const [first] = await webkit.newTab();
  await webkit.goto(PAGE);
  await webkit.see('#widget :is(h1, h2)', 'Your account');
  await webkit.click('#widget button', 'Delete your account');
  await webkit.click('#widget button', 'Yes, delete my account');
  await webkit.see('#widget :is(h1, h2)', 'Your account is deleted');
  await webkit.toTab(first);
  await webkit.see('#widget :is(h1, h2)', 'You are signed out');
  await webkit.reload();
  await webkit.see('#widget :is(h1, h2)', 'You are not signed in');
});
