import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { EventOf } from '#domain/screens/event.ts';
import { apiError } from '../../../gallery/fixture.ts';
import { PHONE } from '../../../gallery/fixtures/phone.ts';
import { showScreen } from '../show.tsx';

afterEach(cleanup);

type EnteredNumber = { readonly country: string; readonly national: string };
const show = (entered?: EnteredNumber, config = PHONE) =>
  showScreen({ name: 'Main', email: '', ...(entered && { phone: { method: 'sms', ...entered } }) }, { config });
const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Phone number' });
const country = () => screen.getByRole('button', { name: /^Country/u });
const press = () => userEvent.click(screen.getByRole('button', { name: 'Continue with text' }));
const INVALID = 'Phone number format is invalid. Ensure the phone number is in the E.164 format.';

/** The last thing that was asked of the number that is typed. */
const lastEdit = (model: ReturnType<typeof show>['model']) =>
  model.sent('phone/edited').at(-1) as EventOf<'phone/edited'>;
const answer = (model: ReturnType<typeof show>['model'], text: string, own: string | null = null): void =>
  model.tell({ type: 'phone/formatted', edit: lastEdit(model).edit, text, country: own });

describe('The telephone form', () => {
  it('is a field for a national number beside its country', () => {
    show();
    expect(field()).toMatchObject({ type: 'tel', required: true, placeholder: '(123) 456-7890' });
    expect(field().getAttribute('autocomplete')).toBe('tel-national');
    expect(field().closest('[dir]')?.getAttribute('dir')).toBe('ltr');
    expect(country().getAttribute('aria-label')).toBe('Country: United States, US +1');
    expect(country().textContent).toContain('+1');
  });

  it.each([
    ['DE', 'Country: Germany, DE +49'],
    ['gb', 'Country: United Kingdom, GB +44'],
    ['XX', 'Country: United States, US +1'],
    ['Atlantis', 'Country: United States, US +1'],
  ])('begins with the configured country: %s', (defaultCountry, label) => {
    show(undefined, { ...PHONE, defaultCountry });
    expect(country().getAttribute('aria-label')).toBe(label);
  });

  it('sends a passcode to the entered number', async () => {
    const { model } = show({ country: 'DE', national: '01512 3456789' });
    await press();
    expect(model.sent('phone/requested')).toEqual([
      { type: 'phone/requested', method: 'sms', country: 'DE', national: '01512 3456789', edit: 0 },
    ]);
  });

  it('marks a number that the server refuses, with the focus in its field, until it or its country is edited', async () => {
    const { model } = show({ country: 'US', national: '4155552671' });
    await press();
    const refused = apiError('invalid_phone_number');
    model.tell({ type: 'failed', asked: model.sent('phone/requested')[0]!, error: refused });
    expect([field().getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field()]);
    expect(screen.getAllByText(INVALID)).toHaveLength(1);
    const said = document.getElementById(field().getAttribute('aria-describedby') ?? '');
    expect([said?.textContent, said?.getAttribute('role')]).toEqual([INVALID, 'alert']);
    expect(document.querySelector('[data-part=banner]')).toBeNull();
    await userEvent.type(field(), '2');
    expect(field().getAttribute('aria-invalid')).toBe('false');
    expect(screen.queryByText(INVALID)).toBeNull();
  });

  it('sends the text that the browser filled in without an event, also after it was rendered again', async () => {
    const { model } = show();
    field().value = '4155552671';
    model.set({ toasts: [] });
    expect(field().value).toBe('4155552671');
    await press();
    expect(model.sent('phone/requested')).toEqual([
      { type: 'phone/requested', method: 'sms', country: 'US', national: '4155552671', edit: 1 },
    ]);
    model.tell({ type: 'phone/invalid', edit: 1 });
    expect(screen.getByText(INVALID)).toBeTruthy();
  });

  it('sends once, however often it is pressed in one moment', () => {
    const { model, container } = show({ country: 'US', national: '4155552671' });
    const form = container.querySelector('form')!;
    const before = model.getState();
    for (let submit = 0; submit < 10; submit += 1) fireEvent.submit(form);
    expect(before.pending).toBeNull();
    expect(model.getState().pending).toBe('phone/requested');
    expect(field().readOnly).toBe(true);
  });

  it('shows at the field that it is no number, until it is another one', async () => {
    const { model } = show();
    await userEvent.type(field(), '555');
    await press();
    model.tell({ type: 'phone/invalid', edit: lastEdit(model).edit });
    const message = screen.getByText(INVALID).parentElement as HTMLElement;
    expect(message.getAttribute('role')).toBe('alert');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(field().getAttribute('aria-describedby')).toBe(message.id);
    expect(document.activeElement).toBe(field());
    expect(document.querySelector('[data-part=banner]')).toBeNull();
    await press();
    expect(screen.queryByText(INVALID)).toBeNull();
    model.tell({ type: 'phone/invalid', edit: lastEdit(model).edit });
    expect(document.activeElement).toBe(field());
    await userEvent.type(field(), '1');
    expect(screen.queryByText(INVALID)).toBeNull();
    expect(field().getAttribute('aria-invalid')).toBe('false');
  });

  it('says nothing of a number that was replaced before the answer', async () => {
    const { model } = show();
    await userEvent.type(field(), '555');
    model.tell({ type: 'phone/invalid', edit: lastEdit(model).edit - 1 });
    expect(screen.queryByText(INVALID)).toBeNull();
    expect(field().getAttribute('aria-invalid')).toBe('false');
  });
});

