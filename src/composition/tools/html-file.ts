/** Marks where the login is in an HTML file. */
export const PLACEHOLDER = '<!--portico-login-->';
const END = '<!--/portico-login-->';

/** The HTML with the markup at its placeholders, instead of that of an earlier run; null for HTML without a placeholder. */
export function withMarkup(html: string, markup: string): string | null {
  const [before = '', ...rest] = html.split(PLACEHOLDER);
  if (rest.length === 0) return null;
  const after = rest.map((text) => {
    const end = text.indexOf(END);
    return PLACEHOLDER + markup + END + (end < 0 ? text : text.slice(end + END.length));
  });
  return before + after.join('');
}
