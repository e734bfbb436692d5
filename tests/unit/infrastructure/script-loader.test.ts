import { describe, expect, it, vi } from 'vitest';
import { VirtualClock } from '#kit/ports/virtual-clock.ts';
import { ScriptLoader, type ScriptOrigins } from '#infrastructure/risk/script-loader.ts';
import { ScriptElement, ScriptPage } from './support/script-page.ts';

const ORIGINS: ScriptOrigins = { 'https://cdn.example.com': 'cors', 'https://www.example.com': 'no-cors' };
const SCRIPT = 'https://cdn.example.com/a.js';

function world(origins: ScriptOrigins = ORIGINS) {
  const [page, clock] = [new ScriptPage(), new VirtualClock()];
  const find = (): unknown => page.globals['api'] ?? null;
  page.served.set(SCRIPT, (globals) => void (globals['api'] = 'api'));
  return { page, clock, find, loader: new ScriptLoader(page.window, clock, origins) };
}

describe('ScriptLoader', () => {
  it('refuses scripts of other origins, without adding an element to the page', async () => {
    const { page, loader, find } = world();
    const refused = [
      'https://cdn.example.com.evil.example/a.js',
      'https://cdn.example.com:8443/a.js',
      'http://cdn.example.com/a.js',
      'https://user@evil.example/https://cdn.example.com/a.js',
      'https://__proto__/a.js',
      'data:text/javascript,1',
      'javascript:1',
      '/a.js',
      '',
    ];
    for (const url of refused) await expect(loader.load(url, find)).rejects.toThrow();
    expect(page.appended).toEqual([]);
  });

  it('puts one element into the page, however many ask, also those of another copy of the package', async () => {
    const { page, clock, loader, find } = world();
    const other = new ScriptLoader(page.window, clock, ORIGINS);
    const asked = [loader.load(SCRIPT, find), other.load(SCRIPT, find), loader.load(SCRIPT, find)];
    expect(await Promise.all(asked)).toEqual(['api', 'api', 'api']);
    await other.load(SCRIPT, find);
    expect(page.appended.map(({ src, async }) => [src, async])).toEqual([[SCRIPT, true]]);
    expect(clock.pending).toBe(0);
  });

  it('loads without cookies where the origin allows that, and only there', async () => {
    const { page, loader, find } = world();
    page.served.set('https://www.example.com/b.js', () => undefined);
    await loader.load(SCRIPT, find);
    await loader.load('https://www.example.com/b.js', find);
    expect(page.appended.map(({ crossOrigin }) => crossOrigin)).toEqual(['anonymous', null]);
  });

  it('takes a failed element away, and tries anew', async () => {
    const { page, clock, loader, find } = world();
    const good = page.served.get(SCRIPT)!;
    for (const bad of ['blocked', 'hangs', () => undefined] as const) {
      page.served.set(SCRIPT, bad);
      const failed = expect(loader.load(SCRIPT, find)).rejects.toThrow();
      await clock.advance(5_000);
      await failed;
      expect(page.scripts).toEqual([]);
    }
    page.served.set(SCRIPT, good);
    expect(await loader.load(SCRIPT, find)).toBe('api');
    expect(page.appended.length).toBe(4);
  });

  it('waits for an element of the host’s own, and takes its place once that has failed', async () => {
    const { page, clock, loader, find } = world();
    const theirs = Object.assign(new ScriptElement(), { src: SCRIPT });
    page.served.set(SCRIPT, 'hangs');
    page.append(theirs);
    const failed = expect(loader.load(SCRIPT, find)).rejects.toThrow();
    await clock.advance(5_000);
    await failed;
    expect(page.scripts).toEqual([theirs]);
    page.served.set(SCRIPT, (globals) => void (globals['api'] = 'api'));
    expect(await loader.load(SCRIPT, find)).toBe('api');
    expect(page.appended.length).toBe(2);
  });

  it('uses a script that the host has already loaded', async () => {
    const { page, clock, loader, find } = world();
    page.append(Object.assign(new ScriptElement(), { src: SCRIPT }));
    await clock.advance(0);
    expect(await loader.load(SCRIPT, find)).toBe('api');
    expect(page.appended.length).toBe(1);
  });

  it('goes through one Trusted Types policy of the page, which lets only known origins through', async () => {
    const { page, clock, find } = world();
    const rules: { createScriptURL(url: string): string }[] = [];
    const createPolicy = vi.fn((_: string, one: { createScriptURL(url: string): string }) => {
      rules.push(one);
      return { createScriptURL: (url: string) => `trusted ${one.createScriptURL(url)}` };
    });
    page.globals['trustedTypes'] = { createPolicy };
    page.served.set(`trusted ${SCRIPT}`, (globals) => void (globals['api'] = 'api'));
    for (const origins of [ORIGINS, { 'https://other.example': 'cors' } as const]) {
      const loader = new ScriptLoader(page.window, clock, { ...ORIGINS, ...origins });
      await loader.load(SCRIPT, find);
      loader.forget(SCRIPT);
    }
    expect(createPolicy.mock.calls.map(([name]) => name)).toEqual(['portico']);
    expect(page.appended.map(({ src }) => src)).toEqual([`trusted ${SCRIPT}`, `trusted ${SCRIPT}`]);
    expect(rules[0]?.createScriptURL('https://other.example/x.js')).toBe('https://other.example/x.js');
    expect(() => rules[0]?.createScriptURL('https://evil.example/x.js')).toThrow(TypeError);
  });

  it('rejects where the page’s policy forbids ours', async () => {
    const { page, clock, loader, find } = world();
    page.globals['trustedTypes'] = {
      createPolicy: () => {
        throw new TypeError('Policy "portico" disallowed');
      },
    };
    await expect(loader.load(SCRIPT, find)).rejects.toThrow('disallowed');
    expect([page.appended.length, clock.pending]).toEqual([0, 0]);
  });
});
