import { describe, expect, it } from 'vitest';
import { FieldError } from '#provider/project/readers/readers.ts';
import { projectFrom } from '#provider/project/settings/project.ts';
import { claimsFrom } from '#provider/project/settings/token-templates.ts';

const templateOf = (session_claims: unknown): string => projectFrom({ session_claims }).session_claims;

function mistakesOf(session_claims: unknown): readonly string[] {
  try {
    templateOf(session_claims);
    return [];
  } catch (error) {
    if (!(error instanceof FieldError)) throw error;
    return error.all.map(({ path, must }) => `${path} must be ${must}`);
  }
}

describe('session_claims of the project file', () => {
  const user = { user_id: 'user-1', trusted_metadata: { plan: 'gold' } };

  it('are an object, or a string with one, and absent by default', () => {
    const claims = { plan: '{{ user.trusted_metadata.plan }}', fixed: { n: 1 } };
    for (const setting of [
      claims,
      JSON.stringify(claims),
      '{ "plan": {{ user.trusted_metadata.plan }}, "fixed": { "n": 1 } }',
    ]) {
      expect(claimsFrom(templateOf(setting), { user })).toEqual({ plan: 'gold', fixed: { n: 1 } });
    }
    expect([projectFrom({}).session_claims, templateOf({})]).toEqual(['{}', '{}']);
  });

  it.each([
    ['a reserved claim', { sub: 'x' }, 'session_claims.sub must be without the claim sub'],
    [
      'the session',
      { 'https://stytch.com/session': {} },
      'session_claims.(an odd name) must be without the claim https://stytch.com/session',
    ],
    [
      'a path that is misspelled',
      { plan: '{{ user.trusted-metadata.plan }' },
      'session_claims.plan must be made from paths',
    ],
    [
      'a field that users lack',
      { plan: '{{ user.plan }}' },
      'session_claims.plan must be made from fields of the user',
    ],
    ['the whole user', { who: '{{ user }}' }, 'session_claims.who must be made from fields of the user'],
    [
      'an address that nobody proved',
      { mail: '{{ user.unproven_email }}' },
      'session_claims.mail must be made from fields',
    ],
    ['another root', { plan: '{{ client.name }}' }, 'session_claims.plan must be made from {{ user.… }} alone'],
    ['a path inside a text', { plan: 'plan {{ user.user_id }}' }, 'session_claims.plan must be a JSON object'],
    ['a long constant', { text: 'x'.repeat(1100) }, 'session_claims.text must be at most 1024 bytes'],
    ['many constants', { a: 'x'.repeat(600), b: 'x'.repeat(600) }, 'session_claims must be at most 1024 bytes'],
    ['a text that is no JSON', '{', 'session_claims must be a JSON object'],
    ['a list', [], 'session_claims must be an object of claims'],
    ['a claim without a name', { '': 1 }, 'session_claims.(an odd name) must be given under a name'],
    ['a number', 7, 'session_claims must be an object of claims'],
  ])('refuse %s, and name the field', (_, setting, expected) => {
    expect(mistakesOf(setting)).toEqual([expect.stringContaining(expected)]);
  });

  it('name each wrong claim', () => {
    const found = mistakesOf({ iss: 1, fine: '{{ user.user_id }}', acr: 2 });
    expect(found.map((mistake) => mistake.split(' ')[0])).toEqual(['session_claims.iss', 'session_claims.acr']);
  });
});
