import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { issuerWarning } from '#provider/base/warnings.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { projectToServe } from '#provider/operation/server/serving.ts';
import { projectFrom } from '#provider/project/settings/project.ts';

const folder = mkdtempSync(join(tmpdir(), 'portico-mfa-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the settings of the second factor', () => {
  it.each<[object, string]>([
    [{ policy: 'sometimes' }, 'mfa.policy must be one of off, when_enrolled, required'],
    [{ policy: { required_for_roles: ['nobody'] } }, 'mfa.policy.required_for_roles[0] must be a role'],
    [{ policy: 'required', factors: ['recovery_code'] }, 'mfa.factors must be with one of'],
    [{ trusted_providers: [{ provider: 'nowhere', amr: ['mfa'] }] }, 'mfa.trusted_providers[0].provider must be a'],
    [{ trusted_providers: [{ provider: 'google' }] }, 'mfa.trusted_providers[0].amr must be not empty'],
    [{ trusted_providers: [{ provider: 'google', amr: 'mfa' }] }, 'mfa.trusted_providers[0].amr must be an array'],
    [
      { trusted_providers: ['a', 'b'].map(() => ({ provider: 'google', amr: ['mfa'] })) },
      '[1].provider must be unique',
    ],
  ])('%j is refused by the name of the field', (mfa, message) => {
    expect(() => projectFrom({ mfa })).toThrow(message);
  });

  it('offer no recovery where no message could have a link, and the server warns of that', () => {
    const served = (settings: object, ...args: readonly string[]) => {
      const file = join(folder, 'project.json');
      writeFileSync(file, JSON.stringify({ allow_loopback: true, ...settings }));
      return projectToServe(optionsFrom(['--project', file, ...args], {}));
    };
    const mfa = { policy: 'when_enrolled', recovery_hours: 48 };
    const issuer = 'https://login.example.com';
    expect(served({ mfa, issuer }).mfa?.recovery_hours).toBe(48);
    expect(issuerWarning(served({ mfa, issuer }))).toBeNull();
    expect(served({ mfa }).mfa?.recovery_hours).toBeNull();
    expect(issuerWarning(served({ mfa }))).toContain('no issuer');
    expect(served({ mfa }, '--dev').mfa?.recovery_hours).toBe(48);
    expect(issuerWarning(served({}))).toBeNull();
  });
});
