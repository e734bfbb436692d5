import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { SDKAPIError, SDKAPIUnreachableError } from '#domain/errors.ts';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';
import { Widget } from '#presentation/Widget.tsx';
import { apiError, EMAIL_OTP, NOW, otpSent } from '../../gallery/fixtures.ts';
import { OTP_SCREEN, PlayedModel, showScreen } from './show.tsx';

afterEach(cleanup);

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Passcode' });
const boxes = (): string[] => Array.from(document.querySelectorAll('[data-part=box]'), (box) => box.textContent ?? '');
const entered = (code: string) => ({ type: 'otp/codeEntered', code }) as const;
const wrong = (code: string) =>
  ({ type: 'failed', asked: entered(code), error: apiError('otp_code_not_found') }) as const;

describe('The passcode screen', () => {
  it.each([
    ['grace.hopper@mail.example.com', 'grace.hopper<wbr>@mail.example.com'],
    ['ada@example.com', 'ada@example.com'],
  ])('lets a long address break before its sign, and a short one nowhere: %s', (destination, html) => {
    showScreen({ name: 'OTPAuthenticate', otp: otpSent({ destination }) });
    expect(document.querySelector('[data-part=text] bdi')?.innerHTML).toBe(html);
  });
});

describe('The passcode field', () => {
  it('is one field for a keypad and for autofill, drawn as six boxes', () => {
    showScreen(OTP_SCREEN);
    expect(screen.getAllByRole('textbox')).toHaveLength(1);
    expect(field().inputMode).toBe('numeric');
    expect(field().getAttribute('autocomplete')).toBe('one-time-code');
    expect(boxes()).toHaveLength(6);
  });

  it.each(['123456', '123 456', 'G-123456', '１２３４５６', '123456789', ' 1-2-3-4-5-6\n'])(
    'takes a paste of %j',
    async (clip) => {
      const { model } = showScreen(OTP_SCREEN);
      await userEvent.click(field());
      await userEvent.paste(clip);
      expect(boxes()).toEqual(['1', '2', '3', '4', '5', '6']);
      expect(model.intents).toEqual([entered('123456')]);
    },
  );

  it('sends the code at the sixth digit, and ignores letters', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.type(field(), '12a34-5');
    expect(boxes()).toEqual(['1', '2', '3', '4', '5', '']);
    expect(model.intents).toEqual([]);
    await userEvent.type(field(), '6');
    expect(model.intents).toEqual([entered('123456')]);
  });

  it('sends a code once, even when it is filled in several times', () => {
    const { model } = showScreen(OTP_SCREEN);
    for (let time = 0; time < 5; time += 1) {
      fireEvent.input(field(), { target: { value: '123456' } });
      fireEvent.change(field(), { target: { value: '123456' } });
    }
    expect(model.intents).toEqual([entered('123456')]);
  });

  it('sends one code once under StrictMode', () => {
    const model = new PlayedModel({ ...INITIAL_STATE, screen: OTP_SCREEN });
    render(
      <StrictMode>
        <Widget model={model} config={EMAIL_OTP} />
      </StrictMode>,
    );
    fireEvent.input(field(), { target: { value: '123456' } });
    expect(model.intents).toEqual([entered('123456')]);
  });

  it('is read-only while the code is verified, and keeps the focus', async () => {
    showScreen(OTP_SCREEN);
    await userEvent.click(field());
    await userEvent.paste('123456');
    expect(field().readOnly).toBe(true);
    expect(field().disabled).toBe(false);
    expect(document.activeElement).toBe(field());
  });

  it('empties the boxes at a wrong code, keeps the focus, and shows the error until the user types', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(field());
    await userEvent.paste('123456');
    model.tell(wrong('123456'));
    expect(boxes().join('')).toBe('');
    expect(document.activeElement).toBe(field());
    const message = screen.getByText('Invalid passcode, please try again.').closest('p');
    expect(message?.getAttribute('role')).toBe('alert');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(field().getAttribute('aria-describedby')?.split(' ')).toContain(message?.id);
    await userEvent.type(field(), '9');
    expect(model.sent('otp/codeEdited')).toHaveLength(1);
    expect(message?.textContent).toBe('');
  });

  it.each(['expired', 'tries_used'])(
    'takes none for a code that is dead (%s): a new one is what there is to do',
    async (reason) => {
      const { model } = showScreen(OTP_SCREEN);
      await userEvent.click(field());
      await userEvent.paste('123456');
      model.tell({
        type: 'failed',
        asked: entered('123456'),
        error: apiError('otp_code_not_found', '', 404, { reason }),
      });
      expect(screen.getByText(/Send a new one\.$/u)).toBeTruthy();
      expect(field().readOnly).toBe(true);
      const main = screen.getByRole('button', { name: 'Send a new code' });
      expect(main.dataset['look']).toBe('primary');
      expect(document.activeElement).toBe(main);
      await userEvent.click(main);
      model.tell({ type: 'otp/resent', otp: otpSent({ methodId: 'email-test-2' }), reply: {} });
      expect(document.activeElement).toBe(field());
      expect(field().readOnly).toBe(false);
      expect(screen.queryByText(/Send a new one/u)).toBeNull();
    },
  );

  it('keeps the digits that did not arrive, and sends them again', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(field());
    await userEvent.paste('123456');
    model.tell({ type: 'failed', asked: entered('123456'), error: new SDKAPIUnreachableError('network') });
    expect(boxes().join('')).toBe('123456');
    expect(document.activeElement).toBe(field());
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    model.tell({ type: 'failed', asked: entered('123456'), error: new SDKAPIUnreachableError('network') });
    await userEvent.click(field());
    await userEvent.keyboard('{Enter}');
    expect(model.sent('otp/codeEntered')).toEqual([entered('123456'), entered('123456'), entered('123456')]);
  });

  it('sends the same code again when the first time failed', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(field());
    await userEvent.paste('123456');
    model.tell({ type: 'failed', asked: entered('123456'), error: new SDKAPIUnreachableError('network') });
    await userEvent.paste('123456');
    expect(model.sent('otp/codeEntered')).toHaveLength(2);
  });

  it('holds a code that is complete while another is being sent, then sends it', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(screen.getByRole('button', { name: 'Resend code' }));
    await userEvent.click(field());
    await userEvent.paste('123456');
    expect(model.sent('otp/codeEntered')).toHaveLength(0);
    model.tell({ type: 'otp/resent', otp: otpSent({ methodId: 'email-test-2' }), reply: {} });
    expect(model.sent('otp/codeEntered')).toEqual([entered('123456')]);
  });

  it.each(['12', '12345'])('takes a code that is pasted after %s, which had been typed, as a whole', async (typed) => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.type(field(), typed);
    await userEvent.paste('139 595');
    expect(model.sent('otp/codeEntered')).toEqual([entered('139595')]);
  });

  it('empties the boxes of a code that did not arrive when another one is sent', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(field());
    await userEvent.paste('123456');
    model.tell({ type: 'failed', asked: entered('123456'), error: new SDKAPIUnreachableError('network') });
    await userEvent.click(screen.getByRole('button', { name: 'Resend code' }));
    expect(boxes().join('')).toBe('123456');
    model.tell({ type: 'otp/resent', otp: otpSent({ expiresAt: NOW + 400_000 }), reply: {} });
    expect(boxes().join('')).toBe('');
    await userEvent.type(field(), '654321');
    expect(model.sent('otp/codeEntered')).toEqual([entered('123456'), entered('654321')]);
  });

  it('leads back', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(screen.getByRole('button', { name: 'Back' }));
    expect(model.intents).toEqual([{ type: 'back' }]);
    expect(screen.getByRole<HTMLInputElement>('textbox').value).toBe('ada@example.com');
  });
});

