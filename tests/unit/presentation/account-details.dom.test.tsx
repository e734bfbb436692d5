import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import type { AccountPage, AccountTask } from '#domain/account/account.ts';
import { DEFAULT_BOOTSTRAP } from '#domain/project/bootstrap.ts';
import type { Profile } from '#domain/sessions/profile.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { DETAILS, NEW_TERMS } from '../../gallery/fixtures/account-details.ts';
import { apiError, FIXTURES } from '../../gallery/fixtures.ts';
import { showState } from './show.tsx';

await loadPart('account');
afterEach(cleanup);

const show = async (id = 'account-details', config = {}) => {
  const fixture = FIXTURES.find((each) => each.id === id);
  if (fixture === undefined) throw new Error(id);
  const shown = showState(fixture.state, { config: { ...fixture.config, ...config } });
  await waitFor(() => screen.getByRole('heading', { level: 1 }));
  const page = shown.model.getState().account as AccountPage;
  const rest = (change: Partial<AccountPage>): void =>
    shown.model.tell({ type: 'account/changed', account: { ...page, ...change } as AccountPage });
  return { ...shown, page, rest, open: (task: AccountTask | null) => rest({ task }) };
};
const known = (...items: readonly Profile[]) => ({ status: 'known', items }) as const;
const region = () => screen.getByRole('region', { name: 'Your details' });
const noRegion = () => expect(screen.queryByRole('region', { name: 'Your details' })).toBeNull();
const textbox = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });
const choice = (name: string) => screen.getByRole<HTMLSelectElement>('combobox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const FORM: AccountTask = { kind: 'details' };

describe('The details on the account page', () => {
  it('stand after the profile, each field with its label and value', async () => {
    await show('account-details', { accountOptions: {} });
    const names = screen.getAllByRole('region').map((each) => each.querySelector('h2')?.textContent);
    expect(names.slice(0, 3)).toEqual(['Profile', 'Your details', 'Email addresses']);
    const [fields] = within(region()).getAllByRole('list');
    expect([...(fields?.children ?? [])].map((row) => [...row.children].map((each) => each.textContent))).toEqual([
      ['First name', 'Ada'],
      ['Company', 'Analytical Engines'],
      ['Role', 'Developer'],
      ['How did you hear of us?', 'Not filled in'],
    ]);
  });

  it('have a name that was changed elsewhere on the page', async () => {
    const { page, rest } = await show();
    rest({ user: { ...page.user, name: { first_name: 'Augusta' } } });
    expect(region().textContent).toContain('First nameAugusta');
  });

  it('are not there if the project asks for nothing, or the server has no such call', async () => {
    const { model, rest } = await show();
    const { bootstrap } = model.getState();
    model.set({ bootstrap: DEFAULT_BOOTSTRAP });
    noRegion();
    model.set({ bootstrap });
    expect(region()).toBeDefined();
    for (const details of [{ status: 'absent' } as const, known()]) {
      rest({ details });
      noRegion();
    }
  });

  it('can be loaded again after a failure', async () => {
    const { model, rest } = await show();
    rest({ details: { status: 'failed', error: apiError('service_unavailable') } });
    await userEvent.click(within(region()).getByRole('button', { name: 'Try again' }));
    expect(model.sent('account/retried')).toHaveLength(1);
    expect(screen.queryByRole('button', { name: 'Edit your details' })).toBeNull();
    rest({ details: known({ ...DETAILS, fields: [] }) });
    expect(region().textContent).toContain('Terms of Service');
    expect(screen.queryByRole('button', { name: 'Edit your details' })).toBeNull();
  });
});

describe('The form of the details', () => {
  it('has each field with its value, and says which ones are optional', async () => {
    const { model, open } = await show();
    await userEvent.click(button('Edit your details'));
    expect(model.sent('account/opened')).toEqual([{ type: 'account/opened', task: FORM }]);
    open(FORM);
    expect(document.activeElement).toBe(textbox('First name'));
    const [first, company, other] = [
      textbox('First name'),
      textbox('Company'),
      textbox('How did you hear of us? (optional)'),
    ];
    expect([first, company, other].map(({ value, required }) => [value, required])).toEqual([
      ['Ada', true],
      ['Analytical Engines', true],
      ['', false],
    ]);
    expect([first, company].map((field) => field.getAttribute('autocomplete'))).toEqual(['given-name', null]);
    expect([choice('Role').value, choice('Role').required]).toEqual(['developer', true]);
    expect([...choice('Role').options].map(({ text }) => text)).toEqual([
      'Please choose',
      'Developer',
      'Designer',
      'Other',
    ]);
    open(null);
    expect(document.activeElement).toBe(button('Edit your details'));
  });

  it('sends the changed fields together, without blanks at their ends', async () => {
    const { model } = await show('account-details-form');
    await userEvent.clear(textbox('Company'));
    await userEvent.type(textbox('Company'), ' Babbage & Co ');
    await userEvent.selectOptions(choice('Role'), 'Designer');
    await userEvent.click(button('Save'));
    const fields = { company: 'Babbage & Co', role: 'designer' };
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change: { kind: 'details', fields } }]);
  });

  it('leaves a value that its control cannot show', async () => {
    const { model, page, rest } = await show();
    const fields = DETAILS.fields.map((field) => ({
      ...field,
      required: false,
      ...(field.field === 'company' && { value: 'Analytical\nEngines' }),
      ...(field.field === 'first_name' && { options: [{ value: 'Augusta', label: 'Augusta' }] }),
    }));
    rest({ details: known({ ...DETAILS, fields }), user: { ...page.user, name: { first_name: 'Ada' } }, task: FORM });
    expect([choice('First name (optional)').value, textbox('Company (optional)').value]).toEqual([
      '',
      'AnalyticalEngines',
    ]);
    await userEvent.selectOptions(choice('Role (optional)'), 'Designer');
    await userEvent.click(button('Save'));
    expect(model.sent('account/asked')).toEqual([
      { type: 'account/asked', change: { kind: 'details', fields: { role: 'designer' } } },
    ]);
  });

  it('sends nothing while a required field is empty, and says so at the field', async () => {
    const { model } = await show('account-details-form');
    await userEvent.selectOptions(choice('Role'), '');
    await userEvent.clear(textbox('Company'));
    await userEvent.type(textbox('Company'), '  {Enter}');
    expect(model.sent('account/asked')).toEqual([]);
    expect(within(region()).getAllByText('Please fill in this field.')).toHaveLength(2);
    expect(textbox('Company').getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(textbox('Company'));
    await userEvent.type(textbox('Company'), 'ACME');
    expect(within(region()).getAllByText('Please fill in this field.')).toHaveLength(1);
    await userEvent.click(button('Save'));
    expect(document.activeElement).toBe(choice('Role'));
    expect(choice('Role').getAttribute('aria-invalid')).toBe('true');
    await userEvent.selectOptions(choice('Role'), 'Designer');
    expect(within(region()).queryByText('Please fill in this field.')).toBeNull();
  });

  it('begins with a choice if that is the first field', async () => {
    const { rest } = await show();
    const fields = DETAILS.fields.slice(2);
    rest({ details: known({ ...DETAILS, fields }), task: FORM });
    expect(document.activeElement).toBe(choice('Role'));
  });

  it('keeps what was typed while another form is open, and when terms are accepted', async () => {
    const { open, rest } = await show('account-details-form');
    await userEvent.type(textbox('Company'), ' Ltd');
    await userEvent.selectOptions(choice('Role'), 'Designer');
    open({ kind: 'name' });
    rest({ task: null, news: { id: 1, what: 'termsAccepted' } });
    open(FORM);
    expect([textbox('Company').value, choice('Role').value]).toEqual(['Analytical Engines Ltd', 'designer']);
    rest({ task: null, news: { id: 2, what: 'detailsChanged' } });
    expect(region().textContent).toContain('Your details are changed.');
    open(FORM);
    expect([textbox('Company').value, choice('Role').value]).toEqual(['Analytical Engines', 'developer']);
  });

  it('stays open at Escape once a choice is changed', async () => {
    const { model } = await show('account-details-form');
    choice('Role').focus();
    await userEvent.keyboard('{Escape}');
    expect(model.sent('account/closed')).toHaveLength(1);
    await userEvent.selectOptions(choice('Role'), 'Designer');
    await userEvent.keyboard('{Escape}');
    expect(model.sent('account/closed')).toHaveLength(1);
  });

  it('explains a refused value at its field, which gets the focus', async () => {
    const { model, rest } = await show('account-details-form');
    await userEvent.type(textbox('How did you hear of us? (optional)'), 'x{Enter}');
    const error = apiError('invalid_profile', undefined, 400, { field: 'fields.company' });
    // The page hears of the focus.
    await act(async () => rest({ task: FORM, error, failed: { kind: 'details' } }));
    expect(document.activeElement).toBe(textbox('Company'));
    const text = document.getElementById(textbox('Company').getAttribute('aria-describedby') ?? '')?.textContent;
    expect(text).toBe('This cannot be used here. Please change it.');
    expect(region().querySelector('[data-part=errors]')?.textContent).toBe('');
    await userEvent.type(textbox('Company'), 'x');
    expect(model.sent('account/edited')).toHaveLength(1);
  });

  it.each([undefined, { field: 'fields' }, { field: 'terms.tos' }])(
    'shows an error of none of its fields below, and none after an edit: %j',
    async (details) => {
      const { model, rest } = await show('account-details-form');
      rest({ task: FORM, error: apiError('invalid_profile', undefined, 400, details), failed: { kind: 'details' } });
      expect(
        within(region()).getByText('Something is missing or cannot be used here. Please check what you entered.'),
      ).toBeDefined();
      await userEvent.type(textbox('Company'), 'x');
      expect(model.sent('account/edited')).toHaveLength(1);
    },
  );

  it('is locked while it is saved', async () => {
    const { model, page } = await show('account-details-form');
    const account = { ...page, at: 'working', doing: { kind: 'details' }, from: FORM, waiting: [] } as const;
    model.tell({ type: 'account/changed', account });
    expect([textbox('Company').readOnly, choice('Role').disabled]).toEqual([true, true]);
    expect(button('Save').getAttribute('aria-busy')).toBe('true');
  });
});

