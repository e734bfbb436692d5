import { describe, expect, it } from 'vitest';
import { claimsFrom, templateError } from '#provider/project/settings/token-templates.ts';

const user = {
  user_id: 'user-1',
  name: { first_name: '", "admin": true, "x": "' },
  emails: [{ email: 'a@example.com' }],
  trusted_metadata: { plan: { tier: 'gold' }, list: [1, { two: 2 }], text: '{{ user.user_id }}', '': 'empty' },
};
const claims = (template: string) => claimsFrom(template, { user });

describe('a template of claims', () => {
  it('is filled with values of any kind, in quotes or not', () => {
    const template = `{
      "id": {{ user.user_id }}, "quoted": "{{user.user_id}}", "mail": {{ user.emails[0].email }},
      "https://app.example/claims": { "tiers": [{{ user.trusted_metadata.plan.tier }}, "free"], "all": {{ user.trusted_metadata.list }} },
      "fixed": { "n": 1, "yes": true, "none": null }
    }`;
    expect(templateError(template, 'user')).toBeNull();
    expect(claims(template)).toEqual({
      id: 'user-1',
      quoted: 'user-1',
      mail: 'a@example.com',
      'https://app.example/claims': { tiers: ['gold', 'free'], all: [1, { two: 2 }] },
      fixed: { n: 1, yes: true, none: null },
    });
    expect([claims(''), claims('{}')]).toEqual([{}, {}]);
  });

  it('takes values as they are: they become neither names nor other values', () => {
    expect(claims('{ "name": {{ user.name.first_name }}, "text": {{ user.trusted_metadata.text }} }')).toEqual({
      name: '", "admin": true, "x": "',
      text: '{{ user.user_id }}',
    });
  });

  it.each([
    'user.nothing',
    'user.nothing.more',
    'user.emails[7].email',
    'user.user_id.length',
    'user.constructor.name',
    'user.__proto__',
  ])('has null for what is not there: %s', (path) => {
    expect(claims(`{ "x": {{ ${path} }} }`)).toEqual({ x: null });
  });

  it.each([
    '[]',
    'null',
    '{',
    '{ "x": {{ user.user_id }}',
    '{ {{ user.user_id }}: 1 }',
    '{ "a{{ user.user_id }}": 1 }',
    '{ "x": {{ user.emails[one] }} }',
    '{ "x": {{ }} }',
    '{ "x": "\\u0000user.user_id" }',
    '{ "x": {{ client.client_id }} }',
    '{ "x": {{ process.env }} }',
    `{ "x": "${'x'.repeat(4096)}" }`,
  ])('is refused: %s', (template) => {
    expect(templateError(template, 'user')).toEqual(expect.any(String));
  });

  it.each(['sub', 'iss', 'aud', 'exp', 'scope', 'client_id', 'sid', 'nonce', 'https://stytch.com/session'])(
    'sets no claim by which the server tells its tokens apart: %s',
    (claim) => {
      const template = JSON.stringify({ [claim]: 'mine', other: 1 });
      expect(templateError(template, 'user')).toContain(claim);
      expect(claims(template)).toEqual({ other: 1 });
    },
  );
});
