import type { MarkdownRenderer } from 'vitepress';

/** Vue takes double braces in text for a template of its own. */
const withoutBraces = (html: string): string => html.replaceAll('{{', '&#123;&#123;');

/** What the pages have beside plain Markdown. */
export function withMarkup(markdown: MarkdownRenderer): void {
  const { rules } = markdown.renderer;
  for (const kind of ['text', 'code_inline'] as const) {
    const render = rules[kind];
    if (render) rules[kind] = (...given) => withoutBraces(render(...given));
  }
  const fence = rules.fence;
  if (!fence) throw new TypeError('The Markdown renderer has no fences.');
  rules.fence = (tokens, at, ...rest) => {
    const html = fence(tokens, at, ...rest);
    const file = /\b(?:from|file)=(?<name>\S+)/u.exec(tokens[at]?.info ?? '')?.groups?.['name'];
    return file === undefined ? html : `<div class="file-name">${markdown.utils.escapeHtml(file)}</div>${html}`;
  };
}
