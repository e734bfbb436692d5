import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { apiError, MAGIC_LINK, otpSent } from '../../gallery/fixtures.ts';
import { showScreen, showState } from './show.tsx';

afterEach(cleanup);

const MARKUP = '<img src=x onerror="__xss()"><script>__xss()</script>';
const TEXTS = [
  MARKUP,
  '\u202Emoc.elpmaxe@ada\u202C',
  '{email}{destination}',
  'javascript:alert(1)',
  '&lt;b&gt;',
  '\u0000\uFFFF',
];

describe('Text from elsewhere is only text', () => {
  it.each(TEXTS)('as an address: %j', (address) => {
    const { container } = showScreen({ name: 'EmailConfirmation', email: address }, { config: MAGIC_LINK });
    const shown = container.querySelector('bdi');
    expect(shown?.textContent).toBe(address);
    expect(shown?.querySelector(':not(wbr)')).toBeNull();
    cleanup();
    const otp = showScreen({ name: 'OTPAuthenticate', otp: otpSent({ destination: address }) });
    expect(otp.container.querySelector('bdi')?.textContent).toBe(address);
  });

  it.each(TEXTS)('as an error: %j', (message) => {
    const { container } = showState({ error: apiError('odd', message) });
    const banner = container.querySelector('[data-part=banner]');
    expect(banner?.textContent).toBe(message);
    expect(banner?.querySelector('img, script, a')).toBeNull();
  });

  it('names of an object’s own parts are no error types', () => {
    for (const type of ['__proto__', 'constructor', 'toString']) {
      const { container, unmount } = showState({ error: apiError(type, 'Said by the server.') });
      expect(container.querySelector('[data-part=banner]')?.textContent).toBe('Said by the server.');
      unmount();
    }
  });

  it('links only where the documentation is', () => {
    showState({
      error: apiError(
        'odd',
        'See https://docs.stytch.com/errors. Not https://docs.stytch.com.evil.example/ nor https://a@docs.stytch.com/',
      ),
    });
    const links = screen.getAllByRole<HTMLAnchorElement>('link');
    expect(links.map((link) => link.href)).toEqual(['https://docs.stytch.com/errors']);
    expect(links[0]).toMatchObject({ target: '_blank', rel: 'noopener noreferrer' });
  });

  it('cuts an endless text, and replaces an empty one', () => {
    const { container, unmount } = showState({ error: apiError('odd', 'x'.repeat(100_000)) });
    expect(container.textContent?.length).toBeLessThan(600);
    unmount();
    const empty = showState({ error: apiError('odd', '') });
    expect(empty.container.querySelector('[data-part=banner]')?.textContent).toBe('Looks like there was an error!');
  });
});

describe('The logo', () => {
  const show = (logoImageUrl: unknown) =>
    showScreen({ name: 'Main', email: '' }, { styles: { logo: { logoImageUrl } } as never }).container.querySelector(
      'img',
    );

  it.each([
    'javascript:alert(1)',
    'data:image/svg+xml,<svg onload=alert(1)>',
    'data:text/html,<script>',
    'http://evil.example/a.png',
    'https://user@evil.example/a.png',
    '//evil.example/a.png',
    '',
    7,
    null,
  ])('is left out for %j', (url) => {
    expect(show(url)).toBeNull();
  });

  it('is shown from https without telling where from, and left out when it does not load', () => {
    const image = show('https://cdn.example/logo.png')!;
    expect(image.getAttribute('src')).toBe('https://cdn.example/logo.png');
    expect(image.getAttribute('referrerpolicy')).toBe('no-referrer');
    fireEvent.error(image);
    expect(document.querySelector('img')).toBeNull();
  });
});
