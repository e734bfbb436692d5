import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { deliveryWith, templatesOf } from '#provider/operation/options/delivery.ts';
import { optionsFrom } from '#provider/operation/options/options.ts';
import { projectToServe } from '#provider/operation/server/serving.ts';
import { messageCarriers } from '#provider/messages/mail/carriers.ts';
import { senderFrom, smtpServerFrom } from '#provider/project/readers/smtp-address.ts';
import { DEMO_PROJECT, projectFrom } from '#provider/project/settings/project.ts';

const ACCOUNT = `AC${'0a'.repeat(16)}`;
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const SMTP = { url: 'smtp://portico:p%40ss@mail.example:2525', from: 'Acme <login@acme.example>' };
const TWILIO = { gateway: 'twilio', account_sid: ACCOUNT, auth_token: 'token', from: '+15005550006' };
const WEBHOOK = { gateway: 'webhook', url: 'https://sms.example/send', secret: SECRET };

const settingsOf = (delivery: object) => projectFrom({ delivery }).delivery;
const key = (bits: number): string =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

describe('the section delivery of the project file', () => {
  it('is empty by default, in English', () => {
    expect(settingsOf({})).toEqual({ locale: 'en', templates: null, smtp: null, sms: null, whatsapp: null });
  });

  it('has an email server, and a gateway for each kind of text message', async () => {
    const dkim = { domain: 'acme.example', selector: 's1', private_key: key(1024) };
    const delivery = settingsOf({ locale: 'de', smtp: { ...SMTP, dkim }, sms: TWILIO, whatsapp: WEBHOOK });
    expect(delivery).toMatchObject({ locale: 'de', smtp: { ...SMTP, allow_insecure: false }, whatsapp: WEBHOOK });
    const carriers = messageCarriers({ ...DEMO_PROJECT, delivery }, undefined);
    expect(Object.keys(carriers)).toEqual(['email', 'sms', 'whatsapp']);
    await Promise.all(Object.values(carriers).map((carrier) => carrier.close()));
  });

  it.each([
    ['delivery.locale', { locale: 'nl' }],
    ['delivery.templates', { templates: '' }],
    ['delivery.smtp.url', { smtp: { ...SMTP, url: 'http://mail.example' } }],
    ['delivery.smtp.url', { smtp: { ...SMTP, url: 'smtp://mail.example:99999' } }],
    ['delivery.smtp.url', { smtp: { ...SMTP, url: 'smtp://user@mail.example' } }],
    ['delivery.smtp.url', { smtp: { ...SMTP, url: 'smtp://mail.example/?secure=0' } }],
    ['delivery.smtp.url', { smtp: { ...SMTP, url: 'smtp://mail.example\r\nx' } }],
    ['delivery.smtp.from', { smtp: { url: SMTP.url } }],
    ['delivery.smtp.from', { smtp: { ...SMTP, from: 'Acme' } }],
    ['delivery.smtp.from', { smtp: { ...SMTP, from: 'a@b.example, c@d.example' } }],
    ['delivery.smtp.from', { smtp: { ...SMTP, from: 'Acme\r\nBcc: x <a@b.example>' } }],
    [
      'delivery.smtp.dkim.private_key',
      { smtp: { ...SMTP, dkim: { domain: 'a.example', selector: 's', private_key: 'x' } } },
    ],
    [
      'delivery.smtp.dkim.private_key',
      { smtp: { ...SMTP, dkim: { domain: 'a.example', selector: 's', private_key: key(512) } } },
    ],
    [
      'delivery.smtp.dkim.domain',
      { smtp: { ...SMTP, dkim: { domain: 'a b', selector: 's', private_key: key(1024) } } },
    ],
    ['delivery.sms', { sms: 'twilio' }],
    ['delivery.sms.gateway', { sms: { gateway: 'pigeon' } }],
    ['delivery.sms.account_sid', { sms: { ...TWILIO, account_sid: 'AC1' } }],
    ['delivery.sms.from', { sms: { ...TWILIO, from: null } }],
    ['delivery.sms.from', { sms: { ...TWILIO, messaging_service_sid: `MG${'0'.repeat(32)}` } }],
    ['delivery.sms.from', { sms: { ...TWILIO, from: 'x&To=+1' } }],
    ['delivery.sms.base_url', { sms: { ...TWILIO, base_url: 'https://sms.example/?x=1' } }],
    ['delivery.whatsapp.url', { whatsapp: { ...WEBHOOK, url: 'ftp://x' } }],
    ['delivery.whatsapp.secret', { whatsapp: { ...WEBHOOK, secret: 'whsec_c2hvcnQ=' } }],
    ['delivery.whatsapp.secret', { whatsapp: { ...WEBHOOK, secret: 'secret' } }],
    ['delivery.smtp.pasword', { smtp: { ...SMTP, pasword: 'x' } }],
  ])('is refused for its %s, without its value', (field, delivery) => {
    expect(() => settingsOf(delivery)).toThrow(`in the project file, ${field} must be`);
    expect(() => settingsOf(delivery)).not.toThrow(/p%40ss|whsec_c2|BEGIN/u);
  });
});

