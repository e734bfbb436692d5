import type { CookieScope } from '../../application/ports/index.ts';

/** A cookie name is a token (RFC 6265, section 4.1.1; RFC 9110, section 5.6.2). */
const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/u;
/** Characters that could end an attribute and begin another. */
// oxlint-disable-next-line no-control-regex
const BREAKS_OUT = /[;=\u0000-\u001f\u007f]/u;

/** Throws a TypeError for an invalid cookie name. */
export function assertCookieName(name: string): void {
  if (!NAME.test(name)) throw new TypeError("A cookie name must be a token of letters, digits and !#$%&'*+-.^_`|~");
}

/** Throws a TypeError for a path or domain that could add attributes to the cookie. */
export function assertCookieScope({ path, domain }: CookieScope): void {
  if (BREAKS_OUT.test(path + (domain ?? ''))) {
    throw new TypeError("A cookie path or domain must not hold ';', '=' or a control character");
  }
}
