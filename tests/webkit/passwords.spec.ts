import type { Inbox } from '../e2e/fixtures.ts';
import { ALONE, BETTER, GOOD, haveAccount, pageFor } from '../e2e/password-visitor.ts';
import { newAddress } from '../e2e/visitor.ts';
import { DEMO, expect, test } from './fixtures.ts';
import { logOut, seeSignedIn } from './visitor.ts';
import { ENTER, type Browser } from './webdriver.ts';

const PAGE = `${DEMO}${pageFor('/standalone', ALONE)}`;

async function enter(webkit: Browser, address: string, title: string): Promise<void> {
  await webkit.type('#widget input', `${address}${ENTER}`, 'Email');
  await webkit.see('#widget :is(h1, h2)', title);
}

async function goOn(webkit: Browser, password: string): Promise<void> {
  await webkit.type('#widget input', password, 'Password');
  await webkit.see('#widget button:not([aria-disabled=true])', 'Continue');
  await webkit.click('#widget button', 'Continue');
}

test('signs up with a password, and logs in with it', { tag: '@soak' }, async ({ webkit }) => {
  const address = newAddress();
  await webkit.goto(PAGE);
  await enter(webkit, address, 'Finish creating your account');
  await goOn(webkit, GOOD);
  await seeSignedIn(webkit, address);
  await logOut(webkit);
  await enter(webkit, address, 'Log In');
  await goOn(webkit, BETTER);
  await webkit.see('#widget *', 'Unauthorized credentials.');
  await webkit.clear('#widget input', 'Password');
  await goOn(webkit, GOOD);
  await seeSignedIn(webkit, address);
});

/** Somebody with a password says that it is forgotten; returns the address and the link of the mail. */
async function forget(webkit: Browser, inbox: Inbox): Promise<readonly [address: string, link: string]> {
  const address = newAddress();
  await haveAccount(address, GOOD);
  await webkit.goto(PAGE);
  await enter(webkit, address, 'Log In');
  await webkit.click('#widget button', 'Forgot Password?');
  await webkit.see('#widget :is(h1, h2)', 'Forgot password?');
  return [address, await inbox.linkFor(address)];
}

test(
  'a forgotten password is replaced by the link of the mail, also after a reload, and once',
  { tag: '@soak' },
  async ({ webkit, inbox }) => {
    const [address, link] = await forget(webkit, inbox);
    await webkit.goto(link);
    await webkit.see('#widget :is(h1, h2)', 'Reset your password');
    expect(await webkit.url()).not.toContain('token');
    await webkit.reload();
    await webkit.see('#widget :is(h1, h2)', 'Reset your password');
    await goOn(webkit, BETTER);
    await seeSignedIn(webkit, address);
    await webkit.goto(link);
    await webkit.see('#widget :is(h1, h2)', 'This link no longer works');
    await webkit.type('#widget input', `${address}${ENTER}`, 'Email');
    await webkit.see('#widget :is(h1, h2)', 'Forgot password?');
  },
);

test('the page of a reset logs in without a password', { tag: '@soak' }, async ({ webkit, inbox }) => {
  const [address, link] = await forget(webkit, inbox);
  await webkit.goto(link);
  await webkit.see('#widget :is(h1, h2)', 'Reset your password');
  await webkit.click('#widget button', 'Login without a password');
  await seeSignedIn(webkit, address);
});
