import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '#scripts/lib/root.mjs';
import { admits, OPEN_TO_ALL, type Arrival, type SignUpRules } from '#server-rules/sign-ups.ts';
import { FieldError } from '#provider/project/readers/readers.ts';
import { projectFrom } from '#provider/project/settings/project.ts';

function mistakeIn(json: object): string {
  try {
    projectFrom(json);
    return '';
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return error.all.map(({ path, must }) => `${path} must be ${must}`).join('; ');
  }
}

describe('sign_up of a project file', () => {
  it('is open to everybody by default', () => {
    expect(projectFrom({}).sign_up).toEqual({ policy: 'open', domains: [], roles: [] });
    expect(projectFrom({ sign_up: { policy: 'closed' } }).sign_up).toEqual({ ...OPEN_TO_ALL, policy: 'closed' });
  });

  it.each([
    [{ policy: 'shut' }, 'sign_up.policy must be one of open, invited, closed'],
    [{ policy: true }, 'sign_up.policy must be one of open, invited, closed'],
    [{ policies: 'closed' }, 'sign_up.policies must be left out: there is no such field. Did you mean policy?'],
    [{ domains: 'acme.example' }, 'sign_up.domains must be an array of strings'],
    [
      { domains: ['@acme.example'] },
      'sign_up.domains[0] must be a domain of email addresses such as acme.example, or *',
    ],
    [{ domains: ['a.example', '*.a.example'] }, 'sign_up.domains[1] must be a domain of email addresses such as acme.example, or *'], // prettier-ignore
    [{ policy: 'invited', domains: ['a.example'] }, 'sign_up.domains must be left out unless sign_up.policy is open'],
    [{ policy: 'closed', domains: ['a.example'] }, 'sign_up.domains must be left out unless sign_up.policy is open'],
    [{ roles: ['member', 'owner'] }, 'sign_up.roles[1] must be a role of rbac_policy'],
  ])('%j is refused, with the field and what to write', (sign_up, mistake) => {
    expect(mistakeIn({ sign_up, rbac_policy: { roles: [{ role_id: 'member' }] } })).toBe(mistake);
  });

  it('names a wrong policy and a wrong role at once', () => {
    const mistakes = mistakeIn({ sign_up: { policy: 'closed', domains: ['*'], roles: ['owner'] } });
    expect(mistakes).toContain('sign_up.domains must be');
    expect(mistakes).toContain('sign_up.roles[0] must be a role of rbac_policy');
  });
});

describe('users', () => {
  it('are made in two places: by the function that applies sign_up, and by imports', () => {
    const sources = join(ROOT, 'provider/src');
    const making = readdirSync(sources, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('baseline'))
      .filter((name) => /insertInto\('users'\)|insert into users\b/iu.test(readFileSync(join(sources, name), 'utf8')));
    expect(making.sort()).toEqual(['accounts/users/store.ts', 'operation/operators/users/import-users.ts']);
  });
});

describe('an arrival', () => {
  const NOBODY: Arrival = { email: null };
  const of = (email: string): Arrival => ({ email });
  const rules = (given: Partial<SignUpRules>): SignUpRules => ({ ...OPEN_TO_ALL, ...given });

  it.each<[Partial<SignUpRules>, visitor: boolean, invited: boolean, made: boolean]>([
    [{ policy: 'open' }, true, true, true],
    [{ policy: 'open', domains: ['acme.example'] }, false, true, true],
    [{ policy: 'invited' }, false, true, true],
    [{ policy: 'closed' }, false, false, true],
  ])('by %j', (given, ...expected) => {
    expect([NOBODY, 'invited', 'made'].map((arrival) => admits(rules(given), arrival as Arrival))).toEqual(expected);
  });

  it('by a domain needs exactly that domain, in any spelling', () => {
    const domains = rules({ domains: ['Acme.example', 'bücher.example'] });
    const inside = [
      'a@acme.example',
      'A@ACME.EXAMPLE',
      'a@bücher.example',
      'a@xn--bcher-kva.example',
      'a@BÜCHER.example',
    ];
    const outside = [
      'a@mail.acme.example',
      'a@acme.example.com',
      'a@xacme.example',
      'a@аcme.example',
      'a@bucher.example',
    ];
    expect(inside.filter((email) => !admits(domains, of(email)))).toEqual([]);
    expect(outside.filter((email) => admits(domains, of(email)))).toEqual([]);
    expect(admits(domains, of('acme.example'))).toBe(false);
  });

  it('by the domain * needs an address', () => {
    const every = rules({ domains: ['*'] });
    expect([admits(every, of('a@anything.example')), admits(every, NOBODY)]).toEqual([true, false]);
  });
});
