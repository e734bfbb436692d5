import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AccountState } from '#domain/account/account.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { apiError } from '../../gallery/fixture.ts';
import { EMAIL_OTP, FIXTURES } from '../../gallery/fixtures.ts';
import { PHONE } from '../../gallery/fixtures/phone.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { commit, compose, pressComposing, type Engine } from './input-method.ts';
import { OTP_SCREEN, showScreen, showState } from './show.tsx';

afterEach(cleanup);

const ENGINES: readonly Engine[] = ['Chromium', 'Firefox', 'Safari'];
const textbox = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const boxes = (): string =>
  Array.from(document.querySelectorAll('[data-part=box]'), (box) => box.textContent ?? '').join('');

describe.each(ENGINES)('An input method of %s, in the passcode field', (engine) => {
  it('enters a code digit by digit, which is sent once', () => {
    const { model } = showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    const typed = Array.from('５４２２４２').map((digit) => {
      compose(field, digit);
      expect(field.value.endsWith(digit)).toBe(true);
      commit(field, digit, engine);
      return field.value;
    });
    expect(typed).toEqual(['5', '54', '542', '5422', '54224', '542242']);
    expect(boxes()).toBe('542242');
    expect(model.intents).toEqual([{ type: 'otp/codeEntered', code: '542242' }]);
  });

  it('enters a code as one composition, which is shown and not sent before its end', () => {
    const { model } = showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    compose(field, '５', '５４', '５４２', '５４２２', '５４２２４', '５４２２４２');
    expect(field.value).toBe('５４２２４２');
    expect(boxes()).toBe('542242');
    expect(model.intents).toEqual([]);
    commit(field, '５４２２４２', engine);
    expect(field.value).toBe('542242');
    expect(model.intents).toEqual([{ type: 'otp/codeEntered', code: '542242' }]);
  });

  it('enters digits that it converted', () => {
    const { model } = showScreen(OTP_SCREEN);
    compose(textbox('Passcode'), '５４２２４２');
    commit(textbox('Passcode'), '５４２２４２', engine, '542242');
    expect(model.intents).toEqual([{ type: 'otp/codeEntered', code: '542242' }]);
  });
});

describe('A composition', () => {
  it('that is cancelled is no edit: a code that could not be sent is not sent again', () => {
    const { model } = showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    fireEvent.input(field, { target: { value: '123456' } });
    const asked = { type: 'otp/codeEntered', code: '123456' } as const;
    model.tell({ type: 'failed', asked, error: new SDKAPIUnreachableError('network') });
    compose(field, '７', '');
    commit(field, '');
    expect(field.value).toBe('123456');
    expect(model.intents).toEqual([asked]);
  });

  it('keeps Enter to itself', () => {
    const { model } = showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    fireEvent.input(field, { target: { value: '123456' } });
    const asked = { type: 'otp/codeEntered', code: '123456' } as const;
    model.tell({ type: 'failed', asked, error: new SDKAPIUnreachableError('network') });
    for (const isLate of [false, true]) expect(pressComposing(field, 'Enter', isLate)).toBe(false);
    expect(model.intents).toEqual([asked]);
  });

  it('that is cancelled leaves the field to the next answer', () => {
    const { model } = showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    fireEvent.input(field, { target: { value: '123456' } });
    compose(field, '７', '');
    commit(field, '');
    const asked = { type: 'otp/codeEntered', code: '123456' } as const;
    model.tell({ type: 'failed', asked, error: apiError('otp_code_not_found') });
    expect(field.value).toBe('');
  });

  it('that enters nothing clears no error', async () => {
    showState({}, { config: EMAIL_OTP });
    const field = screen.getByRole<HTMLInputElement>('textbox');
    await userEvent.type(field, 'ada{Enter}');
    compose(field);
    commit(field, '');
    expect(field.getAttribute('aria-invalid')).toBe('true');
  });

  it('whose end no event reports ends with the next edit', () => {
    showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    compose(field, '１');
    fireEvent.input(field, { target: { value: '１２' } });
    expect(field.value).toBe('12');
  });

  it('shows its digits in the boxes as long as it lasts', () => {
    showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    compose(field, '５');
    expect([boxes(), field.dataset['state']]).toEqual(['5', 'composing']);
    commit(field, '５');
    fireEvent.input(field, { target: { value: '' } });
    expect([boxes(), field.dataset['state']]).toEqual(['', 'idle']);
  });

  it('on Android leaves Enter to the form, because the last word is still being composed there', () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 15) Chrome/142.0.0.0 Mobile');
    showState({}, { config: EMAIL_OTP });
    expect(pressComposing(screen.getByRole<HTMLInputElement>('textbox'), 'Enter', true)).toBe(true);
  });

  it('lasts while an answer arrives: the text is replaced after its end', () => {
    const { model } = showScreen(OTP_SCREEN);
    const field = textbox('Passcode');
    fireEvent.input(field, { target: { value: '123456' } });
    compose(field, '７');
    const asked = { type: 'otp/codeEntered', code: '123456' } as const;
    model.tell({ type: 'failed', asked, error: apiError('otp_code_not_found') });
    expect(field.value).toBe('123456７');
    commit(field, '７');
    expect(field.value).toBe('123456');
  });

  it('of an address clears no error before its end', async () => {
    showState({}, { config: EMAIL_OTP });
    const field = screen.getByRole<HTMLInputElement>('textbox');
    await userEvent.type(field, 'ada{Enter}');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    compose(field, 'あ');
    expect(field.getAttribute('aria-invalid')).toBe('true');
    commit(field, 'あ');
    expect(field.getAttribute('aria-invalid')).toBe('false');
  });
});

