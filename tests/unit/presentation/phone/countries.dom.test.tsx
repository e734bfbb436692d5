import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { countriesFound, countriesIn } from '#presentation/parts/phones/countries.ts';
import { PHONE } from '../../../gallery/fixtures/phone.ts';
import { showScreen } from '../show.tsx';
import { oneOf } from '../../../soak.ts';
import { soakIt } from '../../../soak-tests.ts';

afterEach(cleanup);

const show = (national = '', config = PHONE) =>
  showScreen({ name: 'Main', email: '', phone: { method: 'sms', country: 'US', national } }, { config });
const button = () => screen.getByRole('button', { name: /^Country/u });
const search = () => screen.getByRole<HTMLInputElement>('combobox');
const options = () => screen.getAllByRole('option').map((option) => option.querySelector('span + span')?.textContent);
const active = () =>
  document.querySelector(`#${CSS.escape(search().getAttribute('aria-activedescendant')!)}`)?.textContent;
const isOpen = () => screen.queryByRole('dialog') !== null;

async function open(national?: string) {
  const shown = show(national);
  await userEvent.click(button());
  return shown;
}

describe('The list of countries', () => {
  it('opens from its button, with the chosen country at hand', async () => {
    await open();
    expect(button().getAttribute('aria-expanded')).toBe('true');
    expect(screen.getByRole('dialog').getAttribute('aria-label')).toBe('Choose a country');
    expect(document.activeElement).toBe(search());
    expect(search().getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
    expect(options().length).toBeGreaterThan(240);
    expect(options()[0]).toBe('United States');
    expect(options()[1]).toBe('Afghanistan');
    expect(active()).toContain('United States');
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('United States');
  });

  it('begins with the configured country', async () => {
    showScreen({ name: 'Main', email: '' }, { config: { ...PHONE, defaultCountry: 'CH' } });
    await userEvent.click(button());
    expect(options().slice(0, 2)).toEqual(['Switzerland', 'Afghanistan']);
  });

  soakIt('is closed by Escape, with the focus back on the button and nothing chosen', async () => {
    const { model } = await open();
    await userEvent.keyboard('{ArrowDown}{Escape}');
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(button());
    expect(button().getAttribute('aria-label')).toBe('Country: United States, US +1');
    expect(model.sent('phone/edited')).toEqual([]);
  });

  soakIt('selects a country by keyboard alone, announces it, and requests the format of its numbers', async () => {
    const { model, container } = await open('4155552671');
    await userEvent.keyboard('germ{Enter}');
    expect(isOpen()).toBe(false);
    // The person enters the number next.
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Phone number' }));
    expect(button().getAttribute('aria-label')).toBe('Country: Germany, DE +49');
    expect(container.querySelector('[data-part=announcer]')?.textContent).toBe('Country: Germany, DE +49');
    expect(model.sent('phone/edited').at(-1)).toEqual({
      type: 'phone/edited',
      edit: 1,
      country: 'DE',
      national: '4155552671',
    });
    expect(model.sent('phone/requested')).toEqual([]);
  });

  it.each(
    oneOf(3, [
      ['{ArrowDown}', 'Afghanistan'],
      ['{ArrowUp}', 'Zimbabwe'],
      ['{End}', 'Zimbabwe'],
      ['{End}{Home}', 'United States'],
      ['{End}{ArrowDown}', 'United States'],
      ['{PageDown}', 'Andorra'],
      ['{PageDown}{PageUp}{PageUp}', 'United States'],
    ]),
  )('moves by %s', async (keys, name) => {
    await open();
    await userEvent.keyboard(keys);
    expect(active()).toContain(name);
    expect(document.activeElement).toBe(search());
  });

  it.each(
    oneOf(3, [
      ['{ArrowDown}', ''],
      ['{ArrowUp}', ''],
      ['{Enter}', ''],
      [' ', ''],
      ['g', 'g'],
      ['+', '+'],
    ]),
  )('opens from the keyboard by %s', async (key, text) => {
    show();
    button().focus();
    await userEvent.keyboard(key);
    expect(search().value).toBe(text);
    expect(document.activeElement).toBe(search());
  });

  it('shows when it finds none, and Enter then does nothing', async () => {
    await open();
    await userEvent.keyboard('atlantis{Enter}');
    expect(screen.queryAllByRole('option')).toEqual([]);
    expect(within(screen.getByRole('dialog')).getByRole('status').textContent).toBe('No country found');
    expect(search().getAttribute('aria-expanded')).toBe('false');
    expect(search().hasAttribute('aria-activedescendant')).toBe(false);
    expect(isOpen()).toBe(true);
  });

  soakIt('takes a press on a line, and is closed by one outside and by one on its button', async () => {
    await open();
    await userEvent.click(screen.getByRole('option', { name: /^Albania/u }));
    expect(button().getAttribute('aria-label')).toBe('Country: Albania, AL +355');
    await userEvent.click(button());
    expect(isOpen()).toBe(true);
    await userEvent.click(button());
    expect(isOpen()).toBe(false);
    await userEvent.click(button());
    await userEvent.click(screen.getByRole('heading'));
    expect(isOpen()).toBe(false);
  });

  soakIt('stays open while a finger scrolls the page', async () => {
    await open();
    fireEvent.pointerDown(screen.getByRole('heading'));
    fireEvent.pointerCancel(screen.getByRole('heading'));
    expect(isOpen()).toBe(true);
  });

  it('stays open when a press that began in it ends outside, such as the selection of the typed text', async () => {
    await open();
    fireEvent.pointerDown(search());
    fireEvent.pointerUp(screen.getByRole('heading'));
    expect(isOpen()).toBe(true);
    fireEvent.pointerDown(screen.getByRole('heading'));
    fireEvent.pointerUp(search());
    expect(isOpen()).toBe(true);
    fireEvent.pointerDown(screen.getByRole('heading'));
    fireEvent.pointerUp(screen.getByRole('heading'));
    expect(isOpen()).toBe(false);
  });

  it('is closed when the focus goes on', async () => {
    await open();
    await userEvent.tab();
    expect(isOpen()).toBe(false);
  });

  it('replaces the calling code that was typed by that of the chosen country', async () => {
    const { model } = await open('+1 415');
    await userEvent.keyboard('germ{Enter}');
    expect(model.sent('phone/edited').at(-1)).toMatchObject({ country: 'DE', national: '415' });
  });

  it('does not open while a number is on its way', async () => {
    const { model } = show('4155552671');
    await userEvent.click(screen.getByRole('button', { name: 'Continue with text' }));
    expect(model.getState().pending).toBe('phone/requested');
    await userEvent.click(button());
    expect(isOpen()).toBe(false);
  });
});

describe('Searching for a country', () => {
  const found = (text: string, language: 'en' | 'de' = 'en') =>
    countriesFound(countriesIn(language, 'US'), text).map(({ country }) => country);

  it.each([
    ['us', 'US'],
    ['DE', 'DE'],
    ['germany', 'DE'],
    ['cote d’i', 'CI'],
    ['ÅLAND', 'AX'],
    ['aland', 'AX'],
    ['uk', 'GB'],
    ['emirates', 'AE'],
    ['+44', 'GB'],
    ['44', 'GB'],
    ['49', 'DE'],
    ['1', 'US'],
    ['+7', 'RU'],
    ['  japan ', 'JP'],
  ])('%j finds %s first', (text, country) => {
    expect(found(text)[0]).toBe(country);
  });

  it('takes the names of the language and those of English', () => {
    expect(found('deutsch', 'de')[0]).toBe('DE');
    expect(found('germany', 'de')[0]).toBe('DE');
    expect(countriesIn('de', 'US').find(({ country }) => country === 'DE')?.name).toBe('Deutschland');
  });

  it('finds all countries for an empty search, and none for an unknown word', () => {
    expect(found('').length).toBeGreaterThan(240);
    expect(found('+').length).toBeGreaterThan(240);
    expect(found('zzz')).toEqual([]);
    expect(found('999')).toEqual([]);
    expect(found('.*')).toEqual([]);
  });
});
