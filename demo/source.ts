import { highlight } from './code/highlight.ts';
import { el, part } from './parts/dom.ts';

interface FolderListing {
  readonly folders: readonly string[];
  readonly files: readonly string[];
}

const at = (new URLSearchParams(location.search).get('at') ?? '').replace(/^\/+|\/+$/gu, '');

const linkTo = (path: string): string =>
  `/source${path === '' ? '' : `?${new URLSearchParams({ at: path }).toString()}`}`;

/** The path in the repository, with each parent folder as a link. */
function showPath(): void {
  const steps = at.split('/').filter((step) => step !== '');
  const links = ['', ...steps].map((_, count) => {
    const path = steps.slice(0, count).join('/');
    const set = { href: linkTo(path), ...(count === steps.length ? { 'aria-current': 'page' } : {}) };
    return el('li', {}, el('a', { set }, count === 0 ? 'portico' : (steps[count - 1] ?? '')));
  });
  part('path').replaceChildren(el('ol', {}, ...links));
  if (steps.length > 0) document.title = `${steps.at(-1)} · Source · Portico`;
}

function listOf({ folders, files }: FolderListing): HTMLElement {
  const base = at === '' ? '' : `${at}/`;
  const entry = (kind: string) => (name: string) =>
    el('li', { class: kind }, el('a', { set: { href: linkTo(base + name) } }, kind === 'folder' ? `${name}/` : name));
  return el('ul', { class: 'entries' }, ...folders.map(entry('folder')), ...files.map(entry('file')));
}

const LANGUAGES: readonly (readonly [name: RegExp, language: 'ts' | 'html'])[] = [
  [/\.(?:tsx?|mts|mjs|json)$/u, 'ts'],
  [/\.(?:html|vue|svelte|svg)$/u, 'html'],
];

function fileOf(text: string): HTMLElement {
  const language = LANGUAGES.find(([name]) => name.test(at))?.[1];
  const pieces = language ? highlight(text, language) : [{ text, kind: null }];
  const code = el(
    'code',
    {},
    ...pieces.map(({ text: piece, kind }) => (kind ? el('i', { class: kind }, piece) : piece)),
  );
  const set = { tabindex: '0', role: 'group', 'aria-label': at };
  return el('div', { class: 'code' }, el('div', { class: 'code-box' }, el('pre', { set }, code)));
}

async function show(): Promise<void> {
  showPath();
  const reply = await fetch(`/files/${at.split('/').map(encodeURIComponent).join('/')}`);
  if (!reply.ok)
    throw new Error(reply.status === 404 ? `There is no ${at} to show.` : `The demo answered ${reply.status}.`);
  const isList = reply.headers.get('Content-Type')?.startsWith('application/json') === true;
  part('listing').replaceChildren(isList ? listOf((await reply.json()) as FolderListing) : fileOf(await reply.text()));
}

show().catch((error: unknown) => {
  const text = error instanceof Error ? error.message : String(error);
  part('listing').replaceChildren(el('p', { class: 'trouble', set: { role: 'alert' } }, text));
});
