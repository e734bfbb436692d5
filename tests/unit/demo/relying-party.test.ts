import { expect, it } from 'vitest';
import { signedIn } from '../../../examples/relying-party/pages.ts';

it('the other app begins with a heading and a sentence about what happened, before what it was told', () => {
  const account = { claims: { sub: 'user-1' }, userInfo: { email: 'a&b@example.com' }, scope: 'openid email' };
  const { body } = signedIn(account);
  const parts = [...body.matchAll(/<(h1|p|table)\b/gu)].map(([, name]) => name);
  expect(parts).toEqual(['h1', 'p', 'p', 'table']);
  expect(body).toContain('<h1>You are signed in</h1>');
  expect(body).toContain('Portico has told Weekly Planner who you are: <strong>a&#38;b@example.com</strong>.');
  expect(signedIn({ ...account, userInfo: {} }).body).toContain('<strong>user-1</strong>');
});
