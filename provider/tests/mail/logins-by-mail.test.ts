import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findMailServer } from '#scripts/lib/mail-server.ts';
import { messageCarriers } from '#provider/messages/mail/carriers.ts';
import { carriedBy, startDelivery } from '#provider/messages/outbox/delivery.ts';
import { NO_DELIVERY, SMTP_DEFAULTS } from '#provider/project/settings/delivery.ts';
import { DEMO_PROJECT } from '#provider/project/settings/project.ts';
import { FOREIGN_LOGIN, startForeignSmtpServer } from '../kit/foreign-smtp-server.ts';
import { EITHER_DATABASE, makeProvider, WITHOUT_PKCE, type Fields, type Provider } from '../kit/harness.ts';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0';
const headers = { 'user-agent': BROWSER };

/** Skipped where aiosmtpd cannot be had; `npm test` installs it and says so. */
const found = findMailServer();

/** What a reader sees of an HTML mail. */
const shown = (html: string): string =>
  html
    .replaceAll(/<(style|title)>[^]*?<\/\1>/gu, '')
    .replaceAll(/<[^>]+>/gu, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/gu, ' ');

describe.skipIf(found === null)('logins by email through a server of another make', () => {
  let smtp: Awaited<ReturnType<typeof startForeignSmtpServer>>;
  beforeAll(async () => {
    smtp = await startForeignSmtpServer(found?.python ?? '');
  });
  afterAll(() => smtp.close());

  describe.each(EITHER_DATABASE)('on %s', (_, url) => {
    let provider: Provider;
    let delivery: ReturnType<typeof startDelivery>;
    beforeAll(async () => {
      const server = `smtp://${FOREIGN_LOGIN}@127.0.0.1:${smtp.port}`;
      const project = {
        ...DEMO_PROJECT,
        ...WITHOUT_PKCE,
        name: 'Größe & <Co>',
        delivery: { ...NO_DELIVERY, smtp: { ...SMTP_DEFAULTS, url: server, from: 'login@acme.example' } },
      };
      const carriers = messageCarriers(project, undefined);
      provider = await makeProvider(url, { project, carried: carriedBy(carriers) });
      delivery = startDelivery(provider.services, carriers);
    });
    afterAll(async () => {
      await delivery?.stop();
      await provider.close();
    });
    const post = (path: string, body: Fields) => provider.post(path, body, { headers });

    it('log in with the code that a person reads in the email', async () => {
      const sent = await post('/otps/email/login_or_create', { email: 'ada@example.com', locale: 'de' });
      const mail = await smtp.mail();
      expect(mail).toMatchObject({
        from_: 'login@acme.example',
        to: ['ada@example.com'],
        tls: true,
        user: 'portico',
        sender: 'Größe & <Co>',
        defects: [],
      });
      expect(mail.headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'mime-version': '1.0' });
      const [, code = ''] = /^Ihr Code für Größe & <Co> lautet (\d{6})\.$/mu.exec(mail.text) ?? [];
      expect(mail.headers['subject']).toBe(`${code} ist Ihr Code für Größe & <Co>`);
      expect(shown(mail.html)).toContain(` ${code} Einmal verwendbar, gültig für 5 Minuten.`);
      expect(mail.html).toContain('mit Firefox (Windows).');
      const { method_id } = sent.data;
      const entered = await post('/otps/authenticate', { token: code, method_id, session_duration_minutes: 30 });
      expect(entered.data).toHaveProperty('session_token');
      expect(mail.headers['message-id']?.trim()).toMatch(/^<message-test-[\da-f-]{36}@acme\.example>$/u);
    });

    it('log in with the link', async () => {
      await post('/magic_links/email/login_or_create', { email: 'grace@example.com' });
      const mail = await smtp.mail();
      const [link = ''] = /^http\S+$/mu.exec(mail.text) ?? [];
      expect(shown(mail.html)).toContain(link);
      const token = new URL(link).searchParams.get('token');
      const opened = await post('/magic_links/authenticate', { token, session_duration_minutes: 30 });
      expect(opened.data).toHaveProperty('session_token');
    });

    it('reset a password, in a language written from right to left', async () => {
      const email = 'ada@example.com';
      await post('/passwords/email/reset/start', { email, locale: 'ar' });
      const mail = await smtp.mail();
      expect(mail.headers['subject']).toBe('تعيين كلمة مرور جديدة في Größe & <Co>');
      expect(mail.html).toContain('dir="rtl"');
      const [link = '', login = ''] = mail.text.match(/^http\S+$/gmu) ?? [];
      expect(login).toContain('stytch_token_type=login');
      const token = new URL(link).searchParams.get('token');
      const password = 'violet tractor moon 88';
      const reset = await post('/passwords/email/reset', { token, password, session_duration_minutes: 30 });
      expect(reset.data).toHaveProperty('session_token');
    });
  });
});