describe('a gateway that cannot be called', () => {
  const page = 'https://a.example/';
  const online = { redirect_urls: [page], default_login_redirect_url: page, default_signup_redirect_url: page };
  it.each([
    ['delivery.sms.url', { sms: { ...WEBHOOK, url: 'http://sms:8080/send' } }],
    ['delivery.sms.url', { sms: { ...WEBHOOK, url: 'https://10.0.0.1/send' } }],
    ['delivery.whatsapp.url', { whatsapp: { ...WEBHOOK, url: 'https://localhost/send' } }],
    ['delivery.whatsapp.base_url', { whatsapp: { ...TWILIO, base_url: 'http://twilio.example' } }],
  ])('is refused at the start: %s', (field, delivery) => {
    const message = `${field} must be https at a public address, unless allow_loopback is true`;
    expect(() => projectFrom({ ...online, delivery }, false)).toThrow(message);
    expect(projectFrom({ ...online, delivery, allow_loopback: true }, false).delivery).toMatchObject(delivery);
  });

  it('is refused also where a variable names it', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'portico-gateway-')), 'project.json');
    writeFileSync(file, JSON.stringify(online));
    const env = { PORTICO_PROJECT: file, PORTICO_SMS_URL: 'http://sms:8080/send', PORTICO_SMS_SECRET: SECRET };
    expect(() => projectToServe(optionsFrom(['--data', 'data'], env))).toThrow('delivery.sms.url must be https');
    rmSync(dirname(file), { recursive: true });
  });
});

describe('flags and variables', () => {
  const from = (env: Record<string, string>, file = {}) =>
    deliveryWith(settingsOf(file), optionsFrom([], env).delivery);

  it('go before the project file, field by field', () => {
    const env = { PORTICO_SMTP_URL: 'smtps://mail2.example' };
    expect(from(env, { smtp: { ...SMTP, connections: 2 } }).smtp).toMatchObject({
      url: 'smtps://mail2.example',
      from: SMTP.from,
      connections: 2,
    });
    expect(from({ ...env, PORTICO_MAIL_FROM: 'a@b.example' }).smtp).toMatchObject({ from: 'a@b.example' });
    expect(optionsFrom(['--smtp-url', 'smtp://a'], env).delivery.smtpUrl?.text).toBe('smtp://a');
  });

  it('name gateways', () => {
    const url = 'https://sms.example/send';
    expect(from({ PORTICO_SMS_URL: url, PORTICO_SMS_SECRET: SECRET })).toMatchObject({ sms: WEBHOOK, whatsapp: null });
    const account = { PORTICO_TWILIO_ACCOUNT_SID: ACCOUNT, PORTICO_TWILIO_AUTH_TOKEN: 'token' };
    const both = { ...account, PORTICO_TWILIO_FROM: 'Acme', PORTICO_TWILIO_WHATSAPP_FROM: '+15005550006' };
    expect(from({ ...both, PORTICO_TWILIO_CONTENT_SID: `HX${'0'.repeat(32)}` })).toMatchObject({
      sms: { account_sid: ACCOUNT, from: 'Acme', content_sid: null },
      whatsapp: { auth_token: 'token', from: '+15005550006', content_sid: `HX${'0'.repeat(32)}` },
    });
    const service = `MG${'1'.repeat(32)}`;
    expect(from({ ...account, PORTICO_TWILIO_MESSAGING_SERVICE_SID: service }).sms).toMatchObject({
      from: null,
      messaging_service_sid: service,
    });
  });

  it.each([
    [{ PORTICO_SMTP_URL: 'mail.example' }, 'PORTICO_SMTP_URL must be smtp://'],
    [{ PORTICO_SMTP_URL: 'smtp://mail.example' }, 'Set PORTICO_MAIL_FROM as well as PORTICO_SMTP_URL.'],
    [{ PORTICO_MAIL_FROM: 'a@b.example' }, 'Set PORTICO_SMTP_URL as well as PORTICO_MAIL_FROM.'],
    [{ PORTICO_SMS_URL: 'https://x.example' }, 'Set PORTICO_SMS_SECRET as well as PORTICO_SMS_URL.'],
    [{ PORTICO_WHATSAPP_SECRET: SECRET }, 'Set PORTICO_WHATSAPP_URL as well as PORTICO_WHATSAPP_SECRET.'],
    [{ PORTICO_TWILIO_FROM: '+15005550006' }, 'Set PORTICO_TWILIO_ACCOUNT_SID as well as PORTICO_TWILIO_FROM.'],
    [{ PORTICO_TWILIO_ACCOUNT_SID: ACCOUNT }, 'PORTICO_TWILIO_ACCOUNT_SID has no sender'],
    [
      {
        PORTICO_SMS_URL: 'https://x.example',
        PORTICO_SMS_SECRET: SECRET,
        PORTICO_TWILIO_FROM: 'A',
        PORTICO_TWILIO_ACCOUNT_SID: ACCOUNT,
        PORTICO_TWILIO_AUTH_TOKEN: 't',
      },
      'Set PORTICO_SMS_URL or the variables of Twilio, not both.',
    ],
  ])('that are wrong or incomplete are named: %o', (env, message) => {
    expect(() => from(env)).toThrow(message);
  });
});

