import { cleanup, screen as page } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { SDKAPIUnreachableError } from '../../../src/domain/errors.ts';
import { loadLocale } from '../../../src/presentation/messages/language.ts';
import { arrived } from '../../../src/presentation/parts/parts.ts';
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

  it('is the server’s text where it has no other', () => {
    delete arrived.login;
    showState({ error: apiError('brand_new', 'Brand new.') }, { language: 'de' });
    expect(alert()).toContain('Brand new.');
  });
});
