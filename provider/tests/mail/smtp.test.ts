import { generateKeyPairSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { SmtpCarrier } from '#provider/messages/mail/smtp-carrier.ts';
import { SMTP_DEFAULTS, type SmtpSettings } from '#provider/project/settings/delivery.ts';
import { LINK, parcel, PATIENT } from '../kit/parcels.ts';
import { RawSmtpServer, type SmtpBehaviour } from '../kit/raw-smtp-server.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const PATIENCE_MS = 2_000;

async function open(
  behaviour: SmtpBehaviour = {},
  {
    host = '127.0.0.1',
    login = '',
    patienceMs = PATIENCE_MS,
    ...settings
  }: Partial<SmtpSettings> & { host?: string; login?: string; patienceMs?: number } = {},
) {
  const server = await RawSmtpServer.start(behaviour);
  const url = `smtp://${login}${host}:${server.port}`;
  const carrier = new SmtpCarrier({
    settings: { ...SMTP_DEFAULTS, from: 'login@acme.example', url, ...settings },
    project: { name: 'Acme' },
    patienceMs,
  });
  closing.push(() => carrier.close().then(() => server.close()));
  return { server, carrier, send: (fields = {}, signal = PATIENT) => carrier.deliver(parcel(fields), signal) };
}

/** The value of a header, with its folded lines joined. */
function header(source: string, name: string): string | undefined {
  const [head = ''] = source.split('\r\n\r\n');
  const unfolded = head.replaceAll(/\r\n[ \t]+/gu, ' ');
  return new RegExp(`^${name}: (.*)$`, 'imu').exec(unfolded)?.[1];
}

describe('email by SMTP', () => {
  it('sends text and HTML from the name of the project, and marks the email as automatic', async () => {
    const { server, send } = await open();
    expect(await send()).toEqual({ kind: 'sent', reference: '4F1B2C' });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: '<login@acme.example>', to: '<ada@example.com>', tls: false, user: null });
    const source = mail?.source ?? '';
    expect(header(source, 'From')).toBe('Acme <login@acme.example>');
    expect(header(source, 'To')).toBe('ada@example.com');
    expect(header(source, 'Subject')).toBe('428193 is your Acme passcode');
    expect(header(source, 'Auto-Submitted')).toBe('auto-generated');
    expect(header(source, 'Content-Type')).toMatch(/^multipart\/alternative/u);
    expect(source).toContain('text/plain; charset=utf-8');
    expect(source).toContain('text/html; charset=utf-8');
  });

  it('sends to a domain in another script, by any server', async () => {
    const { server, send } = await open();
    expect(await send({ to: 'Ada@Käse.example' })).toMatchObject({ kind: 'sent' });
    const [mail] = server.mails;
    expect(mail?.to).toBe('<Ada@xn--kse-qla.example>');
    expect(header(mail?.source ?? '', 'To')).toBe('Ada@xn--kse-qla.example');
  });

  it('sends from a domain in another script in ASCII alone', async () => {
    const { server, send } = await open({}, { from: 'Acme <login@Käse.example>', reply_to: 'help@Käse.example' });
    expect(await send()).toMatchObject({ kind: 'sent' });
    expect(header(server.mails[0]?.source ?? '', 'From')).toBe('Acme <login@xn--kse-qla.example>');
    expect(header(server.mails[0]?.source ?? '', 'Message-ID')).toMatch(/^<[\w-]+@xn--kse-qla\.example>$/u);
    expect(server.bytes).not.toMatch(/[^\0-\x7F]/u);
  });

  it('sends to a mailbox in another script by a server that takes it, and gives up where the server does not', async () => {
    const able = await open({ smtputf8: true });
    expect(await able.send({ to: 'дана@пример.рф' })).toMatchObject({ kind: 'sent' });
    expect(able.server.commands.find((command) => command.startsWith('MAIL'))).toContain('SMTPUTF8');
    expect(able.server.mails[0]?.to).toBe('<дана@пример.рф>');
    const unable = await open();
    expect(await unable.send({ to: 'дана@пример.рф' })).toEqual({
      kind: 'rejected',
      reason: expect.stringContaining('its EHLO has no SMTPUTF8') as string,
    });
    expect(unable.server.count('MAIL')).toBe(0);
    expect(unable.server.bytes).not.toMatch(/[^\0-\x7F]/u);
    // It says so, and refuses the address nevertheless.
    const picky = await open({
      smtputf8: true,
      reply: (command) => (/[^ -~]/u.test(command) ? '553 5.6.7 not here' : undefined),
    });
    expect(await picky.send({ to: 'дана@пример.рф' })).toEqual({
      kind: 'rejected',
      reason: 'the server refused the sender or the recipient (SMTP 553 5.6.7)',
    });
  });

  it('asks no server for a sender in another script that does not take it, and again later where the server is away', async () => {
    const unable = await open({}, { from: 'Größe <grüße@acme.example>' });
    expect(await unable.send()).toMatchObject({ kind: 'rejected' });
    expect(unable.server.count('MAIL')).toBe(0);
    for (const reply of ['drop', 'stall', '421 4.3.0 busy'] as const) {
      const away = await open({ reply: (command) => (command === 'CONNECT' ? reply : undefined) }, { patienceMs: 300 });
      expect(await away.send({ to: 'дана@пример.рф' })).toMatchObject({ kind: 'retry' });
    }
    const behindTls = await open({ starttls: true, smtputf8: true }, { host: 'localhost' });
    expect(await behindTls.send({ to: 'дана@пример.рф' })).toMatchObject({ kind: 'sent' });
  });

  it('asks for an address to reply to that is in another script, too', async () => {
    const replyTo = { reply_to: 'Größe <grüße@acme.example>' };
    const unable = await open({}, replyTo);
    expect(await unable.send()).toMatchObject({ kind: 'rejected' });
    expect(unable.server.bytes).not.toMatch(/[^\0-\x7F]/u);
    const able = await open({ smtputf8: true }, replyTo);
    expect(await able.send()).toMatchObject({ kind: 'sent' });
  });

  it('gives a message the same Message-ID in every attempt', async () => {
    const { server, send } = await open({
      reply: (command, count) => (command === 'END' && count === 1 ? '451 4.3.0 later' : undefined),
    });
    expect(await send()).toMatchObject({ kind: 'retry', reason: expect.stringContaining('SMTP 451 4.3.0') as string });
    expect(await send({ attempt: 2 })).toMatchObject({ kind: 'sent' });
    expect(header(server.mails[0]?.source ?? '', 'Message-ID')).toBe('<message-test-1@acme.example>');
  });

  it('sends a queue at once by a server that takes one message on a connection', async () => {
    const { server, send } = await open({ most: 1 });
    for (let round = 0; round < 3; round += 1) {
      // All kept connections have taken their message.
      const outcomes = await Promise.all([0, 1, 2, 3].map((place) => send({ id: `m-${round}-${place}` })));
      expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['sent']));
    }
    expect(server.mails).toHaveLength(12);
  });

  it('sends an email again when the connection ends after the message, before a reply', async () => {
    const { server, send } = await open({
      reply: (command, count) => (command === 'END' && count === 1 ? 'drop' : undefined),
    });
    expect(await send()).toEqual({ kind: 'retry', reason: 'the connection was closed' });
    expect(await send({ attempt: 2 })).toMatchObject({ kind: 'sent' });
    expect(server.count('END')).toBe(2);
  });

  it.each([
    ['an unknown recipient', 'RCPT', '550 5.1.1 no such user', 'rejected', '(SMTP 550 5.1.1)'],
    ['a full mailbox', 'RCPT', '452 4.2.2 mailbox full', 'retry', '(SMTP 452 4.2.2)'],
    ['a refused message', 'END', '554 5.7.1 spam: 428193 is your code', 'rejected', '(SMTP 554 5.7.1)'],
    ['a greylisted message', 'END', '451 4.7.1 try later', 'retry', '(SMTP 451 4.7.1)'],
    ['a server that wants a login', 'MAIL', '530 5.7.0 authentication required', 'retry', '(SMTP 530 5.7.0)'],
    ['a server that is busy', 'CONNECT', '421 4.3.2 too many connections', 'retry', '(SMTP 421 4.3.2)'],
  ])('tells %s from others, without the words of the server', async (_, at, reply, kind, status) => {
    const { send } = await open({ reply: (command) => (command.startsWith(at) ? reply : undefined) });
    const outcome = await send();
    expect(outcome.kind).toBe(kind);
    expect(JSON.stringify(outcome)).toContain(status);
    expect(JSON.stringify(outcome)).not.toMatch(/428193|spam|user|ada@/u);
  });

  it.each(['CONNECT', 'EHLO', 'RCPT', 'END'])('does not wait for ever at %s', async (at) => {
    const { send } = await open(
      { reply: (command) => (command.startsWith(at) ? 'stall' : undefined) },
      { patienceMs: 100 },
    );
    expect(await send()).toEqual({ kind: 'retry', reason: 'no answer in time', isAway: true });
  });

  it('ends when the delivery is cancelled', async () => {
    const cancel = new AbortController();
    const { send } = await open({
      reply: (command) => {
        if (command !== 'END') return undefined;
        cancel.abort();
        return 'stall';
      },
    });
    expect(await send({}, cancel.signal)).toMatchObject({ kind: 'retry' });
  });

  it('reports that there is no server', async () => {
    const { server, send } = await open();
    await server.close();
    expect(await send()).toEqual({ kind: 'retry', reason: 'the connection failed (ECONNREFUSED)', isAway: true });
    closing.length = 0;
  });

  it('uses a connection again, and as many at once as it may', async () => {
    const { server, send } = await open({}, { connections: 2 });
    for (let i = 0; i < 3; i += 1) await send({ id: `one-${i}` });
    expect(server.count('CONNECT')).toBe(1);
    await Promise.all(Array.from({ length: 6 }, (_, i) => send({ id: `many-${i}` })));
    expect(server.mails).toHaveLength(9);
    expect(server.count('CONNECT')).toBe(2);
  });

  it('adds no header or recipient, whatever a name, subject or address contains', async () => {
    const server = await RawSmtpServer.start();
    const carrier = new SmtpCarrier({
      settings: { ...SMTP_DEFAULTS, from: 'login@acme.example', url: `smtp://127.0.0.1:${server.port}` },
      project: { name: 'Evil\r\nBcc: eve@example.com\r\n"<eve@example.com>, x' },
    });
    closing.push(() => carrier.close().then(() => server.close()));
    const subject = 'Hi\r\nBcc: eve@example.com\r\n\r\nbody\u2028';
    await carrier.deliver(parcel({ subject }), PATIENT);
    const source = server.mails[0]?.source ?? '';
    expect(header(source, 'Bcc')).toBeUndefined();
    expect(header(source, 'Subject')).toBe('Hi Bcc: eve@example.com body');
    expect(header(source, 'From')).toMatch(/<login@acme\.example>$/u);
    for (const to of ['a@b.example, eve@example.com', 'eve@example.com>\r\nRCPT TO:<x@example.com']) {
      const outcome = await carrier.deliver(parcel({ to }), PATIENT);
      expect(outcome.kind, to).toBe('rejected');
    }
    expect(server.commands.filter((command) => command.startsWith('RCPT'))).toEqual(['RCPT TO:<ada@example.com>']);
  });

  it('writes a link as it is, and a name in any script', async () => {
    const { server, send } = await open();
    await send({ kind: 'login_link', link: LINK, subject: 'Ihr Anmeldelink für Größe', text: `${LINK}\n.\n..` });
    const source = server.mails[0]?.source ?? '';
    expect(header(source, 'Subject')).toMatch(/^=\?UTF-8\?/u);
    expect(source.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toContain(LINK);
  });
});