describe('The countdown', () => {
  const shown = (): string | null | undefined => document.querySelector('[data-part=countdown]')?.textContent;

  it('counts by absolute time and ends', async () => {
    const { model } = showScreen({ name: 'OTPAuthenticate', otp: otpSent({ expiresAt: NOW + 61_500 }) });
    expect(shown()).toBe('Your code expires in 1:02.');
    await model.pass(500);
    expect(shown()).toBe('Your code expires in 1:01.');
    await model.pass(1_000);
    expect(shown()).toBe('Your code expires in 1:00.');
    await model.pass(60_000);
    expect(shown()).toBe('Your code has expired.');
    expect(document.querySelector('[data-part=announcer]')?.textContent).toBe('Your code has expired.');
    await model.pass(1_000);
    expect(model.clock.pending).toBe(0);
  });

  it('shows the truth after a sleep', async () => {
    const { model } = showScreen(OTP_SCREEN);
    model.clock.jump(200_000);
    await model.pass(0);
    expect(shown()).toBe('Your code expires in 1:39.');
    model.clock.jump(3_600_000);
    await model.pass(0);
    expect(shown()).toBe('Your code has expired.');
  });

  it('begins anew with a new code', async () => {
    const { model } = showScreen({ name: 'OTPAuthenticate', otp: otpSent({ expiresAt: NOW - 1 }) });
    expect(shown()).toBe('Your code has expired.');
    model.set({ screen: { name: 'OTPAuthenticate', otp: otpSent({ expiresAt: NOW + 300_000 }) } });
    expect(shown()).toBe('Your code expires in 5:00.');
    await model.pass(1_000);
    expect(shown()).toBe('Your code expires in 4:59.');
  });

  it('leaves no timer behind', () => {
    const { model, unmount } = showScreen(OTP_SCREEN);
    expect(model.clock.pending).toBe(1);
    unmount();
    expect(model.clock.pending).toBe(0);
  });
});

