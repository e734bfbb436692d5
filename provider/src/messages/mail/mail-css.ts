interface MailPalette {
  readonly page: string;
  readonly card: string;
  readonly line: string;
  readonly text: string;
  readonly soft: string;
  readonly code: string;
  readonly button: string;
  readonly onButton: string;
}

/** Written into the elements, because some mail programs drop style sheets. */
export const LIGHT: MailPalette = {
  page: '#f4f6f7',
  card: '#ffffff',
  line: '#d5dee3',
  text: '#19303d',
  soft: '#4f6371',
  code: '#eef2f4',
  button: '#19303d',
  onButton: '#ffffff',
};

const DARK: MailPalette = {
  page: '#0f181d',
  card: '#18252c',
  line: '#314550',
  text: '#e8eef1',
  soft: '#a6b8c2',
  code: '#22323b',
  button: '#d3e2ea',
  onButton: '#10222b',
};

type Paint = readonly [selector: string, property: 'background-color' | 'border-color' | 'color', value: string];

const DARK_PAINTS: readonly Paint[] = [
  ['.page', 'background-color', DARK.page],
  ['.card', 'background-color', DARK.card],
  ['.code', 'background-color', DARK.code],
  ['.button', 'background-color', DARK.button],
  ['.card', 'border-color', DARK.line],
  ['.rule', 'border-color', DARK.line],
  ['.text', 'color', DARK.text],
  ['.soft', 'color', DARK.soft],
  ['.label', 'color', DARK.onButton],
];

const dark = DARK_PAINTS.map(([selector, property, value]) => `${selector}{${property}:${value}!important}`);

/** Outlook's apps ignore the media query, and mark the elements whose colours they changed. */
const outlook = DARK_PAINTS.map(([selector, property, value]) => {
  const mark = property === 'color' ? 'data-ogsc' : 'data-ogsb';
  return `[${mark}] ${selector},[${mark}]${selector}{${property}:${value}!important}`;
});

const DARK_QUERY = '@media (prefers-color-scheme:dark)';

/** The email in one of the modes, regardless of the browser's: for previews. */
export function inDarkMode(html: string, isDark: boolean): string {
  const dark = /@media\s*\(prefers-color-scheme:\s*dark\)/gu;
  const light = /@media\s*\(prefers-color-scheme:\s*light\)/gu;
  const [on, off] = isDark ? [dark, light] : [light, dark];
  const scheme = isDark ? 'dark' : 'light';
  return html
    .replaceAll(on, '@media all')
    .replaceAll(off, '@media not all')
    .replaceAll(/color-scheme:\s*light dark/gu, `color-scheme:${scheme}`)
    .replaceAll('content="light dark"', `content="${scheme}"`);
}

export const MAIL_CSS = [
  ':root{color-scheme:light dark;supported-color-schemes:light dark}',
  'body{margin:0;padding:0;width:100%!important}',
  'a{color:inherit}',
  // Avoids a single word on the last line and, in Japanese, a word on two lines, if the mail program supports this.
  'h1,p{text-wrap:pretty}',
  '.text:lang(ja),p.soft:not([dir]):lang(ja){word-break:auto-phrase!important;overflow-wrap:anywhere}',
  `${DARK_QUERY}{${dark.join('')}}`,
  ...outlook,
  // On a phone there must be room for the longest word of a title, which is German.
  '@media (max-width:480px){.inner{padding:24px 20px!important}h1{font-size:20px!important;line-height:28px!important}}',
].join('\n');
