import { createHmac } from 'node:crypto';
import { parseJson } from '#domain/json.ts';
import { SchemaRefusal } from '#domain/rules/refusal.ts';
import { sameSecret } from '#provider/base/security/secrets.ts';
import type { Services } from '../services.ts';

/** The last user of a page: the next page begins after it, even if users were added or removed meanwhile. */
export interface Place {
  readonly created_at: Date;
  readonly user_id: string;
  /** The number of users that the first page found. */
  readonly total: number;
}

type CursorServices = Pick<Services, 'keys' | 'project'>;

/** A text for the caller that only this project's server can make, and that continues this query alone. */
export function cursorAt(services: CursorServices, query: string, { created_at, user_id, total }: Place): string {
  const place = Buffer.from(JSON.stringify([created_at.getTime(), user_id, total])).toString('base64url');
  return `${place}.${signature(services, query, place)}`;
}

/** Refuses a cursor that this server did not make, or that belongs to another query. */
export function placeOf(services: CursorServices, query: string, cursor: string): Place {
  const [place = '', mac = ''] = cursor.split('.');
  const parsed: unknown = sameSecret(mac, signature(services, query, place))
    ? parseJson(Buffer.from(place, 'base64url').toString())
    : null;
  const [at, user_id, total] = Array.isArray(parsed) ? (parsed as readonly unknown[]) : [];
  if (typeof at === 'number' && typeof user_id === 'string' && typeof total === 'number') {
    return { created_at: new Date(at), user_id, total };
  }
  throw new SchemaRefusal([
    { dataPath: ['cursor'], message: 'cursor must be one that a search with this query returned' },
  ]);
}

function signature({ keys, project }: CursorServices, query: string, place: string): string {
  const about = JSON.stringify([project.project_id, query, place]);
  return createHmac('sha256', keys.codeKey).update(`search cursor\n${about}`).digest('base64url');
}
