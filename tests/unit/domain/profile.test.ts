import { describe, expect, it } from 'vitest';
import { SDKAPIError, SDKAPIUnreachableError } from '#domain/errors.ts';
import type { Refusal } from '#domain/rules/refusal.ts';
import type { MfaStep } from '#domain/sessions/mfa.ts';
import { fieldControl, refusedControl, termsControl, textIn } from '#domain/sessions/profile.ts';
import { FACTOR_TABLE } from '#domain/screens/factor-flow.ts';
import { beginStep, type FactorFormState } from '#domain/sessions/second-factor.ts';
import { bootstrapFrom } from '#domain/project/bootstrap.ts';
import {
  changesBy,
  missingProfile,
  profileStep,
  readEntry,
  requireFields,
  type ProfileRules,
} from '#server-rules/profile.ts';

const RULES: ProfileRules = {
  fields: [
    { field: 'last_name', label: null, required: true, options: null },
    { field: 'role', label: 'Role', required: false, options: [{ value: 'Developer', label: 'Developer' }] },
  ],
  terms: [{ terms_id: 'tos', version: '2', title: 'Terms', url: 'https://acme.example/terms' }],
  url: 'https://acme.example/login',
};
const ACCEPTED = { tos: { version: '2', accepted_at: '2026-01-01T00:00:00.000Z' } };
const NOBODY = { name: {}, untrusted_metadata: {}, accepted_terms: {} };
const namesIn = (owner: Parameters<typeof missingProfile>[1]) => {
  const missing = missingProfile(RULES, owner);
  return missing && [...missing.fields.map(({ field }) => field), ...missing.terms.map(({ terms_id }) => terms_id)];
};

describe('What a login lacks', () => {
  it('is each required field, beside it the optional ones, and terms of another version', () => {
    expect(namesIn(NOBODY)).toEqual(['last_name', 'role', 'tos']);
    expect(namesIn({ ...NOBODY, accepted_terms: ACCEPTED })).toEqual(['last_name', 'role']);
    const older = { tos: { ...ACCEPTED.tos, version: '1' } };
    expect(namesIn({ ...NOBODY, name: { last_name: 'Ada' }, accepted_terms: older })).toEqual(['tos']);
  });

  it('is nothing if only an optional field is empty', () => {
    expect(namesIn({ ...NOBODY, name: { last_name: 'Ada' }, accepted_terms: ACCEPTED })).toBe(null);
  });

  it('is a field whose value is none of the options, or is no text', () => {
    const rules = { ...RULES, fields: RULES.fields.map((rule) => ({ ...rule, required: true })) };
    const owner = { name: { last_name: 'Ada' }, accepted_terms: ACCEPTED };
    for (const role of ['Queen', { in: 1 }, null]) {
      const missing = missingProfile(rules, { ...owner, untrusted_metadata: { role } });
      expect(missing?.fields.map(({ field }) => field)).toEqual(['role']);
    }
    expect(missingProfile(rules, { ...owner, untrusted_metadata: { role: 'Developer' } })).toBe(null);
  });
});

describe('An entry', () => {
  it('keeps the time of the first acceptance, and removes an emptied value', () => {
    const entry = { fields: { role: '', last_name: 'Ada' }, terms: { tos: '2' } };
    const owner = { name: {}, untrusted_metadata: { role: 'Developer', seats: 42 }, accepted_terms: ACCEPTED };
    expect(changesBy(RULES, entry, owner, '2027-01-01T00:00:00.000Z')).toEqual({
      name: { last_name: 'Ada' },
      untrusted_metadata: { seats: 42 },
      accepted_terms: ACCEPTED,
    });
  });
});

describe('A value of characters that nobody sees', () => {
  const enter = (last_name: string) => readEntry(RULES, { fields: { last_name } });

  it.each(['\u200D', '\u3164', '\uFFA0 \u115F', '\u2800\u2800', '\uFE0F'])('is refused: %j', (value) => {
    expect(() => enter(value)).toThrow(expect.objectContaining({ type: 'invalid_profile' }));
  });

  it.each(['नमस्\u200Dते', '❤\uFE0F', ' . '])('is none if something is visible: %j', (value) => {
    expect(enter(value).fields).toEqual({ last_name: value.trim() });
  });
});

describe('A value that another system stored', () => {
  const rules: ProfileRules = { ...RULES, fields: [{ field: 'seats', label: 'Seats', required: true, options: null }] };

  it('keeps its type if the user changes nothing', () => {
    const owner = { ...NOBODY, untrusted_metadata: { seats: 42 } };
    const { untrusted_metadata } = changesBy(rules, { fields: { seats: '42' }, terms: {} }, owner, '');
    expect(untrusted_metadata).toEqual({ seats: 42 });
  });

  it('that leaves no room for the profile is named', () => {
    const owner = { ...NOBODY, untrusted_metadata: { notes: 'x'.repeat(4_080) } };
    const change = () => changesBy(rules, { fields: { seats: '42' }, terms: {} }, owner, '');
    expect(change).toThrow(
      expect.objectContaining({
        type: 'invalid_profile',
        details: { field: 'fields', must: expect.stringMatching(/^be at most 4096 bytes .* untrusted_metadata/u) },
      }),
    );
  });
});

