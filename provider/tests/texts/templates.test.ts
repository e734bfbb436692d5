import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { templatesIn } from '#provider/messages/mail/template-files.ts';
import { wordingFor } from '#provider/messages/texts/wording.ts';
import type { MessageValues } from '#provider/messages/texts/contents.ts';
import { ANY_DATABASE, makeProvider, type Provider } from '../kit/harness.ts';

const made: string[] = [];
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true });
});

function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'portico-templates-'));
  made.push(folder);
  for (const [name, contents] of Object.entries(files)) writeFileSync(join(folder, name), contents);
  return folder;
}

const TEXT = 'Subject: {{code}} for {{project}}\n\nHello, {{code}} is the code.\n';
const HTML = '<p>{{code}}</p>{{#device}}<i>{{device}}</i>{{/device}}';
const VALUES: MessageValues = {
  kind: 'login_passcode',
  project: '<Acme> & "Co"',
  code: '428193',
  minutes: 5,
  at: new Date(0),
};

describe('templates of the project', () => {
  it('write the subject, the text and the HTML, in which values are escaped', () => {
    const templates = templatesIn(
      folderOf({ 'a.txt': TEXT, 'a.html': `${HTML}<b title="{{project}}">{{duration}} {{language}}</b>` }),
    );
    const en = wordingFor('en');
    expect(templates.write('a', en, VALUES)).toEqual({
      subject: '428193 for <Acme> & "Co"',
      text: 'Hello, 428193 is the code.\n',
    });
    expect(templates.html('a', en, { ...VALUES, device: '<i>' })).toBe(
      '<p>428193</p><i>&lt;i&gt;</i><b title="&lt;Acme&gt; &amp; &quot;Co&quot;">5 minutes en</b>',
    );
    expect(templates.html('a', en, VALUES)).not.toContain('<i>');
    expect(templates.write('b', en, VALUES)).toBeNull();
  });

  it('have separate files for a language', () => {
    const german = 'Subject: Code\n\n{{code}}, {{duration}}';
    const templates = templatesIn(folderOf({ 'a.txt': TEXT, 'a.de.txt': german, 'notes.md': '{{x}}', '.swp': '{{' }));
    expect(templates.ids).toEqual(['a']);
    expect(templates.write('a', wordingFor('de'), VALUES)?.text).toBe('428193, 5 Minuten');
    expect(templates.write('a', wordingFor('fr'), VALUES)?.text).toBe('Hello, 428193 is the code.\n');
    expect(templates.html('a', wordingFor('de'), VALUES)).toBeNull();
  });

  it('write a subject of one line', () => {
    const templates = templatesIn(folderOf({ 'a.txt': TEXT }));
    const project = 'x\r\nBcc: eve@example.com\r\n\r\nHi';
    const subject = templates.write('a', wordingFor('en'), { ...VALUES, project })?.subject;
    expect(subject).toBe('428193 for x Bcc: eve@example.com Hi');
  });

  const subject = 'Subject: x\n\n';
  it.each([
    [
      'an unknown placeholder',
      { 'a.txt': `${subject}{{code}} {{nmae}}` },
      'a.txt has the unknown placeholder {{nmae}}',
    ],
    ['one in a section', { 'a.txt': `${subject}{{code}} {{#device}}{{x}}{{/device}}` }, 'unknown placeholder {{x}}'],
    ['the way to a prototype', { 'a.txt': `${subject}{{code}}{{constructor}}` }, 'unknown placeholder {{constructor}}'],
    ['a dotted name', { 'a.txt': `${subject}{{code}}{{code.length}}` }, 'unknown placeholder {{code.length}}'],
    ['no code or link', { 'a.txt': `${subject}Hello` }, 'a.txt has neither {{code}} nor {{link}}'],
    ['a code in a section alone', { 'a.txt': `${subject}{{#device}}{{code}}{{/device}}` }, 'has neither {{code}}'],
    ['both', { 'a.txt': `${subject}{{code}} {{link}}` }, 'a.txt has both {{code}} and {{link}}'],
    ['no code in the HTML', { 'a.txt': TEXT, 'a.html': '<p>Hello</p>' }, 'a.html has neither {{code}}'],
    ['another purpose in the HTML', { 'a.txt': TEXT, 'a.html': '{{link}}' }, 'a.html and a.txt must both have'],
    ['an unescaped value', { 'a.txt': TEXT, 'a.html': '{{code}}{{{project}}}' }, 'only {{project}} is escaped'],
    ['another unescaped value', { 'a.txt': TEXT, 'a.html': '{{code}}{{&project}}' }, 'only {{project}} is escaped'],
    ['an inclusion', { 'a.txt': `${subject}{{code}}{{> b}}` }, 'a.txt includes another file'],
    ['other delimiters', { 'a.txt': `${subject}{{code}}{{=<% %>=}}<%x%>` }, 'a.txt changes the delimiters'],
    ['an open section', { 'a.txt': `${subject}{{code}}{{#device}}` }, 'a.txt cannot be parsed'],
    ['no subject', { 'a.txt': '{{code}}' }, 'a.txt must begin with a line "Subject: …"'],
    [
      'a mistake in the subject',
      { 'a.txt': 'Subject: {{oops}}\n\n{{code}}' },
      'a.txt has the unknown placeholder {{oops}}',
    ],
    ['a link in the subject', { 'a.txt': 'Subject: {{link}}\n\n{{link}}' }, 'a.txt has a link in its subject'],
    ['HTML alone', { 'a.html': HTML }, 'a.txt is missing: a.html needs it'],
    ['one language alone', { 'a.de.txt': TEXT }, 'a.txt is missing'],
    ['HTML in one language', { 'a.txt': TEXT, 'a.html': HTML, 'a.de.txt': TEXT }, 'a: the files in the language de'],
    ['an unknown language', { 'a.txt': TEXT, 'a.xx.txt': TEXT }, 'a.xx.txt is not the name of a template'],
    ['another kind of file', { 'a.htm': HTML }, 'a.htm is not the name of a template'],
    ['bytes that are not UTF-8', { 'a.txt': Uint8Array.of(0xff, 0xfe) }, 'a.txt is not UTF-8'],
    ['too much', { 'a.txt': `${TEXT}${'x'.repeat(103_000)}` }, 'a.txt is longer than 100 kB'],
  ])('are refused with %s, and the file is named', (_, files, message) => {
    expect(() => templatesIn(folderOf(files))).toThrow(message);
  });
});