describe('Resend code', () => {
  const link = () => document.querySelector<HTMLButtonElement>('[data-part=link-button]')!;

  it("sends, says 'Code sent' for two seconds, then can be asked again", async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(link());
    expect(link().getAttribute('aria-busy')).toBe('true');
    await userEvent.click(link());
    expect(model.sent('otp/resendRequested')).toHaveLength(1);
    model.tell({ type: 'otp/resent', otp: otpSent(), reply: {} });
    expect(link().textContent).toBe('Code sent');
    expect(document.querySelector('[data-part=announcer]')?.textContent).toBe('Code sent');
    await model.pass(1_999);
    expect(link().textContent).toBe('Code sent');
    await model.pass(1);
    expect(link().textContent).toBe('Resend code in 0:18');
    await userEvent.click(link());
    expect(model.sent('otp/resendRequested')).toHaveLength(1);
    await model.pass(18_000);
    expect(link().textContent).toBe('Resend code');
    await userEvent.click(link());
    expect(model.sent('otp/resendRequested')).toHaveLength(2);
  });

  it('returns to the start on an error, which stays as a toast until the next request', async () => {
    const { model } = showScreen(OTP_SCREEN);
    const toasts = document.querySelector('[data-part=toasts]');
    expect(toasts?.getAttribute('role')).toBe('alert');
    await userEvent.click(link());
    model.tell({
      type: 'failed',
      asked: { type: 'otp/resendRequested' },
      error: new SDKAPIUnreachableError('network'),
    });
    expect(link().textContent).toBe('Resend code');
    expect(link().getAttribute('aria-disabled')).toBeNull();
    expect(toasts?.textContent).toBe('Unable to contact our servers.');
    await model.pass(60_000);
    expect(toasts?.textContent).not.toBe('');
    await userEvent.click(link());
    expect(toasts?.textContent).toBe('Loading…');
  });

  it('waits as long as the server asks, where it refuses another', async () => {
    const { model } = showScreen(OTP_SCREEN);
    await userEvent.click(link());
    const error_message = 'Too many requests. Please wait a little, then try again.';
    const fields = { status_code: 429, error_type: 'too_many_requests', error_message, error_url: '' };
    const error = new SDKAPIError(fields, 90_000);
    model.tell({ type: 'failed', asked: { type: 'otp/resendRequested' }, error });
    expect(link().textContent).toBe('Resend code in 1:30');
    expect(screen.getByText(/^Too many requests/u)).toBeTruthy();
    expect(screen.getByText('You can try again in 1:30.')).toBeTruthy();
    await model.pass(90_000);
    expect(document.querySelector('[data-part=wait-for]')?.textContent).toBe('You can try again now.');
    expect(document.querySelector('[data-part=announcer]')?.textContent).toBe('You can try again now.');
    await userEvent.click(link());
    expect(model.sent('otp/resendRequested')).toHaveLength(2);
  });

  it('a success toast stays two seconds', async () => {
    const { model } = showScreen(OTP_SCREEN);
    model.set({ toasts: [{ id: 7, kind: 'success', error: null, text: null }] });
    await model.pass(2_000);
    expect(model.getState().toasts).toEqual([]);
  });
});
