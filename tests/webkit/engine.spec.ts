import { newAddress } from '../e2e/visitor.ts';
import { DEMO, expect, test } from './fixtures.ts';
import { askForCode, logOut, seeSignedIn, seeSignedOut } from './visitor.ts';
import { ENTER } from './webdriver.ts';

const HOME = `${DEMO}/standalone`;

test('a link signs in its own tab, and the tab that asked follows', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const address = newAddress();
  await webkit.goto(`${HOME}?by=link`);
  await webkit.type('#widget input', `${address}${ENTER}`, 'Email');
  await webkit.see('#widget :is(h1, h2)', 'Check your email');
  const [first] = await webkit.newTab();
  await webkit.goto(await inbox.linkFor(address));
  await seeSignedIn(webkit, address);
  await webkit.toTab(first);
  await seeSignedIn(webkit, address);
});

test(
  'a tab that was open before follows a login by code, and a sign-out',
  { tag: '@soak' },
  async ({ webkit, inbox }) => {
    const address = newAddress();
    await webkit.goto(HOME);
    const [first, second] = await webkit.newTab();
    await webkit.goto(HOME);
    await askForCode(webkit, address);
    await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
    await seeSignedIn(webkit, address);
    await webkit.toTab(first);
    await seeSignedIn(webkit, address);
    await logOut(webkit);
    await webkit.toTab(second);
    await seeSignedOut(webkit);
  },
);

test(
  'a page that comes back from the back-forward cache shows the sign-out of the meantime',
  { tag: '@soak' },
  async ({ webkit, inbox }) => {
    const address = newAddress();
    await webkit.goto(HOME);
    await askForCode(webkit, address);
    await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
    await seeSignedIn(webkit, address);
    await webkit.run("addEventListener('pageshow', ({ persisted }) => { window.isPersisted = persisted; })");
    await webkit.goto(`${DEMO}/`);
    await seeSignedIn(webkit, address);
    await logOut(webkit);
    await webkit.back();
    await seeSignedOut(webkit);
    expect(await webkit.run('return window.isPersisted')).toBe(true);
  },
);

for (const [what, flag] of [
  ['cookies', '--cookies-policy=never'],
  ['local storage', '--enable-html5-local-storage=false'],
  ['Web Locks', '--features=-WebLocksAPI'],
  ['IndexedDB', '--features=-IndexedDBAPI'],
] as const) {
  test.describe(`without ${what}`, () => {
    test.use({ flags: [flag] });
    test('a code signs in on this page', { tag: '@soak' }, async ({ webkit, inbox }) => {
      const address = newAddress();
      await webkit.goto(HOME);
      await askForCode(webkit, address);
      await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
      await seeSignedIn(webkit, address);
      await logOut(webkit);
    });
  });
}

test.describe('where a bound session can keep no key', () => {
  test.use({ flags: ['--features=-IndexedDBAPI'] });
  test('a code signs in, and the session is not bound', { tag: '@soak' }, async ({ webkit, inbox, boundDemo }) => {
    const address = newAddress();
    await webkit.goto(`${boundDemo}/standalone`);
    await askForCode(webkit, address);
    await webkit.type('#widget input', await inbox.codeFor(address), 'passcode');
    await seeSignedIn(webkit, address);
    expect(await webkit.run('return window.__demo.client.session.getSync().device_bound ?? false')).toBe(false);
    await logOut(webkit);
  });
});

test(
  "a page's rule for every drawing leaves the logo of a social login as it is",
  { tag: '@soak' },
  async ({ webkit }) => {
    const config = { products: ['oauth'], oauthOptions: { providers: [{ type: 'google' }] } };
    await webkit.goto(`${HOME}?config=${Buffer.from(JSON.stringify(config)).toString('base64url')}`);
    await webkit.see('#widget button', 'Continue with Google');
    const fills =
      "return [...document.querySelectorAll('#widget button svg')[0].children].map((path) => getComputedStyle(path).fill);";
    const before = await webkit.run(fills);
    expect(before).toHaveLength(4);
    await webkit.run(`
    const rule = document.createElement('style');
    rule.textContent = 'svg * { fill: red; stroke: lime !important; }';
    document.head.append(rule);`);
    expect(await webkit.run(fills)).toEqual(before);
  },
);
