import type { NodemailerError } from 'nodemailer';
import type { Outcome } from '../outbox/carrier.ts';

/** The meanings of the library's errors. The server's text is left out, because it may quote a subject that contains a code. */
const CAUSES: Readonly<Record<string, string>> = {
  EABORT: 'no answer in time',
  EAUTH: 'the server refused the login',
  ENOAUTH: 'the server wants a login',
  ECONNECTION: 'the connection was closed',
  EDNS: 'the name of the server was not found',
  EENVELOPE: 'the server refused the sender or the recipient',
  EMESSAGE: 'the server refused the message',
  EPROTOCOL: 'the server did not speak SMTP',
  ESOCKET: 'the connection failed',
  ETIMEDOUT: 'no answer in time',
  ETLS: 'TLS failed, or the server offers none',
};

/** `5.1.1` and the like (RFC 3463), which follows the three digits of a reply. */
const ENHANCED = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/u;

/** Such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`. */
const SYSTEM_CODE = /^[A-Z][A-Z\d_]{2,60}$/u;

interface Failure extends Partial<NodemailerError> {
  /** The system's or TLS's code, if `code` is one of the library's. */
  readonly originalCode?: string;
}

/** These mean that no message can reach the server, whatever it contains. */
const AWAY: ReadonlySet<string> = new Set(['EAUTH', 'ENOAUTH', 'EDNS', 'ESOCKET', 'ETIMEDOUT', 'ETLS']);

/** The commands whose refusal is about this one message. */
const OF_THE_MESSAGE = /^(?:MAIL|RCPT|DATA)\b/u;
/** The server requires TLS or another login (RFC 4954). That affects all messages, and the operator can change it. */
const OF_THE_LOGIN: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/** Whether the server refused the message because it ends the connection (RFC 5321, section 3.8). */
export function isEndOfConnection(error: unknown): boolean {
  const { responseCode, command = '' } = (error ?? {}) as Failure;
  return responseCode === 421 && OF_THE_MESSAGE.test(command);
}

/** Whether another attempt may succeed, and why this one failed. */
export function outcomeOf(error: unknown): Outcome {
  const { code = '', originalCode, response, responseCode = 0, command = '' } = (error ?? {}) as Failure;
  const enhanced = typeof response === 'string' ? ENHANCED.exec(response)?.[1] : undefined;
  const status = [
    ...(responseCode > 0 ? [`SMTP ${responseCode}`] : []),
    ...(enhanced === undefined ? [] : [enhanced]),
    ...(originalCode !== undefined && SYSTEM_CODE.test(originalCode) ? [originalCode] : []),
  ];
  const cause = CAUSES[code] ?? 'the mail could not be sent';
  const reason = status.length === 0 ? cause : `${cause} (${status.join(' ')})`;
  const isRefused = responseCode >= 500 && OF_THE_MESSAGE.test(command) && !OF_THE_LOGIN.has(responseCode);
  // The library refused it before it was sent to the server.
  const isUnsendable = responseCode === 0 && (code === 'EENVELOPE' || code === 'EMESSAGE');
  if (isRefused || isUnsendable) return { kind: 'rejected', reason };
  return { kind: 'retry', reason, ...(AWAY.has(code) ? { isAway: true } : {}) };
}
