/** The place of the login in an HTML file. */
export const PLACE = '<!--portico-login-->';
const END = '<!--/portico-login-->';

/** The HTML with the markup at its places, in place of that of an earlier time; null for HTML without a place. */
export function withMarkup(html: string, markup: string): string | null {
  const [before = '', ...rest] = html.split(PLACE);
  if (rest.length === 0) return null;
  const after = rest.map((text) => {
    const end = text.indexOf(END);
    return PLACE + markup + END + (end < 0 ? text : text.slice(end + END.length));
  });
  return before + after.join('');
}
