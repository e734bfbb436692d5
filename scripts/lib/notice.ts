/** A short notice in the demo's frame, for pages that are not available. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './root.mjs';

/** Without the built demo, as under the dev server, the notice has no frame. */
const BARE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Portico</title>
  </head>
  <body><main><h1></h1><p id="notice"></p></main></body>
</html>
`;

function framed(): string {
  try {
    return readFileSync(join(ROOT, '.demo/notice.html'), 'utf8');
  } catch {
    return BARE;
  }
}

/**
 * The page. Title and text are HTML.
 *
 * @param again whether the browser reloads after two seconds
 */
export function notice(title: string, text: string, { again = false } = {}): string {
  return framed()
    .replace(/(<title>)[^<]*/u, `$1${title} · Portico`)
    .replace(/(<h1>)[^<]*/u, `$1${title}`)
    .replace(/(<p id="notice">)[^<]*/u, `$1${text}`)
    .replace('</head>', again ? '  <meta http-equiv="refresh" content="2" />\n  </head>' : '</head>');
}

export const noSuchPage = (): string =>
  notice(
    'Page not found',
    'Try the <a href="/docs/">docs</a>, the <a href="/playground">playground</a> or the <a href="/gallery/">gallery</a>.',
  );
