import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import { SDKAPIUnreachableError } from '#domain/errors.ts';
import { strengthFrom } from '#domain/passwords/password-strength.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { Screen } from '#domain/screens/screen.ts';
import type { LoginConfig } from '#domain/widget/widget-config.ts';
import { loadLocale } from '#presentation/messages/language.ts';
import { FIXTURES } from '../../gallery/fixtures.ts';
import { play } from './play.ts';
import { showScreen, showState, type PlayedModel } from './show.tsx';

afterEach(cleanup);

const EMAIL = 'ada@example.com';
const ALONE: LoginConfig = { products: ['passwords'] };
const NEW: Screen = { name: 'PasswordCreateOrLogin', email: EMAIL, userType: 'new' };

const text = (): string => document.body.textContent ?? '';
const field = () => screen.getByLabelText<HTMLInputElement>('Password');
const button = (name: string) => screen.getByRole('button', { name });
const announced = () => document.querySelector('[data-part=announcer]')?.textContent;
const described = (): string =>
  (field().getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

const lastCheck = (model: PlayedModel): number => {
  const last = model.intents.at(-1) as Extract<Intent, { readonly type: 'password/edited' }>;
  return last.check;
};
const answer = (model: PlayedModel, said: object, check = lastCheck(model)): void =>
  model.tell({ type: 'password/checked', check, strength: strengthFrom({ strength_policy: 'zxcvbn', ...said }) });

/** Holds the intents back until the returned function is called, as a widget does whose code has not loaded. */
function hold(model: PlayedModel): () => void {
  const intents: Intent[] = [];
  const sending = vi.spyOn(model, 'send').mockImplementation((intent) => void intents.push(intent));
  return () => {
    sending.mockRestore();
    act(() => intents.forEach((intent) => model.send(intent)));
  };
}

/** What a fixture of the gallery shows, once what is done in it is done. */
async function fixture(id: string) {
  const found = FIXTURES.find((one) => one.id === id)!;
  const view = showState(found.state, found);
  await play(view, found);
  return view.container;
}

describe('Creating a password', () => {
  it('that is refused marks the field, says the reasons again and keeps the focus there, at Enter and at a press', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    await userEvent.type(field(), 'bad');
    answer(model, { valid_password: false, feedback: { suggestions: ['Add another word or two.'], warning: '' } });
    await model.pass(1_000);
    expect([field().getAttribute('aria-invalid'), announced()]).toEqual(['false', '']);
    await userEvent.type(field(), '{Enter}');
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(announced()).toContain('Add another word or two.');
    await userEvent.type(field(), '2');
    expect(field().getAttribute('aria-invalid')).toBe('false');
    answer(model, { valid_password: false });
    await userEvent.click(button('Continue'));
    expect([field().getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field()]);
    expect(model.sent('password/createRequested')).toEqual([]);
  });

  it('that is empty marks the field at a press, and says so until something is typed', async () => {
    showScreen(NEW, { config: ALONE });
    await userEvent.click(button('Continue'));
    expect([field().getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field()]);
    expect(announced()).toBe('Please enter your password.');
    expect(described()).toContain('Please enter your password.');
    await userEvent.type(field(), 'x');
    expect(described()).not.toContain('Please enter your password.');
  });

  it('has no description "0" while the meter is empty', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    expect(screen.queryByRole('meter')).toBeNull();
    await userEvent.type(field(), 'bad');
    answer(model, { valid_password: false, score: 1 });
    expect(screen.getByRole('meter').getAttribute('aria-valuetext')).toBeTruthy();
  });

  it('is off until the server has found exactly the present one good', async () => {
    const { model, container } = showScreen(NEW, { config: ALONE });
    const isOff = () => button('Continue').getAttribute('aria-disabled') === 'true';
    const submit = () => fireEvent.submit(container.querySelector('form')!);
    expect(isOff()).toBe(true);
    await userEvent.type(field(), 'Good');
    const check = lastCheck(model);
    model.tell({ type: 'password/estimated', check, score: 4 });
    expect(isOff()).toBe(true);
    answer(model, { valid_password: true, score: 4 }, check - 1);
    expect(isOff()).toBe(true);
    answer(model, { valid_password: true, score: 4 });
    expect(isOff()).toBe(false);
    await userEvent.type(field(), '1');
    expect(isOff()).toBe(true);
    expect(model.sent('password/createRequested')).toEqual([]);
    answer(model, { valid_password: true, score: 4 });
    await userEvent.click(button('Continue'));
    submit();
    expect(model.sent('password/createRequested')).toEqual([
      { type: 'password/createRequested', email: EMAIL, password: 'Good1' },
    ]);
  });

  it('announces the strength politely, once per new result', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    await userEvent.type(field(), 'abc');
    expect(announced()).toBe('');
    answer(model, { score: 0 });
    expect(announced()).toBe('Password strength: Very weak. This password cannot be used yet.');
    await model.pass(1_000);
    await userEvent.type(field(), 'd');
    answer(model, { score: 0 });
    expect(announced()).toBe('');
    await userEvent.type(field(), 'e');
    answer(model, { valid_password: true, score: 3 });
    expect(announced()).toBe('Password strength: Good. This password can be used.');
  });

  it('shows the reasons against a password with it, and describes the field by them', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    await userEvent.type(field(), 'abc');
    const feedback = { warning: 'This is a top-10 password.', suggestions: ['Add another word or two.'] };
    answer(model, { score: 1, feedback });
    expect(announced()).toBe(
      'Password strength: Very weak. This password cannot be used yet. This is a top-10 password. Add another word or two.',
    );
    const [description] = (field().getAttribute('aria-describedby') ?? '').split(' ');
    expect(document.querySelector(`[id="${description}"]`)?.textContent).toContain('This is a top-10 password.');
    await userEvent.type(field(), 'd');
    const luds_requirements = { missing_characters: 4, missing_complexity: 0 };
    answer(model, { strength_policy: 'luds', feedback: { luds_requirements } });
    expect(announced()).toBe('This password cannot be used yet. Must be at least 8 characters long.');
    await userEvent.type(field(), 'e');
    answer(model, { score: 1, breached_password: true, feedback });
    expect(announced()).toMatch(
      /^Password strength: Very weak\. This password may have been used on a different site/u,
    );
    expect(announced()).not.toContain('top-10');
  });

  it('shows when it could not be checked, and checks again', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    await userEvent.type(field(), 'abc');
    const error = new SDKAPIUnreachableError('network');
    model.tell({ type: 'failed', asked: model.intents.at(-1)!, error });
    expect(screen.getByText(/could not be checked/u).closest('[role=alert]')).not.toBeNull();
    await userEvent.click(button('Try again'));
    expect(model.intents.at(-1)).toMatchObject({ type: 'password/edited', password: 'abc', check: 4 });
    expect(screen.queryByText(/could not be checked/u)).toBeNull();
  });

  it('sent while it is checked, goes out once with the answer, if it is valid', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    await userEvent.type(field(), 'Good1{Enter}');
    expect(announced()).toBe('Checking…');
    expect(button('Continue').getAttribute('aria-busy')).toBe('true');
    expect(model.sent('password/createRequested')).toEqual([]);
    answer(model, { valid_password: true, score: 4 });
    expect(model.sent('password/createRequested')).toEqual([
      { type: 'password/createRequested', email: EMAIL, password: 'Good1' },
    ]);
  });

  it('sent while it is checked, stays when it is refused, could not be checked or was changed', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    const isBusy = () => button('Continue').hasAttribute('aria-busy');
    await userEvent.type(field(), 'bad{Enter}');
    answer(model, { valid_password: false, score: 1 });
    expect(isBusy()).toBe(false);
    expect([field().getAttribute('aria-invalid'), document.activeElement]).toEqual(['true', field()]);
    await userEvent.type(field(), '2{Enter}');
    model.tell({ type: 'failed', asked: model.intents.at(-1)!, error: new SDKAPIUnreachableError('network') });
    expect(isBusy()).toBe(false);
    await userEvent.type(field(), '3{Enter}4');
    answer(model, { valid_password: true, score: 4 });
    expect(model.sent('password/createRequested')).toEqual([]);
  });

  it('sent before the code for its check has loaded, goes out once with the answer', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    const release = hold(model);
    await userEvent.type(field(), 'Good1{Enter}');
    expect(button('Continue').getAttribute('aria-busy')).toBe('true');
    expect(field().getAttribute('aria-invalid')).toBe('false');
    release();
    expect(model.sent('password/createRequested')).toEqual([]);
    answer(model, { valid_password: true, score: 4 });
    expect(model.sent('password/createRequested')).toHaveLength(1);
  });

  it('sent before the code for its check has loaded, stays when it is changed', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    const release = hold(model);
    await userEvent.type(field(), 'Good1{Enter}2');
    expect(button('Continue').hasAttribute('aria-busy')).toBe(false);
    release();
    answer(model, { valid_password: true, score: 4 });
    expect(model.sent('password/createRequested')).toEqual([]);
  });

  it('has no verdict until the server answers, unless it is bad for certain', async () => {
    const { model } = showScreen(NEW, { config: ALONE });
    const filled = () => document.querySelectorAll('[data-part=segment][data-state=filled]').length;
    const meter = () => screen.getByRole('meter', { hidden: true });
    await userEvent.type(field(), 'ab');
    answer(model, { valid_password: true, score: 4, feedback: { warning: 'Odd <b>words</b>' } });
    expect(filled()).toBe(4);
    await userEvent.type(field(), 'c');
    expect(filled()).toBe(0);
    expect(meter().getAttribute('aria-valuetext')).toBe('Checking…');
    model.tell({ type: 'password/estimated', check: lastCheck(model), score: 4 });
    expect(filled()).toBe(0);
    model.tell({ type: 'password/estimated', check: lastCheck(model), score: 2 });
    expect(filled()).toBe(2);
    answer(model, { score: 2, feedback: { warning: 'Odd <b>words</b>', suggestions: ['Use at least 8 characters.'] } });
    expect(screen.getByText('Odd <b>words</b>')).toBeTruthy();
    await userEvent.clear(field());
    expect(filled()).toBe(0);
    expect(screen.queryByText('Odd <b>words</b>')).toBeNull();
    expect(meter().hasAttribute('aria-valuetext')).toBe(false);
  });
});

