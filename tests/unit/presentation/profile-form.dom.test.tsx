import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { MfaStep } from '#domain/sessions/mfa.ts';
import type { Profile } from '#domain/sessions/profile.ts';
import { beginStep, type FactorFormState } from '#domain/sessions/second-factor.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { ROLES } from '../../gallery/fixtures/account-details.ts';
import { apiError, NOW } from '../../gallery/fixtures.ts';
import { showScreen, type PlayedModel } from './show.tsx';

await loadPart('factors');
afterEach(cleanup);

const TERMS: Profile['terms'] = [
  { terms_id: 'tos', version: '2', title: 'Terms of Service', url: 'https://acme.example/terms', accepted_at: null },
];
const PROFILE: Profile = {
  fields: [
    { field: 'first_name', label: null, required: true, options: null, value: '' },
    { field: 'company', label: { en: 'Company', de: 'Firma' }, required: true, options: null, value: 'ACME' },
    { field: 'role', label: 'Role', required: true, options: ROLES, value: '' },
    { field: 'referrer', label: 'Referrer', required: false, options: null, value: '' },
  ],
  terms: TERMS,
};
const stepOf = (profile: Profile): MfaStep => ({
  factors: [],
  phone_numbers: [],
  enrol: [],
  expires_at: new Date(NOW + 600_000).toISOString(),
  trusted_device_days: null,
  recovery: null,
  recovery_pending: null,
  profile: { ...profile, user_id: 'user-test-1' },
});
const formOf = (profile: Profile): FactorFormState => beginStep(stepOf(profile)) as FactorFormState;
const show = (flow: FactorFormState, options?: Parameters<typeof showScreen>[1]) =>
  showScreen({ name: 'SecondFactor', flow, isConsent: false }, options);

const textbox = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const accepting = () => screen.getByRole<HTMLInputElement>('checkbox');
const press = () => userEvent.click(screen.getByRole('button', { name: 'Continue' }));
const requests = (model: PlayedModel) =>
  model.sent('factor/asked').map((intent) => 'request' in intent && intent.request);

describe('The form of fields and terms', () => {
  it('has a labelled control for each, with the known values, and helps a browser to fill in the name', () => {
    show(formOf(PROFILE));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('A few more details');
    expect(textbox('First name').autocomplete).toBe('given-name');
    expect(textbox('Company').value).toBe('ACME');
    expect(textbox('Referrer (optional)').required).toBe(false);
    const options = within(screen.getByRole('combobox', { name: 'Role' })).getAllByRole('option');
    expect(options.map(({ textContent }) => textContent)).toEqual(['Please choose', 'Developer', 'Designer', 'Other']);
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'Read Terms of Service' });
    expect([link.href, link.target, link.rel]).toEqual(['https://acme.example/terms', '_blank', 'noopener noreferrer']);
  });

  it('sends what was entered, without empty fields, and with the accepted versions', async () => {
    const { model } = show(formOf(PROFILE));
    await userEvent.type(textbox('First name'), ' Ada ');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Designer');
    await userEvent.click(accepting());
    await press();
    const fields = { first_name: 'Ada', company: 'ACME', role: 'designer' };
    expect(requests(model)).toEqual([{ kind: 'profile', user_id: 'user-test-1', fields, terms: { tos: '2' } }]);
  });

  it('says at each control what is missing, focuses the first one, and sends nothing', async () => {
    const { model } = show(formOf(PROFILE));
    await userEvent.clear(textbox('Company'));
    await press();
    expect(requests(model)).toEqual([]);
    expect(document.activeElement).toBe(textbox('First name'));
    const controls = [
      textbox('First name'),
      textbox('Company'),
      screen.getByRole('combobox', { name: 'Role' }),
      accepting(),
    ];
    for (const control of controls) {
      expect(control.getAttribute('aria-invalid')).toBe('true');
      const text = document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent;
      expect(text).toMatch(/^Please (?:fill in this field|accept this to continue)\.$/u);
    }
    await userEvent.type(textbox('Company'), 'A');
    expect(textbox('Company').getAttribute('aria-invalid')).toBe('false');
    expect(textbox('First name').getAttribute('aria-invalid')).toBe('true');
  });

  it('has a heading and a text of its own where only terms are missing', async () => {
    const { model } = show(formOf({ fields: [], terms: TERMS }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Terms of this site');
    await userEvent.click(screen.getByRole('checkbox', { name: 'I accept: Terms of Service' }));
    await press();
    expect(requests(model)).toEqual([{ kind: 'profile', user_id: 'user-test-1', fields: {}, terms: { tos: '2' } }]);
  });

  it('shows labels and options in the language of the widget', async () => {
    show(formOf(PROFILE), { language: 'de' });
    await screen.findByRole('textbox', { name: 'Vorname' });
    expect(textbox('Firma').value).toBe('ACME');
    const options = within(screen.getByRole('combobox', { name: 'Role' })).getAllByRole<HTMLOptionElement>('option');
    expect(options.slice(1).map(({ value, text }) => [value, text])).toEqual([
      ['developer', 'Entwicklung'],
      ['designer', 'Gestaltung'],
      ['Other', 'Other'],
    ]);
  });

  it('shows no link to an address that is not safe', () => {
    show(formOf({ ...PROFILE, terms: TERMS.map((terms) => ({ ...terms, url: 'javascript:alert(1)' })) }));
    expect(screen.queryByRole('link', { name: /Read/u })).toBe(null);
  });
});

