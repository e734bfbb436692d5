import { describe, expect, it } from 'vitest';
import { isEmail, mailboxesFor } from '../../../src/domain/email.ts';

describe('email addresses', () => {
  it.each(['ada@example.com', 'a.b+c@sub.example.co', 'x@y.museum', 'ümit@exämple.de'])('takes %s', (text) => {
    expect(isEmail(text)).toBe(true);
  });

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@example.c',
    'a da@example.com',
    'a@b@example.com',
    'ada@.com',
    'ada@example..com',
    'ada@example.com\n',
    `${'a'.repeat(250)}@example.com`,
  ])('refuses %o', (text) => expect(isEmail(text)).toBe(false));

  it('decides on a hostile text at once', () => {
    expect(isEmail(`${'a.'.repeat(50_000)}@${'b.'.repeat(50_000)}`)).toBe(false);
  });
});

describe('mailbox links', () => {
  it('search for the configured sender, else for the only one that bootstrap lists', () => {
    expect(mailboxesFor('mail.example', ['other.example'])[0]?.url).toContain('%40mail.example');
    expect(mailboxesFor(undefined, ['other.example'])[0]?.url).toContain('%40other.example');
    expect(mailboxesFor(undefined, ['a.example', 'b.example'])[0]?.url).toBe('https://mail.google.com/mail/u/0/');
  });

  it('carry nothing that is no domain', () => {
    for (const { url } of mailboxesFor('x"><script>', [])) expect(url).not.toContain('script');
  });

  it('lead to Gmail, Yahoo and Outlook', () => {
    expect(mailboxesFor(undefined, []).map(({ name }) => name)).toEqual(['Gmail', 'Yahoo', 'Outlook']);
  });
});
