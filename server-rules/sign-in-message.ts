import { parsedUrl } from '#domain/rules/redirects.ts';

/** The fields of a message that a wallet signs to sign in to a site (EIP-4361, and Solana's variant of it). Times are RFC 3339. */
export interface SignInMessage {
  readonly scheme?: string | undefined;
  readonly domain: string;
  readonly address: string;
  readonly statement?: string | undefined;
  readonly uri: string;
  readonly version: string;
  readonly chainId: string;
  readonly nonce: string;
  readonly issuedAt: string;
  readonly expirationTime?: string | undefined;
  readonly notBefore?: string | undefined;
  readonly requestId?: string | undefined;
  readonly resources?: readonly string[] | undefined;
}

/** The chain-specific parts of the messages. */
export interface MessageForm {
  /** The text after the domain in the first line. */
  readonly header: string;
  readonly isAddress: (text: string) => boolean;
  readonly isChainId: (text: string) => boolean;
}

const MAX_LENGTH = 16 * 1024;

// RFC 3986, appendix A.
const UNRESERVED = `A-Za-z0-9\\-._~`;
const SUB_DELIMS = `!$&'()*+,;=`;
const ENCODED = '%[0-9A-Fa-f]{2}';
const PCHAR = `(?:[${UNRESERVED}${SUB_DELIMS}:@]|${ENCODED})`;
const USERINFO = `(?:[${UNRESERVED}${SUB_DELIMS}:]|${ENCODED})*`;
const NAME = `(?:[${UNRESERVED}${SUB_DELIMS}]|${ENCODED})`;
const IP_LITERAL = `\\[(?:[0-9A-Fa-f:.]+|v[0-9A-Fa-f]+\\.[${UNRESERVED}${SUB_DELIMS}:]+)\\]`;
const SCHEME = '[A-Za-z][A-Za-z0-9+.-]*';
const authority = (host: string): string => `(?:${USERINFO}@)?(?:${IP_LITERAL}|${host})(?::[0-9]*)?`;
const PATH = `(?:/${PCHAR}*)*`;
const TAIL = `(?:\\?(?:${PCHAR}|[/?])*)?(?:#(?:${PCHAR}|[/?])*)?`;