describe('Typing a number', () => {
  it('asks for the tables when the field is come to, not before', async () => {
    const { model } = show();
    expect(model.intents).toEqual([]);
    await userEvent.click(field());
    expect(model.intents).toEqual([{ type: 'phone/edited', edit: 0, country: 'US', national: '' }]);
  });

  it('writes it in the national way while the caret is at its end', async () => {
    const { model } = show();
    await userEvent.type(field(), '4155552');
    expect(lastEdit(model)).toMatchObject({ country: 'US', national: '4155552', edit: 7 });
    answer(model, '(415) 555-2');
    expect(field().value).toBe('(415) 555-2');
    await userEvent.type(field(), '6');
    expect(field().value).toBe('(415) 555-26');
    expect(lastEdit(model)).toMatchObject({ national: '(415) 555-26', edit: 8 });
  });

  it('ignores the answer to an earlier edit', async () => {
    const { model } = show();
    await userEvent.type(field(), '4155');
    const early = lastEdit(model).edit;
    await userEvent.type(field(), '5');
    model.tell({ type: 'phone/formatted', edit: early, text: '415-5', country: null });
    expect(field().value).toBe('41555');
  });

  it('keeps the caret where the user corrects a digit', async () => {
    const { model } = show();
    await userEvent.type(field(), '4155552671');
    answer(model, '(415) 555-2671');
    field().setSelectionRange(2, 2);
    await userEvent.keyboard('9');
    answer(model, '49155552671');
    expect(field().value).toBe('(4915) 555-2671');
    expect(field().selectionStart).toBe(3);
    await userEvent.tab();
    answer(model, '49155552671');
    expect(field().value).toBe('49155552671');
  });

  it('does not restore deleted characters', async () => {
    const { model } = show();
    await userEvent.type(field(), '4155');
    answer(model, '(415) 5');
    await userEvent.keyboard('{Backspace}{Backspace}{Backspace}');
    answer(model, '(415)');
    expect(field().value).toBe('(415');
    await userEvent.keyboard('7');
    answer(model, '(415) 7');
    expect(field().value).toBe('(415) 7');
  });

  it('selects the country of a number that is pasted with a plus, and announces it', async () => {
    const { model, container } = show();
    await userEvent.click(field());
    await userEvent.paste('+49 1512 3456789');
    answer(model, '01512 3456789', 'DE');
    expect(field().value).toBe('01512 3456789');
    expect(country().getAttribute('aria-label')).toBe('Country: Germany, DE +49');
    expect(container.querySelector('[data-part=announcer]')?.textContent).toBe('Country: Germany, DE +49');
    await press();
    expect(model.sent('phone/requested')[0]).toMatchObject({ country: 'DE', national: '01512 3456789' });
  });

  it('keeps text that is not a number unchanged', async () => {
    const { model } = show();
    await userEvent.type(field(), 'call <b>me</b>');
    answer(model, 'call <b>me</b>');
    expect(field().value).toBe('call <b>me</b>');
  });
});
