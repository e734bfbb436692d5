import { parsedUrl } from '#domain/rules/redirects.ts';

/** A URL as written in the file. Also null if it has white space or control characters, which the URL parser drops or encodes. */
export function urlIn(text: string): URL | null {
  return /[\s\p{Cc}]/u.test(text) ? null : parsedUrl(text);
}
