import { describe, expect, it } from 'vitest';
import { LANGUAGES } from '#domain/widget/language.ts';
import { mailHtml } from '#provider/messages/mail/mail-html.ts';
import { contentsOf, plainText, shortText, type MessageValues } from '#provider/messages/texts/contents.ts';
import { isPasscodeKind, LINK_KINDS, PASSCODE_KINDS, REFUSAL_KIND } from '#provider/messages/texts/kinds.ts';
import { wordingFor } from '#provider/messages/texts/wording.ts';
import { LINK } from '../kit/parcels.ts';

const LOGIN_LINK = 'https://app.example.com/in?stytch_token_type=login&token=other';
const KINDS = [...PASSCODE_KINDS, ...LINK_KINDS];

function values(kind: MessageValues['kind'], given: Partial<MessageValues> = {}): MessageValues {
  return {
    kind,
    project: 'Acme',
    minutes: 30,
    at: new Date(Date.UTC(2030, 0, 2, 15, 4)),
    device: 'Firefox (Windows)',
    ...(isPasscodeKind(kind) ? { code: '428193' } : { link: LINK }),
    ...(kind === 'reset_password' ? { login_link: LOGIN_LINK, login_minutes: 60 } : {}),
    ...given,
  };
}

const escaped = (url: string): string => url.replaceAll('&', '&amp;');

