import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { otps } from '#application/api/index.ts';
import { PorticoProvider, useSession } from '#composition/react.tsx';
import type { AuthError } from '#domain/errors.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { withPasskey } from '../application/social/passkey-world.ts';
import { ADA, closePages, field, loadParts, login, Page } from './pressing/page.ts';

/** Bugs that users of other products reported, on a whole page: see tests/bug-reports.md. */

const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const PASSKEYS: LoginConfig = { products: ['otp', 'passkeys'], otpOptions: { methods: ['email'] } };

beforeAll(loadParts);
afterEach(() => {
  cleanup();
  closePages();
});

const shown = (): string => document.querySelector('#place')?.textContent ?? '';

function Who() {
  const { session } = useSession();
  return <p id="who">{session === null ? 'nobody' : 'somebody'}</p>;
}
const who = (): string | null | undefined => document.querySelector('#who')?.textContent;

describe('a listener of the page', () => {
  it('may wait for a call of the client: neither it nor the login waits without an end', async () => {
    const page = await login(CODES);
    const heard: string[] = [];
    const hear = async (): Promise<void> => {
      await page.client.session.authenticate();
      heard.push('authenticated');
      await page.client.session.revoke();
      heard.push('revoked');
    };
    // oxlint-disable-next-line typescript/no-misused-promises -- the promise that a listener of a page returns
    page.client.session.onChange((session) => (session === null ? undefined : hear()));
    const { method_id } = await page.client.otps.email.loginOrCreate(ADA);
    await page.client.otps.authenticate(page.world.server.codeFor(ADA) ?? '', method_id, {
      session_duration_minutes: 60,
    });
    await page.until(() => (heard.length === 2 ? heard : null));
    expect(heard).toEqual(['authenticated', 'revoked']);
    expect(page.client.session.getSync()).toBe(null);
  });
});

describe('a login', () => {
  it('is there again after a sign-out, mounted again or not', async () => {
    const page = await login(CODES);
    await page.world.signIn(page.client);
    await page.shows('Success!');
    await page.client.session.revoke();
    await page.shows('Sign up or log in');
    page.client.mountLogin({ elementId: '#place', config: CODES });
    await page.fill('email', ADA);
    await page.press('Continue with email');
    await page.shows('Enter passcode');
    expect(page.world.transport.requestsTo(otps.emailLoginOrCreate)).toHaveLength(2);
  });
});

describe('a login by passkey', () => {
  it('shows no error on its way, and the hooks of the page hear of it', async () => {
    const page = new Page({ world: await withPasskey() });
    render(
      <PorticoProvider client={page.client}>
        <Who />
      </PorticoProvider>,
    );
    const errors: AuthError[] = [];
    page.client.mountLogin({
      elementId: '#place',
      config: { products: ['passkeys', 'oauth'], oauthOptions: { providers: [{ type: 'google' }] } },
      callbacks: { onError: (error) => void errors.push(error) },
    });
    const seen = new Set<string>();
    const watch = new MutationObserver(() => {
      for (const { textContent } of document.querySelectorAll('[role=alert]')) if (textContent) seen.add(textContent);
    });
    watch.observe(document.body, { subtree: true, childList: true, characterData: true });
    expect(who()).toBe('nobody');
    await page.press('Login with a Passkey');
    await page.shows('Success!');
    await act(() => page.settle());
    expect(who()).toBe('somebody');
    watch.disconnect();
    expect([...seen]).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('that the autofill offers is no error when a person goes on by email, and writes nothing into the field', async () => {
    const page = new Page({
      world: await withPasskey(),
      prepare: ({ webauthn }) => {
        webauthn.inputs.push('username webauthn');
        webauthn.hold();
      },
    });
    const errors: AuthError[] = [];
    page.client.mountLogin({
      elementId: '#place',
      config: PASSKEYS,
      callbacks: { onError: (error) => void errors.push(error) },
    });
    await page.until(() => (page.tab.webauthn.isRunning ? true : null));
    expect(field('email')?.value).toBe('');
    await page.fill('email', ADA);
    await page.press('Continue with email');
    await page.shows('Enter passcode');
    expect(page.tab.webauthn.isRunning).toBe(false);
    expect(errors).toEqual([]);
    expect([...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join('')).toBe('');
  });
});

describe('a wallet', () => {
  it('whose question was cancelled is asked by a press alone, not by the next load of the page', async () => {
    const page = await login({ products: ['crypto'] }, { prepare: ({ wallet }) => void (wallet.refuses = 'connect') });
    await page.press('Continue with MetaMask');
    await page.shows('Looks like there was an error!');
    const { world } = page;
    closePages();
    const next = await login({ products: ['crypto'] }, { world });
    await next.until(() => next.button('Continue with MetaMask'));
    await world.clock.advance(10_000);
    expect(next.tab.wallet.asked).toEqual([]);
    expect(shown()).toContain('Continue with MetaMask');
  });
});
