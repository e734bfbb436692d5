import { cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AccountChange, AccountPage } from '#domain/account/account.ts';
import { doingOf } from '#domain/account/account-changes.ts';
import type { Intent } from '#domain/screens/event.ts';
import { beginStep, type FactorFormState, type FactorRequest } from '#domain/sessions/second-factor.ts';
import { loadPart } from '#presentation/parts/load-part.ts';
import { apiError, FIXTURES } from '../../gallery/fixtures.ts';
import { otp, STEP } from '../domain/every-event.ts';
import { texts } from './placed-errors.ts';
import { showState } from './show.tsx';

beforeAll(async () => {
  await Promise.all([loadPart('account'), loadPart('factors')]);
});
afterEach(cleanup);

const SMS = { ...otp, type: 'sms', destination: '+1 42' } as const;
const isMarked = (): boolean => document.querySelector('input[aria-invalid=true]') !== null;

describe('a field is marked by the refusal of what it sent, and by no other', () => {
  it.each<[Intent['type'], boolean]>([
    ['otp/codeEntered', true],
    ['password/insteadRequested', false],
    ['otp/requested', false],
  ])('the code of somebody without a password, after %s: %s', (failed, marked) => {
    const fixture = FIXTURES.find(({ id }) => id === 'passwordless-code');
    showState({ ...fixture?.state, pending: null, failed, error: apiError('brand_new') }, fixture);
    expect(isMarked()).toBe(marked);
    expect(texts()).toHaveLength(1);
  });

  it.each<[FactorRequest['kind'], boolean]>([
    ['text', true],
    ['send', false],
    ['addPhone', false],
  ])('the code of the second factor, after %s: %s', async (failed, marked) => {
    const form = beginStep({ ...STEP, phone_numbers: [{ phone_id: 'a', phone_number: '+1 42' }] }) as FactorFormState;
    const task = { kind: 'text', otp: SMS, phone: null } as unknown as FactorFormState['task'];
    const flow = { ...form, task, failed, error: apiError('brand_new') };
    showState({ screen: { name: 'SecondFactor', flow, isConsent: false } });
    await waitFor(() => expect(texts()).toHaveLength(1));
    expect(isMarked()).toBe(marked);
  });

  it.each([
    ['invalid_phone_number', true],
    ['brand_new', false],
  ])('the number on the account page, after %s: %s', async (type, marked) => {
    const change = { kind: 'sendText', method: 'sms', edit: 1, country: 'US', national: '' } as const;
    await accountAfter(change, type, { kind: 'addPhone' });
    expect(isMarked()).toBe(marked);
    expect(texts()).toHaveLength(1);
  });
});

async function accountAfter(change: AccountChange, type: string, task: AccountPage['task']): Promise<void> {
  const fixture = FIXTURES.find(({ id }) => id === 'account');
  const page = fixture?.state.account as AccountPage;
  const account = { ...page, task, error: apiError(type), failed: doingOf(change) } as AccountPage;
  showState({ ...fixture?.state, account }, fixture);
  await waitFor(() => screen.getByRole('heading', { level: 1, name: 'Your account' }));
}

describe('the error of a change on the account page', () => {
  it.each<[AccountChange, string | undefined]>([
    [{ kind: 'signOut' }, undefined],
    [{ kind: 'endOthers' }, 'sessions'],
    [{ kind: 'addPasskey' }, 'passkeys'],
    [{ kind: 'sendCode', method: 'email', destination: 'b@example.com' }, 'emails'],
    [{ kind: 'sendCode', method: 'sms', destination: '+14155552671' }, 'phones'],
  ])('%j is in the section %s', async (change, section) => {
    await accountAfter(change, 'brand_new', null);
    const [text, ...others] = texts();
    expect(others).toEqual([]);
    expect(text?.closest<HTMLElement>('[data-section]')?.dataset['section']).toBe(section);
  });
});