describe('messages in English', () => {
  const en = wordingFor('en');
  const write = (kind: MessageValues['kind'], given?: Partial<MessageValues>) => contentsOf(en, values(kind, given));
  const ASKED = '\n\nRequested on January 2, 2030 at 15:04 UTC with Firefox (Windows).';
  const TERMS = 'It works once, within 30 minutes. If you did not ask for it, ignore this message.';

  it('say a passcode', () => {
    const contents = write('login_passcode');
    expect(contents.subject).toBe('428193 is your Acme passcode');
    expect(plainText(contents)).toBe(`Your passcode for Acme is 428193.\n${TERMS}${ASKED}`);
    expect(shortText(en, values('login_passcode'))).toBe('Your Acme passcode is 428193.');
  });

  it('end with the line that lets a browser on that site alone fill the code in', () => {
    const bound = { autofill_site: 'acme.example' };
    expect(shortText(en, values('login_passcode', bound))).toBe(
      'Your Acme passcode is 428193.\n\n@acme.example #428193',
    );
    const mail = write('login_passcode', bound);
    expect(plainText(mail)).toBe(`Your passcode for Acme is 428193.\n${TERMS}${ASKED}\n\n@acme.example #428193`);
    expect(
      mailHtml(en, mail)
        .replaceAll(/<[^>]*>|\s+/gu, ' ')
        .trim(),
    ).toMatch(/@acme\.example #428193$/u);
    expect(plainText(write('login_link', bound))).not.toContain('@acme.example');
  });

  it.each([
    ['login_link', 'Your Acme login link', 'Open this link to log in to Acme:'],
    ['signup_link', 'Your Acme sign-up link', 'Open this link to sign up for Acme:'],
    [
      'confirm_link',
      'Confirm your email address for Acme',
      'Open this link to add this address to your account at Acme:',
    ],
  ] as const)('say a %s', (kind, subject, lead) => {
    expect(write(kind).subject).toBe(subject);
    expect(plainText(write(kind))).toBe(`${lead}\n${LINK}\n${TERMS}${ASKED}`);
  });

  it('say both links of a reset, each with its time', () => {
    expect(write('reset_password').subject).toBe('Set a new password for Acme');
    expect(plainText(write('reset_password'))).toBe(
      `Open this link to set a new password for Acme, within 30 minutes:\n${LINK}\nOr log in without a password, within 1 hour:\n${LOGIN_LINK}\nEach works once. If you did not ask for it, ignore this message. Your password has not changed.${ASKED}`,
    );
  });

  it('have one button in the email of a reset, and the other way in below the line', () => {
    const html = mailHtml(en, write('reset_password'));
    expect(html.split('class="button"')).toHaveLength(2);
    const [above = '', below = ''] = html.split('class="rule"');
    expect(above).not.toContain(escaped(LOGIN_LINK));
    expect(below).toContain(escaped(LOGIN_LINK));
  });

  it('begin with the first letter of the project’s name, and a code has one heading: what to do with it', () => {
    const heads = (contents: ReturnType<typeof write>) => {
      const html = mailHtml(en, contents);
      const [, letter] = /aria-hidden="true"[^>]*>\s*([^\s<]*)\s*</u.exec(html) ?? [];
      return [letter, [...html.matchAll(/<h1[^>]*>([^<]*)</gu)].map(([, text]) => text?.trim())];
    };
    expect(heads(write('login_passcode'))).toEqual(['A', ['Enter this code to log in to Acme.']]);
    expect(heads(write('login_link', { project: '“éclair” & Co' }))).toEqual(['É', ['Log in to “éclair” &amp; Co']]);
    expect(heads(write('login_link', { project: '***' }))).toEqual([undefined, ['Log in to ***']]);
  });

  it('explain to an address without an account why no code or link came', () => {
    const contents = write(REFUSAL_KIND, { link: undefined });
    expect(contents.subject).toBe('No account at Acme with this address');
    expect(plainText(contents)).toBe(
      'Somebody, perhaps you, wanted to log in to Acme with this address. There is no account with it, and none can be made with it.\n' +
        'If you have an account, log in with its address. Otherwise ask Acme for an invitation. If you did not ask for it, ignore this message.' +
        ASKED,
    );
  });

  it('name no device that is not known', () => {
    expect(plainText(write('login_link', { device: undefined }))).toMatch(/Requested on [^\n]* UTC\.$/u);
  });
});

describe.each(LANGUAGES)('messages in %s', (language) => {
  const wording = wordingFor(language);

  it.each(KINDS)('say everything that a %s needs', (kind) => {
    const given = values(kind);
    const contents = contentsOf(wording, given);
    const text = plainText(contents);
    const html = mailHtml(wording, contents);
    const said = `${contents.subject}\n${text}\n${html.replace(/<style>[^]*<\/style>/u, '')}`;
    expect(said).not.toMatch(/[{}]|undefined|null/u);
    for (const each of [text, html]) {
      expect(each).toContain(wording.duration(30));
      expect(each).toContain(wording.time(given.at));
      expect(each).toContain('Firefox (Windows)');
      expect(each).toContain(contents.ignore);
    }
    if (isPasscodeKind(kind)) {
      expect(contents.subject).toContain('428193');
      expect(text).toContain('428193');
      // Once, and without spaces: it is selected and copied.
      expect(html.replace(/<title>[^]*<\/title>|aria-label="[^"]*"/gu, '').match(/428193/gu)).toEqual(['428193']);
      return;
    }
    expect(text).toContain(`\n${LINK}\n`);
    expect(html.split(`href="${escaped(LINK)}"`)).toHaveLength(3);
    expect(html).toContain(`>${escaped(LINK)}</a>`);
    expect(html.includes(escaped(LOGIN_LINK))).toBe(kind === 'reset_password');
    expect(text.includes(LOGIN_LINK)).toBe(kind === 'reset_password');
  });

  it('explain a refusal without a code, a link or a time', () => {
    const contents = contentsOf(wording, values(REFUSAL_KIND, { link: undefined }));
    const html = mailHtml(wording, contents);
    for (const each of [contents.subject, plainText(contents), html]) expect(each).toContain('Acme');
    for (const each of [plainText(contents), html]) {
      expect(each).toContain(contents.intro);
      expect(each).toContain(contents.ignore);
      expect(each.replace(/<style>[^]*<\/style>/u, '')).not.toMatch(/[{}]|undefined|null|href/u);
      expect(each).not.toContain(wording.duration(30));
    }
  });

  it('load nothing from elsewhere, and state language and direction', () => {
    for (const kind of [...KINDS, REFUSAL_KIND] as const) {
      const html = mailHtml(wording, contentsOf(wording, values(kind))).replaceAll('\n', ' ');
      expect(html).not.toMatch(/<(?:img|link|script|iframe|object|video|base|form)\b|\bsrc=|url\(|@import|\son\w+=/iu);
      expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
      // Gmail drops the elements html and body.
      expect(html).toContain(`role="article" lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}"`);
    }
  });
});

describe('a message', () => {
  it('is in the language of the tag, whatever the tag is', () => {
    const tags = ['de-AT', 'JA', 'es_419', 'pt-br', 'nl', '', 'x'.repeat(10_000), '../../etc', 'constructor', '\0'];
    expect(tags.map((tag) => wordingFor(tag, 'fr').language)).toEqual([
      'de',
      'ja',
      'es',
      'pt',
      ...Array<string>(6).fill('fr'),
    ]);
    expect(wordingFor(undefined).language).toBe('en');
  });

  it('shows markup and placeholders in values as text', () => {
    const project = '<b onclick="x">{code}</b> & {link}';
    const contents = contentsOf(wordingFor('en'), values('login_passcode', { project, code: '123456' }));
    expect(contents.subject).toBe(`123456 is your ${project} passcode`);
    const html = mailHtml(wordingFor('en'), contents);
    expect(html).not.toContain('<b ');
    expect(html).toContain('&lt;b onclick=&quot;x&quot;&gt;{code}&lt;/b&gt; &amp; {link}');
  });
});
