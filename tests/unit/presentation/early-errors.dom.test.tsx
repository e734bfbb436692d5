import { cleanup, fireEvent, screen as page } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { SDKAPIUnreachableError, unreachable } from '#domain/errors.ts';
import { loadLocale } from '#presentation/messages/language.ts';
import { arrived } from '#presentation/parts/parts.ts';
import { apiError } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';

describe('an error before the code of the login is there', () => {
  const { login } = arrived;
  beforeAll(() => loadLocale('de'));
  afterEach(() => {
    cleanup();
    if (login) arrived.login = login;
  });
  const alert = () => page.getAllByRole('alert').map(({ textContent }) => textContent);

  it.each([
    ['de', undefined, 'Unsere Server sind nicht erreichbar.'],
    ['en', undefined, 'Unable to contact our servers.'],
    ['de', { 'unreachable.network': 'Kein Netz' }, 'Kein Netz'],
  ] as const)('speaks the language of the widget: %s, %j', (language, strings, text) => {
    delete arrived.login;
    showState({ error: new SDKAPIUnreachableError('network') }, { language, ...(strings && { strings }) });
    expect(alert()).toContain(text);
  });

  it.each([true, false])(
    'says that a file did not load, and offers a reload; the code of the login is there: %s',
    (isThere) => {
      if (!isThere) delete arrived.login;
      const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
      const strings = { 'failure.reload': 'Again' };
      showState({ error: unreachable(new TypeError('Failed to fetch')) }, { strings });
      expect(alert()).toContain('Part of this page did not load.Again');
      fireEvent.click(page.getByRole('button', { name: 'Again' }));
      expect(reload).toHaveBeenCalledOnce();
    },
  );

  it('offers no reload without a network, which would remove the page', () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    showState({ error: unreachable(new TypeError('Failed to fetch')) });
    expect(alert()).toContain('You are offline. Check your connection, then try again.');
    expect(page.queryByRole('button', { name: 'Reload' })).toBeNull();
  });

  it('is the server’s text where it has no other', () => {
    delete arrived.login;
    showState({ error: apiError('brand_new', 'Brand new.') }, { language: 'de' });
    expect(alert()).toContain('Brand new.');
  });
});
