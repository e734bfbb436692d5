/** The style sheets of the provider's own pages. */
import type { Handler } from 'hono';
import shared from './page.css?raw';

/** Serves a page's own rules after those that all these pages share. */
export function styleSheet(own: string): Handler {
  const css = `${shared}\n${own}`;
  return (context) => context.body(css, 200, { 'Content-Type': 'text/css; charset=utf-8' });
}
