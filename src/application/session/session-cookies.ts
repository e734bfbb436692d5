import { SESSION_CLAIM } from '#domain/sessions/session.ts';
import { unverifiedClaims } from '#domain/sessions/unverified-claims.ts';
import { isRecord } from '#domain/shape.ts';
import type { CookiesPort, StoragePort } from '../ports/index.ts';
import type { ClientKeys } from '../wire/client-keys.ts';
import type { CookiePlace } from './cookie-options.ts';

export type CookieKind = keyof CookiePlace['names'];

/** This client's record of its cookies, in this browser and on this origin. */
export interface CookieRecord {
  /** A mark of the token that it stored last. */
  readonly mark: string;
  /** The project in its JWTs; empty until one is known. */
  readonly project: string;
  /** Where it has stored cookies, in the form of `placeText`. */
  readonly places: readonly string[];
}

/** 32 bits of a value: enough to distinguish a few values, but useless for access. */
export function markOf(value: string): string {
  let mark = 0;
  for (const letter of value) mark = (Math.imul(mark, 31) + (letter.codePointAt(0) ?? 0)) | 0;
  return String(mark);
}

/** Every visible value of the cookies with this name. */
export const valuesOf = (cookies: CookiesPort, name: string): readonly string[] =>
  cookies.all?.(name) ?? [cookies.get(name)].filter((value) => value !== null);

/** The names and the scope on one line. No cookie option contains a semicolon or a blank. */
export const placeText = ({ names, scope }: CookiePlace): string =>
  [names.token, names.jwt, names.intermediate, scope.path, scope.domain ?? ''].join(';');

/**
 * Finds the client's cookies among all with the same names. A page may see several of one name: one that the client has stored in another
 * scope, and those of another project on a parent of this host, because all clients use the same names unless they are configured.
 */
export class SessionCookies {
  /** Values that the server has refused while there were others. */
  readonly refusedValues = new Set<string>();

  constructor(
    private readonly storage: StoragePort,
    private readonly cookies: CookiesPort,
    private readonly keys: ClientKeys,
    private readonly place: CookiePlace,
  ) {}

  /**
   * This client's value. If there are several: the one that it stored, else the first that the server has not refused.
   *
   * @param sessionId the session of the JWT to look for
   */
  get(kind: CookieKind, sessionId = ''): string | null {
    const name = this.place.names[kind];
    const first = this.cookies.get(name);
    const all = first === null ? [] : this.all(kind);
    if (all.length < 2) return first;
    const { mark } = this.record();
    const isOwn = (value: string): boolean =>
      kind === 'jwt' ? sessionId !== '' && sessionIdOf(value) === sessionId : markOf(value) === mark;
    const good = all.filter((value) => value && !this.refusedValues.has(value));
    return good.find(isOwn) ?? good[0] ?? null;
  }

  /** Every visible value of the kind. */
  all(kind: CookieKind): readonly string[] {
    return valuesOf(this.cookies, this.place.names[kind]);
  }

  /** @param expiresAt milliseconds since 1970, or null for the browser session */
  set(kind: CookieKind, value: string | undefined, expiresAt: number | null): void {
    const { names, scope } = this.place;
    if (value) this.cookies.set(names[kind], value, scope, expiresAt);
    else this.cookies.remove(names[kind], scope);
  }

  /** Records where this token is stored. */
  remember(token: string): void {
    const { project, places } = this.record();
    const here = placeText(this.place);
    this.write({ mark: markOf(token), project, places: places.includes(here) ? places : [...places, here] });
  }

  record(): CookieRecord {
    const [mark = '', project = '', ...places] = (this.storage.get(this.key) ?? '').split(' ');
    return { mark, project, places };
  }

  /** Writes only what has changed. */
  write({ mark, project, places }: CookieRecord): void {
    const text = [mark, project, ...places].join(' ');
    if (text !== (this.storage.get(this.key) ?? ' ')) this.storage.set(this.key, text);
  }

  private get key(): string {
    return this.keys.storage('cookies');
  }
}

function sessionIdOf(jwt: string): unknown {
  const claim = unverifiedClaims(jwt)[SESSION_CLAIM];
  return isRecord(claim) ? claim['id'] : undefined;
}
