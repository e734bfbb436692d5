import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';

/** Signed by itself, for `mail.test`: no client has a reason to trust it. */
export const UNTRUSTED = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg2lKOGmKlbjRA0OpM
AXN8Jxq8B1EdmnvJJPkqiHtla3ShRANCAARmLy6iFzy5KWjw9Oz/M82pJ+so/uhy
AFWUInaF8vTPH9NMt9TZRWguXqfW0AHGoQT/uYmS8igDguEOyedLkHrr
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUHPzSfp5UEwGNZyA7Rb3vpbcjeVUwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbWFpbC50ZXN0MCAXDTI2MTEyMjExMzcyNloYDzIxMjYxMDI5
MTEzNzI2WjAUMRIwEAYDVQQDDAltYWlsLnRlc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAARmLy6iFzy5KWjw9Oz/M82pJ+so/uhyAFWUInaF8vTPH9NMt9TZRWgu
XqfW0AHGoQT/uYmS8igDguEOyedLkHrro2kwZzAdBgNVHQ4EFgQUiO4eZQuDF4C6
tk9RVglXXcrcHMAwHwYDVR0jBBgwFoAUiO4eZQuDF4C6tk9RVglXXcrcHMAwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALggltYWlsLnRlc3QwCgYIKoZIzj0EAwID
SAAwRQIhAOWaX3d0hN9HZzofqiP0w3z6samwp0kziwOKNr+eRqlKAiATukiA1Z+W
AE1Qkcy+313wa89ucxGl/IbFaEVefEsKJQ==
-----END CERTIFICATE-----`,
} as const;

export interface ReceivedMail {
  readonly from: string;
  readonly to: string;
  /** With CRLF, and without the dots that SMTP adds. */
  readonly source: string;
  readonly tls: boolean;
  readonly user: string | null;
}

/**
 * How a server replies to one command: a line, or `stall` for nothing for ever, or `drop` for the end of the connection. A function
 * writes to the socket itself, and nothing else follows.
 */
type Reply = string | ((socket: Socket) => void) | undefined;

export interface SmtpBehaviour {
  readonly starttls?: boolean;
  readonly auth?: boolean;
  /** Takes addresses in other scripts (RFC 6531). */
  readonly smtputf8?: boolean;
  /** It takes so many messages on a connection. */
  readonly most?: number;
  /** The reply to a command such as `RCPT TO:<…>`; `CONNECT` stands for the greeting, `END` for the end of the message. */
  readonly reply?: (command: string, count: number) => Reply;
}

/** A small SMTP server on a socket, which misbehaves as a test tells it. */
export class RawSmtpServer {
  readonly mails: ReceivedMail[] = [];
  readonly commands: string[] = [];
  /** All bytes that clients sent, inside of TLS too, as Latin-1. */
  bytes = '';
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {}

  static async start(behaviour: SmtpBehaviour = {}): Promise<RawSmtpServer> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const raw = new RawSmtpServer(server, (server.address() as AddressInfo).port);
    server.on('connection', (socket) => raw.serve(socket, behaviour));
    return raw;
  }

  /** How many commands of this kind came, such as `RCPT`. */
  count(verb: string): number {
    return this.commands.filter((command) => command.startsWith(verb)).length;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve(
    raw: Socket,
    { starttls = false, auth = false, smtputf8 = false, most = Infinity, reply }: SmtpBehaviour,
  ): void {
    let socket = raw;
    let text = '';
    let inData = false;
    let messages = 0;
    let envelope = { from: '', to: '', user: null as string | null };
    const send = (command: string, usual: string): boolean => {
      this.commands.push(command);
      const given = reply?.(command, this.count(command.split(/[ :]/u)[0] ?? command));
      if (given === 'stall') return false;
      if (typeof given === 'function') {
        given(socket);
        return false;
      }
      if (given === 'drop') socket.destroy();
      else socket.write(`${given ?? usual}\r\n`);
      return given === undefined || given.startsWith('2') || given.startsWith('3');
    };
    const line = (command: string): void => {
      const verb = command.slice(0, 8).toUpperCase();
      if (verb.startsWith('EHLO')) {
        const lines = [
          'mail.test',
          ...(starttls && socket === raw ? ['STARTTLS'] : []),
          ...(auth ? ['AUTH PLAIN'] : []),
          ...(smtputf8 ? ['SMTPUTF8'] : []),
        ];
        send(command, lines.map((each, index) => `250${index === lines.length - 1 ? ' ' : '-'}${each}`).join('\r\n'));
      } else if (verb === 'STARTTLS' && !starttls) {
        send(command, '502 5.5.1 not here');
      } else if (verb === 'STARTTLS') {
        if (!send(command, '220 2.0.0 go ahead')) return;
        raw.removeAllListeners('data');
        socket = new TLSSocket(raw, { isServer: true, secureContext: createSecureContext(UNTRUSTED) });
        this.listen(socket, read);
      } else if (verb.startsWith('AUTH')) {
        const [, user = ''] = Buffer.from(command.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0');
        envelope = { ...envelope, user };
        send('AUTH', '235 2.7.0 welcome');
      } else if (verb.startsWith('MAIL')) {
        envelope = { ...envelope, from: command.slice(10) };
        messages += 1;
        send(command, messages > most ? '421 4.7.0 too many messages on this connection' : '250 2.1.0 ok');
      } else if (verb.startsWith('RCPT')) {
        envelope = { ...envelope, to: command.slice(8) };
        send(command, '250 2.1.5 ok');
      } else if (verb.startsWith('DATA')) inData = send(command, '354 go on');
      else if (verb.startsWith('QUIT')) socket.end('221 2.0.0 bye\r\n');
      else send(command, '250 2.0.0 ok');
    };
    const read = (chunk: Buffer): void => {
      this.bytes += chunk.toString('latin1');
      text += chunk.toString('utf8');
      for (;;) {
        const end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const part = text.slice(0, end);
        text = text.slice(end + (inData ? 5 : 2));
        if (!inData) line(part);
        else {
          inData = false;
          const source = part.replaceAll(/^\./gmu, '');
          if (send('END', '250 2.0.0 Ok: queued as 4F1B2C')) {
            this.mails.push({ ...envelope, source, tls: socket !== raw });
          }
        }
      }
    };
    this.listen(socket, read);
    send('CONNECT', '220 mail.test ESMTP');
  }

  private listen(socket: Socket, read: (chunk: Buffer) => void): void {
    this.sockets.add(socket);
    socket.on('data', read);
    // A client that gives up resets the connection.
    socket.on('error', () => undefined);
  }
}
