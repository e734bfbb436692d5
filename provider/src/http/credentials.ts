import { sameSecret } from '../security/secrets.ts';
import type { Project } from '../project/project.ts';
import { Refusal } from './refusal.ts';

export interface Credentials {
  readonly publicToken: string;
  /** The session token or JWT that came along, or null. */
  readonly session: string | null;
}

const BASIC = /^Basic +([A-Za-z0-9+/_-]+={0,2}) *$/iu;

/**
 * `Basic base64(publicToken:sessionToken)` (RFC 7617); a password equal to the public token, or none, means that there
 * is no session. Null when the header is missing or is not that.
 */
export function credentialsFrom(header: string | undefined): Credentials | null {
  const encoded = BASIC.exec(header ?? '')?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  const publicToken = colon < 0 ? text : text.slice(0, colon);
  const password = colon < 0 ? '' : text.slice(colon + 1);
  return { publicToken, session: password === '' || password === publicToken ? null : password };
}

/** The session secret of a caller that names this project. Neither refusal may end a client's session. */
export function checkCredentials(project: Project, header: string | undefined): string | null {
  const credentials = credentialsFrom(header);
  if (credentials === null) throw new Refusal('missing_public_token');
  if (!sameSecret(credentials.publicToken, project.public_token)) throw new Refusal('invalid_public_token');
  return credentials.session;
}
