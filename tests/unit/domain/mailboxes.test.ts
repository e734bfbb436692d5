import { describe, expect, it } from 'vitest';
import { mailServiceOf } from '#presentation/parts/mails/mail-services.ts';
import { GMAIL, mailboxAt, usualMailboxes } from '#presentation/parts/mailboxes.ts';

const searching = (domainHint: string | undefined, emailDomains: readonly string[] = []) =>
  mailboxAt(GMAIL, { domainHint, emailDomains }).url;

describe('mailbox links', () => {
  it('search for the configured sender, else for the only one that bootstrap lists', () => {
    expect(searching('mail.example', ['other.example'])).toContain('%40mail.example');
    expect(searching(undefined, ['other.example'])).toContain('%40other.example');
    expect(searching(undefined, ['a.example', 'b.example'])).toBe('https://mail.google.com/mail/u/0/');
  });

  it('carry nothing that is no domain', () => {
    const sender = { domainHint: 'x"><script>', emailDomains: [] };
    for (const { url } of usualMailboxes(sender)) expect(url).not.toContain('script');
  });

  it('lead to Gmail, Yahoo and Outlook when the service of the address is not known', () => {
    const names = usualMailboxes({ domainHint: undefined, emailDomains: [] }).map(({ name }) => name);
    expect(names).toEqual(['Gmail', 'Yahoo', 'Outlook']);
  });

  it('search in no inbox whose service takes no search', () => {
    const proton = mailServiceOf('ada@proton.me')!;
    expect(mailboxAt(proton, { domainHint: 'acme.example', emailDomains: [] })).toEqual(proton);
  });
});

describe('The mail service of an address', () => {
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
  ])('of %s is %s', (email, name, host) => {
    const box = mailServiceOf(email);
    expect(box?.name).toBe(name);
    expect(new URL(box?.url ?? '').host).toBe(host);
  });

  it.each(['ada@gmail.com.evil.example', 'ada@live.io', 'gmail.com@evil.example', 'ada@constructor', 'ada@gmaıl.com'])(
    'of %s is not known',
    (email) => expect(mailServiceOf(email)).toBeUndefined(),
  );
});