describe('The strength of a password', () => {
  it.each([
    [0, 1, 'bad', 'Very weak'],
    [1, 1, 'bad', 'Very weak'],
    [2, 2, 'bad', 'Weak'],
    [3, 3, 'good', 'Good'],
    [4, 4, 'good', 'Strong'],
  ])('score %i fills %i segments, %s, and is said in a word', async (score, filled, tone, word) => {
    const container = await fixture(`password-new-score-${score}`);
    const meter = screen.getByRole('meter', { name: 'Password strength' });
    expect(container.querySelectorAll('[data-part=segment][data-state=filled]')).toHaveLength(filled);
    expect(meter.dataset['tone']).toBe(tone);
    expect(meter.getAttribute('aria-valuenow')).toBe(String(score));
    expect(meter.getAttribute('aria-valuetext')).toBe(word);
  });

  it('says a warning and suggestions in the language that is spoken', async () => {
    await loadLocale('de');
    await fixture('password-new-de');
    expect(text()).not.toContain('easy to guess');
    expect(text()).toContain('leicht zu erraten');
  });

  it('by kinds of characters is a list with ticks', async () => {
    const container = await fixture('password-new-luds-partly');
    expect(screen.queryByRole('meter')).toBeNull();
    const rules = [...container.querySelectorAll<HTMLElement>('[data-part=rules] li')];
    expect(rules.map((rule) => [rule.dataset['state'], rule.textContent])).toEqual([
      ['open', 'Must be at least 12 characters long Missing'],
      ['met', 'Must contain 3 of the following: uppercase letter, lowercase letter, number, symbol Met'],
    ]);
  });

  it('asks for one character in the singular', () => {
    const bootstrap = { ...DEFAULT_BOOTSTRAP, passwordConfig: { ludsComplexity: 1, ludsMinimumCount: 1 } };
    showState({ screen: NEW, bootstrap }, { config: ALONE });
    expect(text()).toContain('Must be at least 1 character long');
  });

  it('is neither a list nor a meter where nothing is required, before and after the answer', async () => {
    const bootstrap = { ...DEFAULT_BOOTSTRAP, passwordConfig: { ludsComplexity: 0, ludsMinimumCount: 0 } };
    const { model, container } = showState({ screen: NEW, bootstrap }, { config: ALONE });
    const isPlain = () => container.querySelector('[data-part=rules]') === null && screen.queryByRole('meter') === null;
    expect(isPlain()).toBe(true);
    await userEvent.type(field(), 'x');
    answer(model, { valid_password: true, strength_policy: 'luds' });
    expect([isPlain(), button('Continue').getAttribute('aria-disabled')]).toEqual([true, null]);
    expect(announced()).toBe('This password can be used.');
  });

  it('of a breached one is the notice alone', async () => {
    const container = await fixture('password-new-breached');
    expect(container.querySelector('[data-part=breached]')?.textContent).toContain('Please choose another password.');
    expect(container.querySelector('[data-part=advice]')).toBeNull();
  });
});
