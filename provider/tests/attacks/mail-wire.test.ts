import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { SmtpCarrier } from '#provider/messages/mail/smtp-carrier.ts';
import { SMTP_DEFAULTS, type SmtpSettings } from '#provider/project/settings/delivery.ts';
import { parcel, PATIENT } from '../kit/parcels.ts';
import { RawSmtpServer, type SmtpBehaviour } from '../kit/raw-smtp-server.ts';
import { PATIENCE_MS } from '#tests/patience-ms.ts';

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

interface ServerSettings extends Partial<SmtpSettings> {
  readonly project?: string;
  readonly login?: string;
  readonly patienceMs?: number;
}

async function open(behaviour: SmtpBehaviour = {}, options: ServerSettings = {}) {
  const { project = 'Acme', login = '', patienceMs = PATIENCE_MS, ...settings } = options;
  const server = await RawSmtpServer.start(behaviour);
  const carrier = new SmtpCarrier({
    settings: {
      ...SMTP_DEFAULTS,
      from: 'login@acme.example',
      url: `smtp://${login}127.0.0.1:${server.port}`,
      ...settings,
    },
    project: { name: project },
    patienceMs,
  });
  closing.push(() => carrier.close().then(() => server.close()));
  return { server, send: (fields = {}, signal = PATIENT) => carrier.deliver(parcel(fields), signal) };
}

/** What a client sent between the reply to DATA and the end of the message. */
const messageOf = ({ bytes }: RawSmtpServer): string => /\r\nDATA\r\n([^]*?\r\n)\.\r\n/u.exec(bytes)?.[1] ?? '';

/** Also for a server that ends lines at a bare CR or LF, a line of a single dot is only at the end. */
function expectOneMessage(server: RawSmtpServer): void {
  expect([server.count('MAIL'), server.count('RCPT'), server.count('DATA')]).toEqual([1, 1, 1]);
  const message = messageOf(server);
  expect(message).toContain('Message-ID');
  expect(message.split(/[\r\n]/u).filter((line) => line === '.')).toEqual([]);
  expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n\0]/u);
}

/** A second message, after what some server takes for the end of the first (SMTP smuggling). */
const SECOND = ['MAIL FROM:<eve@example.com>', 'RCPT TO:<ada@example.com>', 'DATA', 'Subject: forged', '', 'x', '.'];
const ENDS = [
  '\r\n.\r\n',
  '\n.\n',
  '\r.\r',
  '\n.\r\n',
  '\r\n.\n',
  '\r\n.\r',
  '\r.\r\n',
  '\r\r\n.\r\n',
  '\n.\r',
  '\0\r\n.\r\n',
];
const SMUGGLED = ENDS.map((end): [string, string] => [
  JSON.stringify(end),
  `Hello${end}${SECOND.join(end.endsWith('\n') ? '\r\n' : '\r')}`,
]);

describe('the emails on the wire', () => {
  it.each(SMUGGLED)('a message text with %s ends no message early and starts no other', async (_, text) => {
    const { server, send } = await open();
    expect(await send({ text, subject: text, kind: 'of an older version' })).toMatchObject({ kind: 'sent' });
    expect(server.mails.length).toBe(1);
    expectOneMessage(server);
  });

  it.each(SMUGGLED)('a project name, template value or link with %s ends no message early', async (_, value) => {
    const { server, send } = await open({}, { project: value });
    const values = {
      project: value,
      minutes: 5,
      at: '2030-01-01T00:00:00.000Z',
      device: value,
      login_link: value,
      login_minutes: 5,
    };
    await send({ kind: 'password_reset', code: undefined, link: value, text: value, values });
    expectOneMessage(server);
  });

  it('lines have 998 bytes at most, and 7 bits, for any text and subject', async () => {
    const { server, send } = await open();
    const text = `${'a'.repeat(5_000)}\n${'Größe 漢字 🎉 '.repeat(800)}\n.${'.'.repeat(3_000)}\n\u0085\u2028\u00A0`;
    expect(await send({ text, subject: `${'ü'.repeat(900)} ${'b'.repeat(3_000)}` })).toMatchObject({ kind: 'sent' });
    const message = messageOf(server);
    expect(message.split('\r\n').filter((line) => line.length > 998)).toEqual([]);
    expect(message).toMatch(/^[\t\r\n -~]*$/u);
  });

  it.each([
    'ada@example.com\0',
    'ada@example.com\x7f',
    'ada\x01@example.com',
    'ada@exam\u0085ple.com',
    'ada@example.com\u2028Bcc',
    'ada@[127.0.0.1]',
    '"ada\r\n"@example.com',
    '<ada@example.com>',
    'ada@example.com SIZE=1',
    'ada@example.com%0d%0aRCPT',
    '@relay.example:ada@example.com',
    'eve!ada@example.com@example.com',
  ])('%j is not written into a command as more than one address', async (to) => {
    const { server, send } = await open();
    await send({ to });
    const recipients = server.commands.filter((command) => command.startsWith('RCPT'));
    expect(recipients.filter((command) => !/^RCPT TO:<[^<>\s\p{Cc}]+@[a-z\d.%-]+>$/u.test(command))).toEqual([]);
    expect(server.bytes).not.toMatch(/(?![\r\n])\p{Cc}/u);
  });
});