describe('A label', () => {
  it.each([
    ['Company', 'de', 'Company'],
    [{ en: 'Company', de: 'Firma' }, 'de-AT', 'Firma'],
    [{ en: 'Company', 'pt-BR': 'Empresa' }, 'pt', 'Empresa'],
    [{ en: 'Company', de: 'Firma' }, 'fr', 'Company'],
    [{ de: 'Firma' }, 'fr', 'Firma'],
  ])('%j in %s is %s', (label, language, text) => {
    expect(textIn(label, language)).toBe(text);
  });
});

describe('A refused value', () => {
  const refused = (details: unknown, type = 'invalid_profile') =>
    refusedControl(new SDKAPIError({ ...FIELDS, error_type: type, error_details: details }));
  const FIELDS = { status_code: 400, error_message: 'No.', error_url: '' };

  it('is named as its control', () => {
    const [name, tos] = [{ field: 'last_name' }, { terms_id: 'tos' }];
    expect([fieldControl(name), termsControl(tos)]).toEqual(['fields.last_name', 'terms.tos']);
    const said = (change: () => unknown): unknown => {
      try {
        return change();
      } catch (error) {
        return refused((error as Refusal).details);
      }
    };
    expect(said(() => readEntry(RULES, { fields: { last_name: 'a\nb' } }))).toBe(fieldControl(name));
    expect(said(() => readEntry(RULES, { terms: { tos: '1' } }))).toBe(termsControl(tos));
    expect(said(() => requireFields(RULES, { fields: { last_name: '' }, terms: {} }))).toBe(fieldControl(name));
  });

  it.each([undefined, null, 'fields.x', {}, { field: 1 }])('is none in the details %j', (details) => {
    expect(refused(details)).toBe(null);
  });

  it('is none in another error', () => {
    expect(refused({ field: 'fields.x' }, 'invalid_metadata')).toBe(null);
    expect(refusedControl(new SDKAPIUnreachableError('network'))).toBe(null);
    expect(refusedControl(null)).toBe(null);
  });
});

describe('The form of a refused profile', () => {
  const step = profileStep('user-test-1', missingProfile(RULES, NOBODY) ?? { fields: [], terms: [] }, new Date(0));
  const working = { ...(beginStep(step, false, true) as FactorFormState), at: 'working', doing: 'profile' } as const;
  const error = new SDKAPIUnreachableError('network');
  const after = (newer?: MfaStep) =>
    FACTOR_TABLE.working.refused?.(working, { type: 'refused', error, ...(newer && { step: newer }) });

  it('stays, with the error', () => {
    expect(after()?.state).toMatchObject({ at: 'resting', step, error, failed: 'profile', trusts: true });
  });

  it('asks for what the project wants by now, with the error', () => {
    const newer = { ...step, profile: { user_id: 'user-test-1', fields: [], terms: [] } };
    expect(after(newer)?.state).toMatchObject({ task: { kind: 'profile' }, step: newer, error, trusts: true });
  });

  it('is replaced by that of a second factor, which has no error', () => {
    const { profile: _, ...second } = { ...step, factors: ['totp'] as const };
    expect(after(second)?.state).toMatchObject({ task: { kind: 'totp' }, step: second, error: null, failed: null });
  });
});

describe('The step of a login', () => {
  const lacking = profileStep('user-test-1', missingProfile(RULES, NOBODY) ?? { fields: [], terms: [] }, new Date(0));

  it('shows the form of the profile, and keeps the trust in the browser of the form before', () => {
    const { profile: _, ...second } = lacking;
    const form = beginStep({ ...second, factors: ['totp'] }) as FactorFormState;
    const before = { ...form, at: 'working', doing: 'totp', trusts: true } as const;
    const { state } = FACTOR_TABLE.working.stepKnown?.(before, { type: 'stepKnown', step: lacking }) ?? {};
    expect(state).toMatchObject({ at: 'resting', task: { kind: 'profile' }, trusts: true });
  });

  it('is expected by a client whose project asks for a profile', () => {
    expect(bootstrapFrom({}).hasSteps).toBe(false);
    expect(bootstrapFrom({ account: { asks_profile: true } }).hasSteps).toBe(true);
    expect(bootstrapFrom({ mfa: { factors: [] } }).hasSteps).toBe(true);
  });
});