describe('the folder of templates', () => {
  const root = mkdtempSync(join(tmpdir(), 'portico-project-'));
  const file = join(root, 'project.json');
  afterAll(() => rmSync(root, { recursive: true }));
  const templates = (named: string | null, project: string | null = file) =>
    templatesOf({ delivery: { ...DEMO_PROJECT.delivery, templates: named } }, project);

  it('is beside the project file, where it has another name or place that was given', () => {
    expect(templates(null)).toBeUndefined();
    expect(templates('mails', null)).toBeUndefined();
    for (const name of ['templates', 'mails']) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, `${name}.txt`), 'Subject: x\n\n{{code}}');
    }
    expect(templates(null)?.ids).toEqual(['templates']);
    expect(templates('mails')?.ids).toEqual(['mails']);
    expect(templates(join(root, 'mails'), '/elsewhere/project.json')?.ids).toEqual(['mails']);
  });

  it('stops the start when it is missing, or when a file in it is wrong', () => {
    expect(() => templates('nowhere')).toThrow(/nowhere, which delivery\.templates names, is not a folder\.$/u);
    mkdirSync(join(root, 'wrong'));
    writeFileSync(join(root, 'wrong', 'a.txt'), 'Subject: x\n\nHello');
    expect(() => templates('wrong')).toThrow(/^In \S+wrong, a\.txt has neither \{\{code\}\} nor \{\{link\}\}/u);
  });
});

describe('addresses', () => {
  it('of an email server are read in full', () => {
    expect(smtpServerFrom('smtp://a%40b:c%2Fd@mail.example')).toEqual({
      host: 'mail.example',
      port: 587,
      secure: false,
      auth: { user: 'a@b', pass: 'c/d' },
      isLoopback: false,
    });
    expect(smtpServerFrom('smtps://[::1]')).toMatchObject({ host: '::1', port: 465, secure: true, isLoopback: true });
    expect(smtpServerFrom('smtp://localhost:1025/')).toMatchObject({ port: 1025, auth: null, isLoopback: true });
  });

  it.each([
    ['login@acme.example', { name: null, address: 'login@acme.example' }],
    ['Acme, Inc. <login@acme.example>', { name: 'Acme, Inc.', address: 'login@acme.example' }],
    ['"Acme: <3" <login@acme.example>', { name: 'Acme: <3', address: 'login@acme.example' }],
    ['Größe <login@größe.example>', { name: 'Größe', address: 'login@größe.example' }],
  ])('of a sender are read: %s', (text, sender) => {
    expect(senderFrom(text)).toEqual(sender);
  });
});
