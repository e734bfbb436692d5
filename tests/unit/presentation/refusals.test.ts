import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '../../../src/domain/language.ts';
import { wayOutOf, type WayOut } from '../../../src/domain/ways-out.ts';
import { REFUSALS, type RefusalType } from '../../../src/domain/rules/refusal.ts';
import { errorMessage } from '../../../src/presentation/parts/login/error-message.ts';
import { loadLocale, localeOf } from '../../../src/presentation/messages/language.ts';
import { apiError } from '../../gallery/fixture.ts';

const TYPES = Object.keys(REFUSALS) as RefusalType[];
/** What the wire says of it: nothing that a person should have to read. */
const refused = (type: RefusalType) => apiError(type, REFUSALS[type][1], REFUSALS[type][0]);
const TELLS: ReadonlySet<WayOut | null> = new Set(['tell']);

describe('Every refusal of the provider', () => {
  it.each(TYPES)('%s has one way out', (type) => {
    expect(wayOutOf(refused(type))).not.toBeNull();
  });

  it.each(LANGUAGES)('has words for a person in %s, not the wire’s', async (language) => {
    await loadLocale(language);
    const strings = localeOf(language) ?? {};
    for (const type of TYPES) {
      // It is no JSON, so that no client ever has it as a refusal.
      if (type === 'captcha_required') continue;
      const said = errorMessage(refused(type), strings) ?? '';
      const wire: string = REFUSALS[type][1];
      if (TELLS.has(wayOutOf(refused(type)))) {
        // Only who made the app can help; they are told what the server said.
        expect(said, type).toContain(wire);
        expect(said.length, type).toBeGreaterThan(wire.length + 20);
      } else {
        expect(['', wire], type).not.toContain(said);
      }
    }
  });

  it('says the reason of a dead passcode, and has words for every reason', () => {
    const said = ['wrong', 'expired', 'tries_used', 'replaced'].map((reason) =>
      errorMessage(apiError('otp_code_not_found', 'No.', 404, { reason }), undefined),
    );
    expect(new Set(said).size).toBe(4);
    expect(said[0]).toBe('Invalid passcode, please try again.');
  });
});