describe.each(ENGINES)('An input method of %s, in the field for a telephone number', (engine) => {
  const show = () =>
    showScreen({ name: 'Main', email: '', phone: { method: 'sms', country: 'DE', national: '' } }, { config: PHONE });

  it('enters a number digit by digit, which is formatted between them', () => {
    const { model } = show();
    const field = textbox('Phone number');
    field.focus();
    for (const [index, digit] of Array.from('１５１１２３４５６７８').entries()) {
      compose(field, digit);
      // The answer to the digit before.
      const { length } = model.sent('phone/edited');
      const text = '15112345678'.slice(0, index);
      model.tell({ type: 'phone/formatted', edit: index, text, country: null });
      expect(field.value).toBe(`${text}${digit}`);
      commit(field, digit, engine);
      expect(model.sent('phone/edited')).toHaveLength(length + 1);
      model.tell({ type: 'phone/formatted', edit: index + 1, text: '15112345678'.slice(0, index + 1), country: null });
    }
    expect(field.value).toBe('15112345678');
  });

  it('enters a number as one composition', () => {
    const { model } = show();
    const field = textbox('Phone number');
    field.focus();
    const { length } = model.sent('phone/edited');
    compose(field, ...Array.from('１５１１２３４５６７８').map((_, index, all) => all.slice(0, index + 1).join('')));
    expect(model.sent('phone/edited')).toHaveLength(length);
    commit(field, '１５１１２３４５６７８', engine);
    expect(model.sent('phone/edited')).toHaveLength(length + 1);
    model.tell({ type: 'phone/formatted', edit: 1, text: '01511 2345678', country: null });
    expect(field.value).toBe('01511 2345678');
  });
});

describe('The list of countries, with an input method', () => {
  it('leaves the keys to it, and searches at the end of the composition', async () => {
    showScreen({ name: 'Main', email: '' }, { config: PHONE });
    await userEvent.click(screen.getByRole('button', { name: /^Country/u }));
    const field = screen.getByRole<HTMLInputElement>('combobox');
    const { length } = screen.getAllByRole('option');
    compose(field, 'ｇ', 'ｇｅ', 'ｇｅｒ');
    for (const key of ['Escape', 'ArrowDown', 'Enter']) pressComposing(field, key);
    expect(screen.getAllByRole('option')).toHaveLength(length);
    commit(field, 'ｇｅｒ', 'Chromium', 'germany');
    expect(screen.getAllByRole('option')).toHaveLength(1);
    expect(field.value).toBe('germany');
  });
});

describe('The account page, with an input method', () => {
  it('leaves Escape to it, and keeps its form', async () => {
    await loadPart('account');
    const { state, config } = FIXTURES.find(({ id }) => id === 'account')!;
    const { model } = showState(
      { ...state, account: { ...state.account, task: { kind: 'name' } } as AccountState },
      { config },
    );
    const field = textbox('First name');
    pressComposing(field, 'Escape');
    expect(model.sent('account/closed')).toEqual([]);
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(model.sent('account/closed')).toHaveLength(1);
    // The key has closed something inside of the form.
    field.addEventListener('keydown', (event) => event.preventDefault(), { once: true });
    fireEvent.keyDown(field, { key: 'Escape' });
    expect(model.sent('account/closed')).toHaveLength(1);
  });
});

describe('The field for an address, with an input method', () => {
  const show = () => {
    const { model } = showState({}, { config: EMAIL_OTP });
    return { model, field: screen.getByRole<HTMLInputElement>('textbox') };
  };
  const hint = () => screen.queryByRole('button', { name: /^Did you mean/u });
  const typing = (field: HTMLInputElement, isComposing: boolean): void =>
    void fireEvent(field, new InputEvent('beforeinput', { bubbles: true, data: 'ß', isComposing }));

  it('doubts no address before the end of the composition', async () => {
    const { model, field } = show();
    compose(field, 'ada@gmial.co', 'ada@gmial.com');
    await model.pass(600);
    expect(hint()).toBeNull();
    commit(field, 'ada@gmial.com');
    await model.pass(600);
    expect(hint()).not.toBeNull();
  });

  it('becomes a text field, which keeps the letters of a domain, before a composition and not during it', async () => {
    const { field } = show();
    fireEvent.input(field, { target: { value: 'ada@' } });
    typing(field, true);
    expect(field.type).toBe('email');
    fireEvent.compositionStart(field);
    expect(field.type).toBe('text');
  });

  it('stays a field for an address while only its name is composed, and becomes a text field at a ß of the domain', () => {
    const { field } = show();
    fireEvent.compositionStart(field);
    fireEvent.compositionEnd(field);
    typing(field, false);
    expect(field.type).toBe('email');
    fireEvent.input(field, { target: { value: 'ada@stra' } });
    typing(field, false);
    expect(field.type).toBe('text');
  });
});
