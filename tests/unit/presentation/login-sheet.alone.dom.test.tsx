import { act, cleanup, fireEvent, render, screen as page } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { INITIAL_STATE, type WidgetState } from '#domain/screens/widget-state.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { apiError, BROKEN } from '../../gallery/fixtures.ts';
import { OTP_SCREEN, PlayedModel, showState } from './show.tsx';

const stylesheet = vi.hoisted(() => ({ addStyles: vi.fn<(text: string) => void>() }));
vi.mock('#presentation/theme/stylesheet.ts', () => stylesheet);
const { addStyles } = stylesheet;

const SOCIAL: LoginConfig = {
  products: ['oauth', 'emailMagicLinks'],
  oauthOptions: { providers: [{ type: 'google' }] },
};
const ONE_TAP: LoginConfig = { ...SOCIAL, oauthOptions: { providers: [{ type: 'google', one_tap: true }] } };

beforeEach(() => addStyles.mockClear());
afterEach(cleanup);

describe('The style sheet of the login', () => {
  it('is not adopted on a first screen that is only looked at', () => {
    const { model } = showState({}, { config: SOCIAL });
    model.set({ loading: true });
    model.set({ loading: false });
    expect(addStyles).not.toHaveBeenCalled();
  });

  it.each(['pointerOver', 'pointerDown', 'focusIn', 'keyDown', 'input', 'click'] as const)(
    'is adopted at %s',
    (sign) => {
      showState({}, { config: SOCIAL });
      fireEvent[sign](page.getByRole('button', { name: 'Continue with Google' }));
      expect(addStyles).toHaveBeenCalled();
    },
  );

  it('is adopted at once where the widget was used before its code came', () => {
    vi.spyOn(Element.prototype, 'matches').mockReturnValue(true);
    showState({}, { config: SOCIAL });
    vi.restoreAllMocks();
    expect(addStyles).toHaveBeenCalled();
  });

  it.each<[string, Partial<WidgetState>, LoginConfig]>([
    ['another screen', { screen: OTP_SCREEN }, SOCIAL],
    ['a toast', { toasts: [{ id: 1, kind: 'success', error: null, text: 'emailResent' }] }, SOCIAL],
    ['an error', { error: apiError('invalid_email') }, SOCIAL],
    ['a login that was declined', { declined: { provider: 'google', reason: 'denied' } }, SOCIAL],
    ['the place of One Tap', {}, ONE_TAP],
  ])('is adopted before %s is shown', (_, state, config) => {
    showState(state, { config });
    expect(addStyles).toHaveBeenCalled();
  });

  it('is adopted before the generic error screen is shown', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    showState(BROKEN);
    expect(addStyles).toHaveBeenCalled();
  });

  it('comes with code that does not render the form again', async () => {
    vi.resetModules();
    const { loadPart } = await import('#presentation/parts/load-part.ts');
    const { partOf } = await import('#presentation/parts/parts.ts');
    const { Widget } = await import('#presentation/Widget.tsx');
    let renderings = 0;
    const styles = {
      get hideHeaderText() {
        renderings += 1;
        return false;
      },
    };
    render(<Widget model={new PlayedModel(INITIAL_STATE)} config={SOCIAL} styles={styles} />);
    expect(partOf('login')).toBeNull();
    await act(() => loadPart('login'));
    expect(renderings).toBe(1);
    fireEvent.pointerOver(page.getByRole('textbox'));
    expect(addStyles).toHaveBeenCalledOnce();
  });

  it('comes before the sheets of other parts', async () => {
    vi.resetModules();
    const { loadPart } = await import('#presentation/parts/load-part.ts');
    await loadPart('login');
    await loadPart('marks');
    expect(addStyles).not.toHaveBeenCalled();
    await loadPart('phones');
    expect(addStyles).toHaveBeenCalledTimes(2);
  });

  it('comes with a part that arrives alone, before its sheets, because its screens need it without any use', async () => {
    vi.resetModules();
    const { loadPart } = await import('#presentation/parts/load-part.ts');
    await loadPart('passkeys');
    const { part } = await import('#presentation/parts/passkeys/passkeys.ts');
    // Once before each of its sheets. A sheet is adopted once, however often it is added.
    expect(addStyles).toHaveBeenCalledTimes(2 * part.styles.length);
  });
});
