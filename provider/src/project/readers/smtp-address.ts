import { isLoopbackHost } from '#domain/safe-url.ts';

/** The mail server in a URL. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, instead of STARTTLS. */
  readonly secure: boolean;
  readonly auth: { readonly user: string; readonly pass: string } | null;
  readonly isLoopback: boolean;
}

const decoded = (text: string): string | null => {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
};

/** Reads `smtp://user:password@host:587` or `smtps://…`; null for anything else. */
export function smtpServerFrom(text: string): SmtpServer | null {
  const parts = /^(smtps?):\/\/(?:([^@/?#\s]*)@)?(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?\/?$/iu.exec(text);
  const [, scheme = '', login, host = '', portText] = parts ?? [];
  if (parts === null || Number(portText ?? 1) < 1 || Number(portText ?? 1) > 65_535) return null;
  const secure = scheme.toLowerCase() === 'smtps';
  const auth = login === undefined ? null : credentials(login);
  if (auth === undefined) return null;
  return {
    host: host.replace(/^\[|\]$/gu, ''),
    port: portText === undefined ? (secure ? 465 : 587) : Number(portText),
    secure,
    auth,
    isLoopback: isLoopbackHost(host.toLowerCase()),
  };
}

/** Undefined if the user or the password is missing. */
function credentials(login: string): SmtpServer['auth'] | undefined {
  const colon = login.indexOf(':');
  const user = decoded(login.slice(0, Math.max(colon, 0)));
  const pass = decoded(login.slice(colon + 1));
  return user === null || user === '' || pass === null || pass === '' || colon < 0 ? undefined : { user, pass };
}

/** The sender of an email. */
export interface Sender {
  /** Null for the project's name. */
  readonly name: string | null;
  readonly address: string;
}

/** Matches one address, but not a list of addresses or a name before it. */
const ADDRESS = /^[^\s<>"(),:;@[\\\]]+@[^\s<>"(),:;@[\\\]]+$/u;

/** Reads `address` or `Name <address>`; null for anything else. */
export function senderFrom(text: string): Sender | null {
  const match = /^(?:"([^"\\]*)"\s*|([^"<>]*))<([^<>]+)>$/u.exec(text.trim());
  const address = match?.[3] ?? text.trim();
  const name = (match?.[1] ?? match?.[2] ?? '').trim();
  if (/\p{Cc}/u.test(text) || text.length > 320 || !ADDRESS.test(address)) return null;
  return { name: name === '' ? null : name, address };
}

export const isOneAddress = (text: string): boolean => ADDRESS.test(text);
