import { describe, expect, it } from 'vitest';
import { mailboxesFor, mailboxOf } from '../../../src/domain/mailboxes.ts';

const ANYBODY = { domainHint: undefined, emailDomains: [] };
const searching = (domainHint: string | undefined, emailDomains: readonly string[] = []) =>
  mailboxesFor('ada@example.com', { domainHint, emailDomains })[0]?.url;

describe('mailbox links', () => {
  it('search for the configured sender, else for the only one that bootstrap lists', () => {
    expect(searching('mail.example', ['other.example'])).toContain('%40mail.example');
    expect(searching(undefined, ['other.example'])).toContain('%40other.example');
    expect(searching(undefined, ['a.example', 'b.example'])).toBe('https://mail.google.com/mail/u/0/');
  });

  it('carry nothing that is no domain', () => {
    const sender = { domainHint: 'x"><script>', emailDomains: [] };
    for (const { url } of mailboxesFor('ada@example.com', sender)) expect(url).not.toContain('script');
  });

  it('lead to Gmail, Yahoo and Outlook when the service of the address is not known', () => {
    const names = mailboxesFor('ada@example.com', ANYBODY).map(({ name }) => name);
    expect(names).toEqual(['Gmail', 'Yahoo', 'Outlook']);
  });

  it.each([
    ['ada@gmail.com', 'Gmail', 'mail.google.com'],
    ['ada@GoogleMail.com', 'Gmail', 'mail.google.com'],
    ['ada@hotmail.co.uk', 'Outlook', 'outlook.live.com'],
    ['ada@live.fr', 'Outlook', 'outlook.live.com'],
    ['ada@yahoo.com.br', 'Yahoo', 'mail.yahoo.com'],
    ['ada@yahoo.co.jp', 'Yahoo! JAPAN', 'mail.yahoo.co.jp'],
    ['ada@me.com', 'iCloud', 'www.icloud.com'],
    ['ada@gmx.de', 'GMX', 'www.gmx.net'],
    ['ada@qq.com', 'QQ 邮箱', 'mail.qq.com'],
    ['ada@163.com', '网易邮箱', 'mail.163.com'],
  ])('lead from %s to %s alone', (email, name, host) => {
    const [box, ...others] = mailboxesFor(email, ANYBODY);
    expect(others).toEqual([]);
    expect(box?.name).toBe(name);
    expect(new URL(box?.url ?? '').host).toBe(host);
  });

  it('search for the sender in the inbox of the address, where the service can', () => {
    const sender = { domainHint: undefined, emailDomains: ['acme.example'] };
    expect(mailboxOf('ada@gmail.com', sender)?.url).toContain('%40acme.example');
    expect(mailboxOf('ada@proton.me', sender)?.url).toBe('https://mail.proton.me/');
  });

  it.each(['ada@gmail.com.evil.example', 'ada@live.io', 'gmail.com@evil.example', 'ada@constructor', 'ada@gmaıl.com'])(
    'know no service of %s',
    (email) => expect(mailboxOf(email, ANYBODY)).toBeNull(),
  );
});
