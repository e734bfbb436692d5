import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sessions } from '#application/api/index.ts';
import { PorticoProvider, useSession } from '#composition/react.tsx';
import type { PorticoUIClient } from '#composition/ui-client.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { GOOD, worldWith } from '../application/passwords/open-passwords.ts';
import { ADA, closePages, field, loadParts, login, Page } from './pressing/page.ts';

/** Bugs that users of other products reported on sessions, and on what a login leaves behind: see tests/bug-reports.md. */

const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const SOCIAL: LoginConfig = { products: ['oauth'], oauthOptions: { providers: [{ type: 'google' }] } };
const HOUR_MS = 3_600_000;

beforeAll(loadParts);
afterEach(() => {
  cleanup();
  closePages();
});

function Who() {
  const { session } = useSession();
  return <p id="who">{session === null ? 'nobody' : 'somebody'}</p>;
}
const who = (): string | null | undefined => document.querySelector('#who')?.textContent;
const show = (client: PorticoUIClient) =>
  render(
    <PorticoProvider client={client}>
      <Who />
    </PorticoProvider>,
  );
const alerts = (): string =>
  [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join('');

/** Calls that fail, of whoever is signed in. */
const FAILING: Readonly<Record<string, (client: PorticoUIClient) => Promise<unknown>>> = {
  'a wrong password': async (client) =>
    client.passwords.authenticate({ email: ADA, password: 'Wrong horse 1', session_duration_minutes: 60 }),
  'a wrong code': async (client) => {
    const { method_id } = await client.otps.email.loginOrCreate('bo@example.com');
    return client.otps.authenticate('000000', method_id, { session_duration_minutes: 60 });
  },
  'a link that is used up': async (client) => client.magicLinks.authenticate('spent', { session_duration_minutes: 60 }),
  'a social login that is used up': async (client) =>
    client.oauth.authenticate('spent', { session_duration_minutes: 60 }),
  'a weak password': async (client) => client.passwords.resetBySession({ password: '1', session_duration_minutes: 60 }),
  'a wrong argument': async (client) => client.otps.email.loginOrCreate(7 as never),
};

describe('who is signed in', () => {
  it.each(Object.entries(FAILING))('stays so after %s', async (_, call) => {
    const world = await worldWith('password');
    const page = new Page({ world });
    show(page.client);
    await act(() => world.signIn(page.client));
    await expect(call(page.client)).rejects.toThrow();
    await act(() => world.clock.advance(HOUR_MS / 2));
    expect(who()).toBe('somebody');
    await page.client.session.authenticate();
    expect(page.client.user.getSync()?.emails[0]?.email).toBe(ADA);
  });

  it('stays so after a change of the password', async () => {
    const world = await worldWith('password');
    const page = new Page({ world });
    show(page.client);
    await act(() => world.signIn(page.client));
    await act(() => page.client.passwords.resetBySession({ password: `${GOOD}2`, session_duration_minutes: 60 }));
    await act(() => world.clock.advance(HOUR_MS / 2));
    expect(who()).toBe('somebody');
    await page.client.session.authenticate();
  });

  it('signs out in one tab, and the other tab asks no more', async () => {
    const page = await login(CODES);
    const { client: other } = page.world.open();
    await page.world.signIn(other);
    await page.shows('Success!');
    await page.client.session.revoke();
    await page.settle();
    const { length } = page.world.transport.requestsTo(sessions.authenticate);
    await page.world.clock.advance(24 * HOUR_MS);
    expect(other.session.getSync()).toBe(null);
    expect(page.world.transport.requestsTo(sessions.authenticate)).toHaveLength(length);
    other.destroy();
  });
});

describe('a login', () => {
  it('that has succeeded says nothing of its code when the time of the code is over', async () => {
    const page = await login(CODES);
    await page.fill('email', ADA);
    await page.press('Continue with email');
    await page.fill('code', page.world.server.codeFor(ADA) ?? '');
    await page.shows('Success!');
    // A code is valid for ten minutes at most.
    await page.world.clock.advance(HOUR_MS / 4);
    await page.shows('Success!');
    expect(alerts()).toBe('');
    const told = page.heard.map(({ type }) => type);
    expect(told).toEqual(['OTP_LOGIN_OR_CREATE', 'OTP_AUTHENTICATE', 'AUTHENTICATE_FLOW_COMPLETE']);
  });

  it('at a provider that is given up leaves no more entries at the twentieth time than at the tenth', async () => {
    const world = (await login(SOCIAL)).world;
    closePages();
    const sizes: number[] = [];
    for (let times = 0; times < 20; times += 1) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      const page = await login(SOCIAL, { world });
      // oxlint-disable-next-line no-await-in-loop
      await page.press('Continue with Google');
      expect(page.tab.browser.navigations).toHaveLength(1);
      closePages();
      sizes.push(JSON.stringify([...world.storage.values]).length);
    }
    expect(sizes[19]).toBe(sizes[9]);
  });

  it('leads to a forgotten password by keyboard without an error', async () => {
    const page = await login({ products: ['passwords'] }, { world: await worldWith('password') });
    await page.fill('email', ADA);
    await page.press('Continue with email');
    const forgot = await page.until(() => page.button('Forgot Password?'));
    forgot.focus();
    fireEvent.keyDown(forgot, { key: 'Enter' });
    forgot.click();
    await page.shows('Forgot password?');
    expect(alerts()).toBe('');
    await page.press('Back');
    const email = await page.until(() => field('email'));
    expect(alerts()).toBe('');
    expect(email.getAttribute('aria-invalid')).not.toBe('true');
  });
});
