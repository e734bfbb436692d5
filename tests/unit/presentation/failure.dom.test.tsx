import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Language } from '../../../src/domain/language.ts';
import type { Screen } from '../../../src/domain/screens/screen.ts';
import { DEFAULT_BOOTSTRAP } from '../../../src/domain/bootstrap.ts';
import { UnloadedPart } from '../../../src/presentation/hooks/useParts.ts';
import { MAGIC_LINK } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

/** A screen whose code did not come: it throws what `useParts` throws. */
function showUnloaded(screenThen: Screen, language: Language = 'en') {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const bootstrap = { ...DEFAULT_BOOTSTRAP };
  Object.defineProperty(bootstrap, 'displayWatermark', {
    get: () => {
      throw new UnloadedPart('passwords');
    },
  });
  return showState({ screen: screenThen, bootstrap }, { config: MAGIC_LINK, language });
}

const names = () => screen.getAllByRole('button').map(({ textContent }) => textContent);

describe('A screen whose code did not load', () => {
  it('says to reload the page, and does so', async () => {
    const reload = vi.spyOn(window.location, 'reload').mockImplementation(() => undefined);
    showUnloaded({ name: 'PasswordResetForm', tokenType: 'reset' });
    expect(document.body.textContent).toContain('Part of this page did not load. Reload it to go on.');
    expect(names()).toEqual(['Reload']);
    await userEvent.click(screen.getByRole('button', { name: 'Reload' }));
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it('still leads back where no token would be left behind', async () => {
    const { model } = showUnloaded({ name: 'EmailConfirmation', email: 'ada@example.com' });
    expect(names()).toEqual(['Reload', 'Go back']);
    await userEvent.click(screen.getByRole('button', { name: 'Go back' }));
    expect(model.sent('back')).toHaveLength(1);
  });
});
