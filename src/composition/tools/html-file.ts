/** Marks where the login is in an HTML file. */
export const PLACEHOLDER = '<!--portico-login-->';
const END = '<!--/portico-login-->';

/**
 * The HTML with a login at its placeholders, instead of those of an earlier run; null for HTML without a placeholder.
 *
 * @param render gives the markup. Its argument is an id for each placeholder after the first
 */
export async function withMarkup(
  html: string,
  render: (id: string | undefined) => Promise<string>,
): Promise<string | null> {
  const [before = '', ...rest] = html.split(PLACEHOLDER);
  if (rest.length === 0) return null;
  const after = await Promise.all(
    rest.map(async (text, at) => {
      const end = text.indexOf(END);
      const markup = await render(at === 0 ? undefined : String(at + 1));
      return PLACEHOLDER + markup + END + (end < 0 ? text : text.slice(end + END.length));
    }),
  );
  return before + after.join('');
}