const URI = new RegExp(`^${SCHEME}:(?://${authority(`${NAME}*`)}${PATH}|/?(?:${PCHAR}+${PATH})?)${TAIL}$`, 'u');
const DOMAIN = new RegExp(`^(?:(?<scheme>${SCHEME})://)?(?<domain>${authority(`${NAME}+`)})$`, 'u');
const STATEMENT = new RegExp(`^[${UNRESERVED}${SUB_DELIMS}:/?#[\\]@ ]+$`, 'u');
const REQUEST_ID = new RegExp(`^${PCHAR}*$`, 'u');
const NONCE = /^[A-Za-z0-9]{8,}$/u;
const DATE =
  /^(\d{4})-(\d{2})-(\d{2})[Tt]([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u;

/**
 * Milliseconds since 1970, or null for a text that is not an RFC 3339 time. Impossible calendar dates are rejected, which `Date` does
 * not do.
 */
export function timeOf(text: string): number | null {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  const days = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
  return day >= 1 && day <= days ? Date.parse(text) : null;
}

/** Reads lines one by one. */
class LineReader {
  private at = 0;
  constructor(private readonly lines: readonly string[]) {}

  next(): string | undefined {
    this.at += 1;
    return this.lines[this.at - 1];
  }

  /** The rest of the line with that label. If the label differs, it returns undefined and does not consume the line. */
  labelled(label: string): string | undefined {
    const line = this.lines[this.at];
    if (line?.startsWith(label) !== true) return undefined;
    this.at += 1;
    return line.slice(label.length);
  }

  rest(): readonly string[] {
    return this.lines.slice(this.at);
  }
}

/** The message in a text, or null for a text that does not match the grammar of EIP-4361 for that chain. */
export function parseMessage({ header, isAddress, isChainId }: MessageForm, text: string): SignInMessage | null {
  if (text.length > MAX_LENGTH) return null;
  const lines = new LineReader(text.split('\n'));
  const first = lines.next() ?? '';
  const subject = first.endsWith(header) ? DOMAIN.exec(first.slice(0, -header.length))?.groups : undefined;
  const address = lines.next();
  if (lines.next() !== '') return null;
  const statement = lines.next();
  if (statement !== '' && lines.next() !== '') return null;
  const fields = {
    uri: lines.labelled('URI: '),
    version: lines.labelled('Version: '),
    chainId: lines.labelled('Chain ID: '),
    nonce: lines.labelled('Nonce: '),
    issuedAt: lines.labelled('Issued At: '),
  };
  const { uri, version, chainId, nonce, issuedAt } = fields;
  const expirationTime = lines.labelled('Expiration Time: ');
  const notBefore = lines.labelled('Not Before: ');
  const requestId = lines.labelled('Request ID: ');
  const listed = lines.labelled('Resources:');
  const items = lines.rest();
  const domain = subject?.['domain'];
  if (domain === undefined || address === undefined || statement === undefined) return null;
  if (uri === undefined || chainId === undefined || nonce === undefined || issuedAt === undefined) return null;
  if (!isAddress(address)) return null;
  if (statement !== '' && !STATEMENT.test(statement)) return null;
  if (!URI.test(uri) || version !== '1' || !isChainId(chainId) || !NONCE.test(nonce)) return null;
  const times = [issuedAt, expirationTime, notBefore].filter((time) => time !== undefined);
  if (times.some((time) => timeOf(time) === null)) return null;
  if (requestId !== undefined && !REQUEST_ID.test(requestId)) return null;
  if (listed === undefined ? items.length > 0 : listed !== '') return null;
  if (items.some((item) => !item.startsWith('- ') || !URI.test(item.slice(2)))) return null;
  return {
    scheme: subject?.['scheme'],
    domain,
    address,
    statement: statement === '' ? undefined : statement,
    uri,
    version,
    chainId,
    nonce,
    issuedAt,
    expirationTime,
    notBefore,
    requestId,
    resources: listed === undefined ? undefined : items.map((item) => item.slice(2)),
  };
}

/** The text of a message, or null for invalid fields, so that a line break in a field cannot add another field. */
export function formatMessage(form: MessageForm, message: SignInMessage): string | null {
  const { scheme, statement, expirationTime, notBefore, requestId, resources } = message;
  const optional = (label: string, value: string | undefined): readonly string[] =>
    value === undefined ? [] : [`${label}: ${value}`];
  const text = [
    `${scheme === undefined ? '' : `${scheme}://`}${message.domain}${form.header}`,
    message.address,
    '',
    ...(statement === undefined ? [] : [statement]),
    '',
    `URI: ${message.uri}`,
    `Version: ${message.version}`,
    `Chain ID: ${message.chainId}`,
    `Nonce: ${message.nonce}`,
    `Issued At: ${message.issuedAt}`,
    ...optional('Expiration Time', expirationTime),
    ...optional('Not Before', notBefore),
    ...optional('Request ID', requestId),
    ...(resources === undefined ? [] : ['Resources:', ...resources.map((resource) => `- ${resource}`)]),
  ].join('\n');
  const parsed = parseMessage(form, text);
  if (parsed === null) return null;
  const same = (Object.keys(parsed) as (keyof SignInMessage)[]).every(
    (field) => JSON.stringify(parsed[field]) === JSON.stringify(message[field]),
  );
  return same ? text : null;
}

/** The tolerance for a clock that is ahead of this server's. */
export const CLOCK_SKEW_MS = 60_000;

/** Whether the message is issued, valid, and not expired. */
export function isTimely(
  message: Pick<SignInMessage, 'issuedAt' | 'notBefore' | 'expirationTime'>,
  now: number,
): boolean {
  const at = (time: string | undefined): number | null => (time === undefined ? null : timeOf(time));
  return (
    (at(message.issuedAt) ?? Infinity) <= now + CLOCK_SKEW_MS &&
    (at(message.notBefore) ?? -Infinity) <= now &&
    (at(message.expirationTime) ?? Infinity) > now
  );
}

/** The origin of a URI, or null if it has none. */
export const originOf = (uri: string): string | null => parsedUrl(uri)?.origin ?? null;