describe('the template that a request names', () => {
  let provider: Provider;
  beforeAll(async () => {
    const link = 'Subject: Welcome to {{project}}\n\nGo to {{link}}';
    provider = await makeProvider(ANY_DATABASE, {
      templates: templatesIn(
        folderOf({ 'code.txt': TEXT, 'code.de.txt': 'Subject: Code\n\n{{code}}', 'link.txt': link }),
      ),
    });
  });
  afterAll(() => provider.close());
  const last = async () => provider.newest();

  it('writes the email, and is chosen by whether the user is new', async () => {
    const email = 'new@example.com';
    const send = (fields = {}) =>
      provider.post('/otps/email/login_or_create', { email, signup_template_id: 'code', ...fields });
    await send();
    expect((await last())?.subject).toMatch(/^\d{6} for Portico Demo$/u);
    await send({ locale: 'de-CH' });
    expect((await last())?.text).toMatch(/^\d{6}$/u);
    await provider.signIn(email);
    await send();
    expect((await last())?.subject).toMatch(/is your Portico Demo passcode$/u);
    await provider.post('/magic_links/email/login_or_create', { email, login_template_id: 'link' });
    expect(await last()).toMatchObject({ subject: 'Welcome to Portico Demo' });
    expect((await last())?.text).toBe(`Go to ${(await last())?.link}`);
  });

  it.each([
    ['/otps/email/login_or_create', 'login_template_id'],
    ['/otps/email/send/primary', 'signup_template_id'],
    ['/magic_links/email/login_or_create', 'signup_template_id'],
    ['/magic_links/email/send/primary', 'login_template_id'],
    ['/passwords/email/reset/start', 'reset_password_template_id'],
  ])('is refused by %s when it does not exist or has no place for the code or link', async (path, field) => {
    const before = (await provider.inbox()).length;
    const purpose = path.startsWith('/otps') ? 'link' : 'code';
    for (const id of ['unknown', '', '__proto__', 'constructor', '../code', 'code.txt', purpose, 'x'.repeat(64)]) {
      const { body } = await provider.post(path, { email: 'ada@example.com', [field]: id });
      expect(body, id.slice(0, 20)).toMatchObject({ status_code: 404, error_type: 'email_template_not_found' });
      expect(body['error_message']).toContain(field);
    }
    expect((await provider.inbox()).length).toBe(before);
  });

  it('leaves the language to the project when the request names none that is known', async () => {
    await provider.post('/otps/sms/login_or_create', {
      phone_number: '+14155558001',
      locale: 'fr',
      enable_autofill: true,
    });
    expect((await last())?.text).toMatch(/^Votre code pour Portico Demo est (\d{6})\.\n\n@localhost #\1$/u);
    await provider.post('/otps/whatsapp/login_or_create', { phone_number: '+14155558001', locale: 'tlh' });
    expect((await last())?.text).toMatch(/^Your Portico Demo passcode is \d{6}\.$/u);
  });
});
