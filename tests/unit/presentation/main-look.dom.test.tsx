import { cleanup, fireEvent, screen as page } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { OAuthProvider } from '#domain/social/oauth-providers.ts';
import type { LoginConfig, OAuthOptions } from '#domain/widget/widget-config.ts';
import { showState } from './show.tsx';

afterEach(cleanup);

const social = (types: readonly OAuthProvider[], layout?: OAuthOptions['layout']): LoginConfig => ({
  products: ['oauth', 'emailMagicLinks', 'passkeys'],
  oauthOptions: { providers: types.map((type) => ({ type })), ...(layout && { layout }) },
});
const inRow = (): readonly (string | null)[] =>
  Array.from(document.querySelectorAll('[data-part=icons] button'), (button) => button.textContent);

describe('The row of social logins', () => {
  it.each<readonly OAuthProvider[]>([
    ['google', 'github', 'apple'],
    ['google', 'github', 'apple', 'slack'],
  ])('shows three and four with their names for screen readers: %s', (...types) => {
    const { model } = showState({ lastMethod: 'oauth:github' }, { config: social(types, 'row') });
    expect(inRow()).toHaveLength(types.length);
    expect(page.getByRole('button', { name: 'Continue with Google' })).toBeTruthy();
    expect(page.getByRole('button', { name: 'Continue with GitHub Last used' })).toBeTruthy();
    fireEvent.click(page.getByRole('button', { name: 'Continue with Apple' }));
    expect(model.sent('oauth/chosen')).toEqual([{ type: 'oauth/chosen', index: 2 }]);
  });

  it('is a list for fewer, for more, with the prompt of Google, and by default', () => {
    const one_tap = { providers: [{ type: 'google', one_tap: true }, { type: 'github' }, { type: 'apple' }] } as const;
    for (const config of [
      social(['google', 'github'], 'row'),
      social(['google', 'github', 'apple', 'slack', 'figma'], 'row'),
      { ...social([]), oauthOptions: { ...one_tap, layout: 'row' } } as const,
      social(['google', 'github', 'apple'], 'list'),
      social(['google', 'github', 'apple']),
    ]) {
      showState({}, { config });
      expect(inRow()).toEqual([]);
      cleanup();
    }
  });
});

describe('The first screen', () => {
  it('has few elements, because each costs style and layout: 35 for an email form and three social logins', () => {
    const { container } = showState(
      {},
      { config: { ...social(['google', 'microsoft', 'apple']), products: ['emailMagicLinks', 'oauth'] } },
    );
    expect(container.querySelectorAll('[data-portico] *').length).toBeLessThanOrEqual(35);
  });
});

describe('The marks of buttons', () => {
  it('have a place before they are loaded, which the mark of progress takes', () => {
    showState({ pending: 'oauth/chosen', pendingIndex: 0 }, { config: social(['figma', 'google']) });
    const marks = ['Figma', 'Google'].map((name) => page.getByRole('button', { name: `Continue with ${name}` }));
    expect(marks.map(({ firstElementChild: mark }) => mark?.getAttribute('data-icon'))).toEqual(['spinner', null]);
    expect(marks.map((button) => button.querySelectorAll('svg').length)).toEqual([1, 1]);
  });
});

describe('The passkey button of a login whose field offers passkeys', () => {
  it('stands under the form, with its mark', () => {
    const { model } = showState({ passkeyAutofill: true }, { config: social(['google']) });
    const passkey = page.getByRole('button', { name: 'Use a passkey' });
    expect(passkey.previousElementSibling).toBe(page.getByRole('button', { name: 'Continue with email' }));
    expect([passkey.dataset['look'], passkey.querySelector('svg')?.dataset['icon']]).toEqual(['secondary', 'passkey']);
    fireEvent.click(passkey);
    expect(model.sent('passkey/chosen')).toHaveLength(1);
  });
});

describe('The subtitle', () => {
  const strings = { 'main.subtitle': 'to continue to Acme' };

  it('is the host\u2019s text under the title', () => {
    showState({}, { config: {}, strings });
    expect(page.getByRole('heading').nextElementSibling?.textContent).toBe('to continue to Acme');
  });

  it('is not there without a text, nor without a title', () => {
    showState({}, { config: {} });
    expect(document.querySelector('[data-part=text]')).toBeNull();
    cleanup();
    showState({}, { config: {}, strings, styles: { hideHeaderText: true } });
    expect(page.queryByText('to continue to Acme')).toBeNull();
  });
});

describe('The link for help', () => {
  const link = (): string | null =>
    page.queryByRole('link', { name: 'Trouble signing in?' })?.getAttribute('href') ?? null;

  it.each(['https://help.example/sign-in', '/help?from=sign-in', 'mailto:help@example.com'])(
    'ends every screen: %s',
    (helpUrl) => {
      const config = { ...social(['google']), helpUrl };
      const { model } = showState({}, { config });
      expect(link()).toBe(helpUrl);
      model.set({ screen: { name: 'EmailConfirmation', email: 'ada@example.com' } });
      expect(link()).toBe(helpUrl);
      const last = document.querySelector('[data-part=content]')?.lastElementChild;
      expect(last?.textContent).toBe('Trouble signing in?');
    },
  );

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,1',
    'data:image/png;base64,AAAA',
    '//evil.example',
    'http://help.example',
    '',
  ])('does not lead elsewhere: %j', (helpUrl) => {
    showState({}, { config: { ...social(['google']), helpUrl } });
    expect(link()).toBeNull();
  });
});