const drip = (first: string, part: string) => (socket: Socket) => {
  socket.write(first);
  const timer = setInterval(() => socket.write(part), 10);
  socket.once('close', () => clearInterval(timer));
};

const PLACES = ['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'END'];

describe('a hostile mail server', () => {
  it.each(PLACES)('whose reply to %s never ends is left at a limit', async (at) => {
    const { send } = await open({
      reply: (command) =>
        command.startsWith(at) ? (socket) => void socket.write('250-more\r\n'.repeat(20_000)) : undefined,
    });
    expect(await send()).toMatchObject({ kind: 'retry' });
  });

  it.each(PLACES)('whose line in reply to %s never ends is left at a limit', async (at) => {
    const { send } = await open({
      reply: (command) =>
        command.startsWith(at) ? (socket) => void socket.write(`250 ${'x'.repeat(200_000)}`) : undefined,
    });
    expect(await send()).toMatchObject({ kind: 'retry' });
  });

  it.each(PLACES)('that drips its reply to %s is left when the time of the delivery is over', async (at) => {
    const limit = new AbortController();
    let closed = (): void => undefined;
    const left = new Promise<void>((resolve) => (closed = resolve));
    const { send } = await open({
      reply: (command) => {
        if (!command.startsWith(at)) return undefined;
        return (socket) => {
          socket.once('close', () => closed());
          drip('250', '-')(socket);
          limit.abort();
        };
      },
    });
    expect(await send({}, limit.signal)).toMatchObject({ kind: 'retry' });
    await left;
  });

  it('that puts replies before TLS into the same packet answers nothing inside of it', async () => {
    const injected = [
      '250-mail.test',
      '250-AUTH PLAIN',
      '250 SMTPUTF8',
      '235 2.7.0 welcome',
      '250 ok',
      '250 ok',
      '354 go on',
      '250 Ok: queued as FORGED',
    ];
    const { server, send } = await open(
      {
        starttls: true,
        auth: true,
        reply: (command) => (command === 'STARTTLS' ? ['220 go ahead', ...injected].join('\r\n') : undefined),
      },
      { login: 'portico:secret@' },
    );
    const outcome = await send();
    expect(JSON.stringify(outcome)).not.toContain('FORGED');
    if (outcome.kind === 'sent') expect(server.mails[0]).toMatchObject({ tls: true, user: 'portico' });
    else expect(outcome.kind).toBe('retry');
    expect(server.bytes.split('STARTTLS')[0]).not.toMatch(/AUTH|MAIL|RCPT/u);
  });

  const WORDS =
    'code 428193 of ada@example.com\x1b[31m\0 <script>\u2028 level=error msg="forged" https://evil.example/';
  it.each(['CONNECT', 'EHLO', 'MAIL', 'RCPT', 'DATA', 'END'])(
    'brings no words of its own into a reason, at %s',
    async (at) => {
      for (const status of [421, 450, 503, 554, 999, 100]) {
        const { send } = await open({
          reply: (command) => (command.startsWith(at) ? `${status}-${WORDS}\r\n${status} 5.1.1.9 ${WORDS}` : undefined),
        });
        const outcome = await send();
        // A refused EHLO is followed by HELO.
        expect(outcome.kind === 'sent').toBe(at === 'EHLO' && status !== 421);
        expect(JSON.stringify(outcome)).not.toMatch(/428193|ada@|forged|evil|script|\\u001b|\\u0000/u);
      }
    },
  );

  it('names a queued email by an id of few characters, or only by the status', async () => {
    const ids = [
      'queued as 428193\x1b[31m',
      `queued as ${'x'.repeat(5_000)}`,
      'queued as <script>alert(1)</script>',
      'id=\r\n250 y',
    ];
    for (const id of ids) {
      const { send } = await open({ reply: (command) => (command === 'END' ? `250 ${id}` : undefined) });
      const outcome = await send();
      expect(outcome.kind === 'sent' && /^[\w.@-]{1,80}$/u.test(outcome.reference ?? '')).toBe(true);
    }
  });
});
