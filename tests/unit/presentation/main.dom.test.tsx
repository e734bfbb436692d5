import { cleanup, fireEvent, screen as page, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { OAUTH_PROVIDERS, type OAuthProvider } from '#domain/social/oauth-providers.ts';
import { ONE_TAP_FAULTS } from '#domain/social/one-tap.ts';
import type { WidgetState } from '#domain/screens/widget-state.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { apiError } from '../../gallery/fixtures.ts';
import { showScreen, showState } from './show.tsx';

afterEach(cleanup);

const providers = (...types: readonly string[]) => ({
  oauthOptions: { providers: types.map((type) => ({ type: type as OAuthProvider })) },
});
const SOCIAL: LoginConfig = { products: ['oauth', 'emailMagicLinks'], ...providers('google', 'github') };
const show = (config: LoginConfig, state: Partial<WidgetState> = {}) => showState(state, { config });

const labels = (): readonly (string | null)[] => page.getAllByRole('button').map(({ textContent }) => textContent);
const order = (): readonly string[] =>
  Array.from(document.querySelectorAll('[data-part=group] button, [data-part=divider], form'), (element) =>
    element.tagName === 'FORM' ? 'form' : (element.textContent ?? ''),
  );

describe('Main', () => {
  it('shows the groups in the order of the products, with an or on either side of the form', () => {
    show({ ...SOCIAL, products: ['oauth', 'emailMagicLinks', 'crypto'] });
    expect(order()).toEqual([
      'Continue with Google',
      'Continue with GitHub',
      'or',
      'form',
      'or',
      'Continue with other Crypto Wallet',
    ]);
    cleanup();
    show({ ...SOCIAL, products: ['emailMagicLinks', 'oauth'] });
    expect(order()).toEqual(['form', 'or', 'Continue with Google', 'Continue with GitHub']);
  });

  it('has no or where there is one group', () => {
    show({ ...SOCIAL, products: ['oauth', 'crypto'] });
    expect(page.queryByText('or')).toBeNull();
    cleanup();
    show({ products: ['emailMagicLinks'] });
    expect(page.queryByText('or')).toBeNull();
  });

  it('names the provider of a denied login, above the login methods, until one is chosen', () => {
    show(SOCIAL, { declined: { provider: 'github', reason: 'denied' } });
    const text = page.getByText(/^You did not continue with GitHub\./u, { selector: 'p' });
    expect(text.closest('[role=alert]')).toBeNull();
    expect(text.nextElementSibling?.textContent).toBe('Continue with Google');
    expect(document.querySelector('[data-part=announcer]')?.textContent).toBe(text.textContent);
    fireEvent.click(page.getByRole('button', { name: 'Continue with GitHub' }));
    expect(page.queryByText(/You did not continue/u, { selector: 'p' })).toBeNull();
  });

  it('shows that a login at a provider failed', () => {
    show(SOCIAL, { declined: { provider: 'github', reason: 'failed' } });
    expect(page.getByText(/^The login with GitHub did not work\./u, { selector: 'p' })).toBeTruthy();
  });

  it('has a button for each of the 19 providers, and none for another name', () => {
    const types = Object.keys(OAUTH_PROVIDERS);
    show({ products: ['oauth'], ...providers(...types, 'myspace', '__proto__') });
    expect(labels()).toEqual(Object.values(OAUTH_PROVIDERS).map((name) => `Continue with ${name}`));
    expect(document.querySelectorAll('[data-part=provider-mark]').length).toBe(19);
  });

  it('asks for the provider at its place in the configuration', () => {
    const { model } = show({ products: ['oauth'], ...providers('myspace', 'google', 'yahoo') });
    fireEvent.click(page.getByRole('button', { name: 'Continue with Yahoo' }));
    expect(model.sent('oauth/chosen')).toEqual([{ type: 'oauth/chosen', index: 2 }]);
  });

  it('shows the chosen one busy and everything else off, until the page is back', () => {
    const { model } = show(
      { ...SOCIAL, products: ['oauth', 'crypto', 'emailMagicLinks', 'passkeys'] },
      {
        passkeyAutofill: false,
      },
    );
    fireEvent.click(page.getByRole('button', { name: 'Continue with GitHub' }));
    const states = () =>
      page.getAllByRole('button').map((button) => [button.textContent, button.dataset['state']] as const);
    expect(Object.fromEntries(states())).toEqual({
      'Login with a Passkey': 'off',
      'Continue with Google': 'off',
      'Continue with GitHub': 'busy',
      'Continue with other Crypto Wallet': 'off',
      'Continue with email': 'off',
    });
    fireEvent.click(page.getByRole('button', { name: 'Continue with Google' }));
    fireEvent.click(page.getByRole('button', { name: 'Continue with GitHub' }));
    expect(model.sent('oauth/chosen').length).toBe(1);
    model.tell({ type: 'page/returned' });
    expect(states().map(([, state]) => state)).toEqual(states().map(() => 'idle'));
  });

  it('shows the error in the banner', () => {
    show(SOCIAL, { error: apiError('oauth_flow_callback_error') });
    expect(page.getByText('The login could not be completed. Please try again.')).toBeTruthy();
  });
});

describe('the passkey button', () => {
  const PASSKEYS: LoginConfig = { ...SOCIAL, products: ['oauth', 'emailMagicLinks', 'passkeys'] };

  it('stands above everything else, where the field offers no passkeys', () => {
    const { model } = show(PASSKEYS, { passkeyAutofill: false });
    expect(labels()[0]).toBe('Login with a Passkey');
    fireEvent.click(page.getByRole('button', { name: 'Login with a Passkey' }));
    expect(model.sent('passkey/chosen').length).toBe(1);
    expect(page.getByRole('button', { name: 'Login with a Passkey' }).getAttribute('aria-busy')).toBe('true');
  });

  it('is not there where the field does, nor while that is not known', () => {
    for (const passkeyAutofill of [true, null]) {
      show(PASSKEYS, { passkeyAutofill });
      expect(page.queryByRole('button', { name: 'Login with a Passkey' })).toBeNull();
      cleanup();
    }
  });

  it('comes with a field whose autocomplete ends in webauthn, and shows when that is there', () => {
    const { model } = show(PASSKEYS);
    expect(page.getByRole('textbox').getAttribute('autocomplete')).toBe('username webauthn');
    expect(model.sent('passkey/autofillReady').length).toBe(1);
    cleanup();
    const without = show(SOCIAL);
    expect(page.getByRole('textbox').getAttribute('autocomplete')).toBe('email');
    expect(without.model.sent('passkey/autofillReady')).toEqual([]);
  });

  it('leads to a confirmation', () => {
    showScreen({ name: 'PasskeyConfirmation' }, { config: PASSKEYS });
    expect(page.getByText('Your Passkey has been successfully authenticated.')).toBeTruthy();
  });

  it('shows the text of the specification when it fails', () => {
    for (const [type, text] of [
      ['passkey_login_failed', 'Unknown error occurred during passkey authentication. Please try again.'],
      [
        'webauthn_registration_not_found',
        'Passkey registration not found. You may have deleted the passkey from your account but not password manager. Please try again.',
      ],
    ] as const) {
      show(PASSKEYS, { error: apiError(type) });
      expect(page.getByText(text)).toBeTruthy();
      cleanup();
    }
  });
});

describe('the way of the last login', () => {
  const marked = (): readonly (string | null | undefined)[] =>
    page.queryAllByText('Last used').map((badge) => badge.parentElement?.textContent);

  it('is marked, in words that belong to its button', () => {
    show(SOCIAL, { lastMethod: 'oauth:github' });
    expect(marked()).toEqual(['Continue with GitHub Last used']);
    expect(page.getByRole('button', { name: 'Continue with GitHub Last used' })).toBeTruthy();
  });

  it('is marked beside the form too', () => {
    show(SOCIAL, { lastMethod: 'email' });
    expect(marked().length).toBe(1);
  });

  it('is not marked where it is the only one, is none of these, or nothing is to be remembered', () => {
    show({ products: ['emailMagicLinks'] }, { lastMethod: 'email' });
    show(SOCIAL, { lastMethod: 'oauth:myspace"><img src=x>' });
    show({ ...SOCIAL, rememberLastMethod: false }, { lastMethod: 'email' });
    expect(marked()).toEqual([]);
  });
});

describe('The form', () => {
  it('is not rendered again when the settings of the project arrive, which its logo and the watermark show', () => {
    let renderings = 0;
    const styles = {
      logo: { logoImageUrl: 'https://example.com/logo.png' },
      get hideHeaderText() {
        renderings += 1;
        return false;
      },
    };
    const { model } = showState({}, { config: SOCIAL, styles });
    model.set({ bootstrap: { ...DEFAULT_BOOTSTRAP, projectName: 'Planner', displayWatermark: true } });
    expect(renderings).toBe(1);
    expect(page.getByRole('img', { name: 'Planner' })).toBeTruthy();
    expect(page.getByRole('link').textContent).toBe('Powered by Portico');
    model.set({ pending: 'oauth/chosen', pendingIndex: 0 });
    expect(renderings).toBe(2);
  });
});

describe('One Tap', () => {
  const oneTap = (position?: 'embedded' | 'floating'): LoginConfig => ({
    products: ['oauth'],
    oauthOptions: { providers: [{ type: 'google', one_tap: true, ...(position ? { position } : {}) }] },
  });
  const plain = () => page.queryByRole('button', { name: 'Continue with Google' });

  it('is requested once its place exists, and awaited', () => {
    const { model } = show(oneTap());
    const [asked] = model.intents;
    expect(asked).toMatchObject({ type: 'oneTap/requested', index: 0, parentId: expect.any(String) });
    const { parentId } = asked as { readonly parentId: string };
    expect(document.querySelectorAll(`[id="${parentId}"]`).length).toBe(1);
    expect([plain(), page.getAllByRole('status')[0]?.textContent]).toEqual([null, 'Loading…']);
  });

  it('takes the place of the plain button while it is embedded, and of no button over the page', () => {
    const { model } = show(oneTap());
    model.set({ oneTap: { status: 'rendered', place: 'embedded' } });
    expect(plain()).toBeNull();
    model.set({ oneTap: { status: 'rendered', place: 'floating' } });
    expect(plain()).not.toBeNull();
    cleanup();
    show(oneTap('floating'));
    expect(plain()).not.toBeNull();
  });

  it('leaves the plain button in every other end', () => {
    const { model } = show(oneTap());
    model.set({ oneTap: { status: 'cancelled' } });
    expect(plain()).not.toBeNull();
    model.set({ oneTap: { status: 'refused', fault: null } });
    expect(plain()).not.toBeNull();
    expect(document.querySelector('[data-part=fault]')).toBeNull();
  });

  it('explains to a developer how to fix each fault', () => {
    const { model } = show(oneTap());
    for (const fault of ONE_TAP_FAULTS) {
      model.set({ oneTap: { status: 'refused', fault } });
      const told = document.querySelector<HTMLElement>('[data-part=fault]');
      expect(told && within(told).getByText(`Google One Tap: ${fault}.`)).toBeTruthy();
      expect(plain()).not.toBeNull();
    }
  });

  it('is taken away with its place', () => {
    const { model, unmount } = show(oneTap());
    unmount();
    expect(model.intents.map(({ type }) => type)).toEqual(['oneTap/requested', 'oneTap/removed']);
  });

  it('does not embed the prompt in a shadow root, where the script of Google cannot find its place', () => {
    const host = document.body.appendChild(document.createElement('div'));
    const container = host.attachShadow({ mode: 'open' }).appendChild(document.createElement('div'));
    const { model } = showState({}, { config: oneTap(), container });
    expect(model.intents[0]).toMatchObject({ parentId: null });
    host.remove();
  });
});