/** To the client this is another machine, though it is this one. */
const ELSEWHERE = '0.0.0.0';
const login = 'portico:p%40ss@';

describe('TLS to an email server', () => {
  it('is required from another machine: without it nothing is sent, not even the password', async () => {
    const { server, send } = await open({ auth: true }, { host: ELSEWHERE, login });
    expect(await send()).toMatchObject({
      kind: 'retry',
      reason: expect.stringContaining('TLS') as string,
      isAway: true,
    });
    expect(server.commands.join('\n')).not.toMatch(/AUTH|MAIL|RCPT/u);
  });

  it('is not accepted with an untrusted certificate', async () => {
    const { server, send } = await open({ starttls: true, auth: true }, { host: ELSEWHERE, login });
    expect(await send()).toMatchObject({ kind: 'retry', reason: expect.stringContaining('SELF_SIGNED') as string });
    expect(server.commands.join('\n')).not.toMatch(/AUTH|MAIL|RCPT/u);
  });

  it('is used on this machine where the server offers it, before the login', async () => {
    const { server, send } = await open({ starttls: true, auth: true }, { login });
    expect(await send()).toMatchObject({ kind: 'sent' });
    expect(server.mails[0]).toMatchObject({ tls: true, user: 'portico' });
    expect(server.commands.indexOf('STARTTLS')).toBeLessThan(server.commands.indexOf('AUTH'));
  });

  it('is not required where the operator allows that', async () => {
    const { server, send } = await open({}, { host: ELSEWHERE, allow_insecure: true });
    expect(await send()).toMatchObject({ kind: 'sent' });
    expect(server.mails[0]?.tls).toBe(false);
  });

  it('does not give a message up when the server refuses the login', async () => {
    const { send } = await open(
      { auth: true, reply: (command) => (command === 'AUTH' ? '535 5.7.8 wrong password p@ss' : undefined) },
      { login },
    );
    expect(await send()).toEqual({
      kind: 'retry',
      reason: 'the server refused the login (SMTP 535 5.7.8)',
      isAway: true,
    });
  });
});

describe('DKIM', () => {
  it('signs with the key of the project', async () => {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 });
    const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const { server, send } = await open({}, { dkim: { domain: 'acme.example', selector: 's1', private_key } });
    await send();
    const signature = header(server.mails[0]?.source ?? '', 'DKIM-Signature') ?? '';
    expect(signature).toMatch(/a=rsa-sha256;.*d=acme\.example;.*s=s1;/u);
    expect(signature).toMatch(/h=from:.*subject/iu);
  });
});