describe('The terms on the account page', () => {
  it('link to their text, with the time of the acceptance', async () => {
    await show();
    const link = screen.getByRole('link', { name: 'Terms of Service' });
    expect(['href', 'target', 'rel'].map((name) => link.getAttribute(name))).toEqual([
      'https://acme.example/terms',
      '_blank',
      'noopener noreferrer',
    ]);
    expect(within(region()).getAllByText(/^Accepted on \w{3} \d{1,2}, \d{4}, \d{1,2}:\d{2}\s[AP]M$/u)).toHaveLength(2);
    expect(screen.queryByRole('button', { name: /^Accept/u })).toBeNull();
  });

  it('can be accepted in a new version, after which the focus stays in their section', async () => {
    const { model, rest } = await show('account-details-terms');
    await userEvent.click(button('Accept Terms of Service'));
    const change = { kind: 'acceptTerms', id: 'tos', version: '3' };
    expect(model.sent('account/asked')).toEqual([{ type: 'account/asked', change }]);
    rest({ details: known(DETAILS), news: { id: 1, what: 'termsAccepted' } });
    expect(region().textContent).toContain('You accepted the terms.');
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Your details' }));
  });

  it('that have changed meanwhile say so', async () => {
    const { rest } = await show('account-details-terms');
    const error = apiError('invalid_profile', undefined, 400, { field: 'terms.tos' });
    rest({ error, failed: { kind: 'acceptTerms', id: 'tos', version: '3' } });
    const described = button('Accept Terms of Service').getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(described)?.textContent).toBe(
      'These terms have changed. Please read and accept them.',
    );
    expect(region().querySelector('[data-part=errors]')?.textContent).toBe('');
  });

  it('mark the ones that are being accepted', async () => {
    const { model, page } = await show('account-details-terms');
    const terms = NEW_TERMS.terms.map((each) => ({ ...each, accepted_at: null }));
    const doing = { kind: 'acceptTerms', id: 'rules', version: '1' } as const;
    const details = known({ ...NEW_TERMS, terms });
    const account = { ...page, details, at: 'working', doing, from: null, waiting: [] } as const;
    model.tell({ type: 'account/changed', account });
    const busy = ['Accept Terms of Service', 'Accept House rules'].map((name) =>
      button(name).getAttribute('aria-busy'),
    );
    expect(busy).toEqual([null, 'true']);
  });

  it('are no link to an address that no page may open', async () => {
    const { rest } = await show();
    const terms = DETAILS.terms.map((each) => ({ ...each, url: 'javascript:alert(1)' }));
    rest({ details: known({ ...DETAILS, terms }) });
    expect(region().textContent).toContain('Terms of Service');
    expect(within(region()).queryByRole('link')).toBeNull();
  });
});
