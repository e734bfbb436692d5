function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The host that an error text may link to (specification, section 5): the vendor of the wire's documentation. */
const LINKABLE_HOSTS: ReadonlySet<string> = new Set(['stytch.com', 'www.stytch.com', 'docs.stytch.com']);

/** A piece of an error text: plain, or a link that may be followed. */
export interface TextPiece {
  readonly text: string;
  readonly href: string | null;
}

/** An address in a text: it ends at a blank, a quote, a bracket, or at what could make it read in another order. */
const ADDRESS = /(https:\/\/[^\s<>"'()[\]{}\p{Cf}]+)/u;
const MARKS = '.,;:!?';

/** The address in its normal form when it is of a known host, written as it is read: no user, port or look-alike. */
function linkOf(address: string): string | null {
  const url = parse(address);
  if (url === null || !LINKABLE_HOSTS.has(url.host) || url.username !== '' || url.password !== '') return null;
  return /^https:\/\/([\w.-]+)(?:[/?#]|$)/u.exec(address)?.[1] === url.host ? url.href : null;
}

/** The text cut at its links. Linear in its length; only https addresses of known hosts become links. */
export function linkify(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = [];
  for (const part of text.split(ADDRESS)) {
    let end = part.length;
    if (part.startsWith('https://')) while (MARKS.includes(part.charAt(end - 1))) end -= 1;
    const body = part.slice(0, end);
    if (body !== '') pieces.push({ text: body, href: linkOf(body) });
    if (end < part.length) pieces.push({ text: part.slice(end), href: null });
  }
  return pieces;
}
