import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { otps, users } from '#application/api/index.ts';
import { Login, PorticoProvider } from '#composition/react.tsx';
import type { AuthError } from '#domain/errors.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { no, withPasskey } from '../application/social/passkey-world.ts';
import { ADA, closePages, field, loadParts, login, Page } from './pressing/page.ts';

/** Bugs that users of other products reported on a login by email or passkey: see tests/bug-reports.md. */

const CODES: LoginConfig = { products: ['otp'], otpOptions: { methods: ['email'] } };
const PASSKEYS: LoginConfig = { products: ['otp', 'passkeys'], otpOptions: { methods: ['email'] } };

beforeAll(loadParts);
afterEach(() => {
  cleanup();
  closePages();
});

const alerts = (): string =>
  [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent).join('');
const sentTo = ({ world }: Page): readonly unknown[] =>
  world.transport
    .requestsTo(otps.emailLoginOrCreate)
    .map(({ body }) => (body as { readonly email?: unknown } | undefined)?.email);
const codeOf = ({ world }: Page, address = ADA): string => world.server.codeFor(address) ?? '';
const otherThan = (code: string): string => (code === '000000' ? '111111' : '000000');

/** The next page of the same tab, which was loaded again. */
async function reload(before: Page, config: LoginConfig = CODES): Promise<Page> {
  const { world, tab } = before;
  closePages();
  return login(config, { world, prepare: (next) => void Object.assign(next, { tabStorage: tab.tabStorage }) });
}

async function atCode(page: Page, address = ADA): Promise<Page> {
  await page.fill('email', address);
  await page.press('Continue with email');
  await page.shows('Enter passcode');
  return page;
}

describe('the code screen', () => {
  it('sends no other code when the page is loaded again, and takes the first one', async () => {
    const before = await atCode(await login(CODES));
    let page = before;
    for (let times = 0; times < 3; times += 1) {
      page = await reload(page);
      await page.shows('Enter passcode');
      page.tab.browser.wake();
      await page.settle();
    }
    expect(sentTo(page)).toEqual([ADA]);
    await page.fill('code', codeOf(page));
    await page.shows('Success!');
  });

  it('stays when the page is shown again after an earlier session has ended', async () => {
    const first = await login(CODES);
    await first.world.signIn(first.client, ADA, 5);
    const { world } = first;
    closePages();
    await world.clock.advance(3_600_000);
    const page = await atCode(await login(CODES, { world }), 'bo@example.com');
    for (let times = 0; times < 4; times += 1) {
      await world.clock.advance(30_000);
      page.tab.browser.wake();
      await page.settle();
    }
    await page.shows('Enter passcode');
    await page.fill('code', codeOf(page, 'bo@example.com'));
    await page.shows('Success!');
  });

  it('leads back to an address that was mistyped, and its code goes to the right one', async () => {
    const page = await atCode(await login(CODES), 'ada@exmaple.org');
    await page.press('Back');
    await page.until(() => field('email'));
    expect(field('email')?.value).toBe('ada@exmaple.org');
    expect(field('email')?.readOnly).toBe(false);
    await atCode(page);
    expect(sentTo(page)).toEqual(['ada@exmaple.org', ADA]);
    await page.fill('code', codeOf(page));
    await page.shows('Success!');
  });

  it('says the same of a wrong code as often as it is entered, and Resend stays', async () => {
    const page = await atCode(await login(CODES));
    const wrong = otherThan(codeOf(page));
    for (let times = 1; times <= 3; times += 1) {
      await page.fill('code', wrong);
      await page.until(() => (alerts().includes('Invalid passcode') ? true : null));
      expect(page.world.transport.requestsTo(otps.authenticate)).toHaveLength(times);
    }
    await page.press('Resend code');
    await page.until(() => (sentTo(page).length === 2 ? true : null));
    await page.fill('code', codeOf(page));
    await page.shows('Success!');
  });

  it('takes its error along to no other screen', async () => {
    const page = await atCode(await login(CODES));
    await page.fill('code', otherThan(codeOf(page)));
    await page.until(() => (alerts().includes('Invalid passcode') ? true : null));
    await page.press('Back');
    await page.until(() => field('email'));
    expect(alerts()).toBe('');
    await page.press('Continue with email');
    await page.shows('Enter passcode');
    expect(alerts()).toBe('');
  });

  it.each(['', '12'])('does nothing at Enter in a code that is not complete: "%s"', async (typed) => {
    const page = await atCode(await login(CODES));
    const { length } = page.world.transport.requests;
    if (typed !== '') await page.fill('code', typed);
    const input = field('code');
    act(() => void fireEvent.keyDown(input as Element, { key: 'Enter' }));
    act(() => input?.form?.requestSubmit());
    await page.settle();
    await page.shows('Enter passcode');
    expect(field('code')?.value).toBe(typed);
    expect(page.world.transport.requests).toHaveLength(length);
  });
});