describe('A refused entry', () => {
  const refused = (flow: FactorFormState, field?: string): FactorFormState => {
    const error = apiError('invalid_profile', undefined, 400, field === undefined ? undefined : { field });
    return { ...flow, error, failed: 'profile' };
  };
  const filled = async () => {
    const shown = show(formOf(PROFILE));
    await userEvent.type(textbox('First name'), 'Ada');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Designer');
    await userEvent.click(accepting());
    await press();
    return shown;
  };
  const textOf = (control: Element) =>
    document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent;
  const alerts = () =>
    screen
      .getAllByRole('alert')
      .map(({ textContent }) => textContent)
      .join('');

  it('is explained at its control, which has the focus, and keeps the others', async () => {
    const { model } = await filled();
    model.tell({ type: 'factor/changed', flow: refused(formOf(PROFILE), 'fields.company') });
    expect(document.activeElement).toBe(textbox('Company'));
    expect(textbox('Company').getAttribute('aria-invalid')).toBe('true');
    expect(textOf(textbox('Company'))).toBe('This cannot be used here. Please change it.');
    const choice = screen.getByRole<HTMLSelectElement>('combobox', { name: 'Role' });
    expect([textbox('First name').value, choice.value, accepting().checked]).toEqual(['Ada', 'designer', true]);
    expect(alerts()).toBe('');
    await userEvent.type(textbox('First name'), 'x');
    expect(model.sent('factor/edited')).toHaveLength(0);
    await userEvent.type(textbox('Company'), 'x');
    expect(model.sent('factor/edited')).toHaveLength(1);
  });

  it('takes the focus once: a correction leaves it where the person is', async () => {
    const { model } = await filled();
    model.tell({ type: 'factor/changed', flow: refused(formOf(PROFILE), 'fields.company') });
    await userEvent.clear(textbox('First name'));
    await press();
    expect(document.activeElement).toBe(textbox('First name'));
    await userEvent.type(textbox('Company'), 'x');
    model.tell({ type: 'factor/changed', flow: formOf(PROFILE) });
    expect(document.activeElement).toBe(textbox('Company'));
    expect(textbox('First name').getAttribute('aria-invalid')).toBe('true');
  });

  it('is read out where the focus is already there', async () => {
    const { model } = await filled();
    await userEvent.type(textbox('Company'), '{Enter}');
    model.tell({ type: 'factor/changed', flow: refused(formOf(PROFILE), 'fields.company') });
    const announcer = document.querySelector('[data-part=announcer]');
    expect(announcer?.textContent).toBe('This cannot be used here. Please change it.');
  });

  it('leaves the focus of a person who is elsewhere on the page', async () => {
    const { model } = await filled();
    const elsewhere = document.body.appendChild(document.createElement('input'));
    elsewhere.focus();
    model.tell({ type: 'factor/changed', flow: refused(formOf(PROFILE), 'fields.company') });
    expect(document.activeElement).toBe(elsewhere);
    elsewhere.remove();
  });

  it('of terms that have changed meanwhile asks to read them', async () => {
    const { model } = await filled();
    const terms = TERMS.map((each) => ({ ...each, version: '3' }));
    model.tell({ type: 'factor/changed', flow: refused(formOf({ ...PROFILE, terms }), 'terms.tos') });
    expect(document.activeElement).toBe(accepting());
    expect(accepting().checked).toBe(false);
    expect(textOf(accepting())).toBe('These terms have changed. Please read and accept them.');
    expect(textbox('First name').value).toBe('Ada');
  });

  it.each([undefined, 'fields', 'fields.gone'])(
    'has a text below the form if it is none of its controls: %s',
    async (field) => {
      const { model } = await filled();
      model.tell({ type: 'factor/changed', flow: refused(formOf(PROFILE), field) });
      expect(alerts()).toBe('Something is missing or cannot be used here. Please check what you entered.');
      await userEvent.type(textbox('First name'), 'x');
      expect(model.sent('factor/edited')).toHaveLength(1);
    },
  );
});
