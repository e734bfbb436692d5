import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const LEAVING_MS = 1_000;
const logged = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(console, 'error').mockImplementation(logged);
});
afterEach(() => {
  vi.useRealTimers();
  logged.mockReset();
  Reflect.deleteProperty(document, 'currentScript');
  document.head.replaceChildren();
  document.body.replaceChildren();
});

/** The loader as a page has it that runs this element; the files do not exist. */
async function loader(current: Element | null): Promise<(file: string) => Promise<unknown>> {
  vi.resetModules();
  Object.defineProperty(document, 'currentScript', { value: current, configurable: true });
  return (await import('#composition/script-parts.ts')).default;
}

/** An element that loads nothing here. */
function element(name: string, attributes: Readonly<Record<string, string>>): Element {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}

/** The address that the console names for a file. */
async function addressOf(current: Element | null, file = 'part.js'): Promise<string> {
  const load = await loader(current);
  await expect(load(file)).rejects.toMatchObject({ isTold: true });
  vi.advanceTimersByTime(LEAVING_MS);
  const [line] = logged.mock.lastCall as [string];
  return /^\[Portico\] A part did not load: (\S+)\. /u.exec(line)?.[1] ?? line;
}

const SRC = 'https://cdn.example/vendor/portico.js';

describe('A part of the built script', () => {
  it('is beside the script', async () => {
    expect(await addressOf(element('script', { src: SRC }))).toBe('https://cdn.example/vendor/part.js');
  });

  it('is beside the code that runs where no script tag does', async () => {
    expect(await addressOf(null)).toBe('./part.js');
    expect(await addressOf(element('script', {}))).toBe('./part.js');
    expect(await addressOf(element('img', { src: SRC, 'data-portico-base': '/image/' }))).toBe('./part.js');
  });

  it.each(['https://cdn.example/parts', 'https://cdn.example/parts/'])(
    'is in the folder that its tag names, with a slash or without: %s',
    async (folder) => {
      const script = element('script', { src: SRC, 'data-portico-base': folder });
      expect(await addressOf(script)).toBe('https://cdn.example/parts/part.js');
    },
  );

  it('is in a folder of the page', async () => {
    document.head.append(element('base', { href: 'https://app.example/deep/page' }));
    vi.spyOn(document, 'baseURI', 'get').mockReturnValue('https://app.example/deep/page');
    expect(await addressOf(element('script', { 'data-portico-base': '../parts' }))).toBe(
      'https://app.example/parts/part.js',
    );
  });

  it('is in the folder of another script tag if its own names none, and of no other element', async () => {
    document.body.append(element('b', { 'data-portico-base': 'https://evil.example' }));
    const script = element('script', { src: SRC });
    expect(await addressOf(script)).toBe('https://cdn.example/vendor/part.js');
    document.body.append(element('script', { type: 'text/plain', 'data-portico-base': 'https://cdn.example/other' }));
    expect(await addressOf(script)).toBe('https://cdn.example/other/part.js');
    script.setAttribute('data-portico-base', 'https://cdn.example/own');
    expect(await addressOf(script)).toBe('https://cdn.example/own/part.js');
  });

  it('has an address, although that of the folder is no address', async () => {
    expect(await addressOf(element('script', { src: SRC, 'data-portico-base': 'https://' }))).toBe('./part.js');
  });

  it('that does not load is named once, and not while the page is being left', async () => {
    const load = await loader(null);
    await expect(load('a.js')).rejects.toThrow();
    vi.advanceTimersByTime(LEAVING_MS - 1);
    expect(logged).not.toHaveBeenCalled();
    await expect(load('a.js')).rejects.toThrow();
    await expect(load('b.js')).rejects.toThrow();
    vi.advanceTimersByTime(LEAVING_MS);
    const lines = logged.mock.calls.map(([line]) => String(line));
    expect(lines.map((line) => /\.\/\w\.js/u.exec(line)?.[0])).toEqual(['./a.js', './b.js']);
    for (const line of lines) expect(line).toContain('set data-portico-base of its script tag');
  });
});