describe('the first screen', () => {
  it.each([CODES, { products: ['emailMagicLinks'] }, { products: ['passwords'] }] satisfies LoginConfig[])(
    'asks for an address where none was typed, and sends nothing: %j',
    async (config) => {
      const page = await login(config);
      const { length } = page.world.transport.requests;
      await page.press('Continue with email');
      expect(alerts()).toMatch(/email/iu);
      expect(document.activeElement).toBe(field('email'));
      expect(page.world.transport.requests).toHaveLength(length);
      expect(page.world.transport.requestsTo(users.search)).toEqual([]);
    },
  );

  it('keeps the focus and every letter while the page renders anew at each of them', async () => {
    const page = new Page();
    function Host() {
      const [count, setCount] = useState(0);
      const again = (): void => setCount((last) => last + 1);
      return (
        <div role="presentation" onInput={again} onKeyUp={again} data-count={count}>
          <PorticoProvider client={page.client}>
            <Login config={{ ...CODES }} styles={{ hideHeaderText: count > 99 }} callbacks={{ onEvent: again }} />
          </PorticoProvider>
        </div>
      );
    }
    render(<Host />);
    const first = await page.until(() => field('email'));
    first.focus();
    for (let length = 1; length <= ADA.length; length += 1) {
      act(() => void fireEvent.input(first, { target: { value: ADA.slice(0, length) } }));
      expect(field('email')).toBe(first);
      expect(document.activeElement).toBe(first);
    }
    expect(Number(document.querySelector('[data-count]')?.getAttribute('data-count'))).toBeGreaterThan(10);
    expect(first.value).toBe(ADA);
    await act(() => page.press('Continue with email'));
    await page.until(() => field('code'));
  });

  it('logs in after a login, a reload and a logout', async () => {
    const first = await atCode(await login(CODES));
    await first.fill('code', codeOf(first));
    await first.shows('Success!');
    const page = await reload(first);
    await page.client.session.revoke();
    await page.shows('Sign up or log in');
    await atCode(page);
    await page.fill('code', codeOf(page));
    await page.shows('Success!');
    expect(alerts()).toBe('');
  });
});

describe('passkeys in the autofill', () => {
  const withAutofill = async (prepare: (page: Page['tab']) => void): Promise<readonly [Page, readonly AuthError[]]> => {
    const page = new Page({
      world: await withPasskey(),
      prepare: (tab) => {
        tab.webauthn.inputs.push('username webauthn');
        prepare(tab);
      },
    });
    const errors: AuthError[] = [];
    page.client.mountLogin({
      elementId: '#place',
      config: PASSKEYS,
      callbacks: { onError: (error) => void errors.push(error) },
    });
    return [page, errors];
  };

  it('give way to the button, which logs in', async () => {
    let release = (): void => undefined;
    const [page, errors] = await withAutofill(({ webauthn }) => void (release = webauthn.hold()));
    await page.until(() => (page.tab.webauthn.isRunning ? true : null));
    await page.press('Use a passkey');
    release();
    await page.shows('Success!');
    expect(page.tab.webauthn.ceremonies.map(({ kind }) => kind)).toEqual(['conditional', 'modal']);
    expect(errors).toEqual([]);
    expect(alerts()).toBe('');
  });

  it.each(['NotSupportedError', 'SecurityError', 'NotAllowedError', 'UnknownError'])(
    'that fail at once (%s) leave the page and the form as they are',
    async (name) => {
      const [page] = await withAutofill(({ webauthn }) => void (webauthn.refusal = no(name)));
      await page.until(() => (page.tab.webauthn.ceremonies.length > 0 ? true : null));
      for (let times = 0; times < 3; times += 1) {
        await page.world.clock.advance(60_000);
        page.tab.browser.wake();
        await page.settle();
      }
      expect(page.tab.webauthn.ceremonies.length).toBeLessThan(10);
      expect(page.tab.browser.navigations).toEqual([]);
      expect(alerts()).toBe('');
      await atCode(page);
    },
  );
});
