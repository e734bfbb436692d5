function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

/** The hosts that an error text may link to (specification, section 5): those with the documentation of the API's errors. */
const LINKABLE_HOSTS: ReadonlySet<string> = new Set(['stytch.com', 'www.stytch.com', 'docs.stytch.com']);

/** A piece of an error text: plain text (`href` is null) or a link. */
export interface TextPiece {
  readonly text: string;
  readonly href: string | null;
}

/** An https address in a text. It ends at white space, a quote, a bracket or an invisible format character. */
const ADDRESS = /(https:\/\/[^\s<>"'()[\]{}\p{Cf}]+)/u;
const MARKS = '.,;:!?';

/** The normalized address when its host is a known one, with no user, port or look-alike spelling; else null. */
function linkOf(address: string): string | null {
  const url = parse(address);
  if (url === null || !LINKABLE_HOSTS.has(url.host) || url.username !== '' || url.password !== '') return null;
  return /^https:\/\/([\w.-]+)(?:[/?#]|$)/u.exec(address)?.[1] === url.host ? url.href : null;
}

/** The text, split at its links. Linear in its length; only https URLs of known hosts become links. */
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
