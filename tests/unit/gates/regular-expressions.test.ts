import { afterEach, describe, expect, it, vi } from 'vitest';
import { GATES } from '#scripts/lib/gates.ts';
import { OF_CONSTANTS } from '#scripts/lib/regular-expressions.ts';
import { isSuperLinear } from '#scripts/lib/super-linear.ts';
import { folderWith } from './folder.ts';

const SLOW: readonly RegExp[] = [
  /(?:a+)+$/u,
  /^(?:a|a)*$/u,
  /^(?:a?b?)*$/u,
  /^\d*\d*$/u,
  /\s+$/u,
  /[^/]*@/gu,
  /\s*\n\s*/gu,
  /<head(?:\s[^>]*)?>/iu,
  /'[^']*:\/\/.*'/su,
  /\/(?:(?:src|lib)\/.*)$/u,
  /\bVersion\/[\d.]+.*\bSafari\//u,
  /[,;](?=[^@]*$)/u,
  /(?<=x[^x]*)y/u,
  /^\s*x/mu,
  /(?:[\p{L}-]+\.)+\p{L}{2,}/u,
  /a{0,2000}b/u,
  /a*b|a/gu,
];

const LINEAR: readonly RegExp[] = [
  /a+/u,
  /^a+$/u,
  /^\s*x/u,
  /\s+$/uy,
  /[?#].*/su,
  /"[^"]*"/gu,
  /<head(?:\s[^<>]*)?>/iu,
  /^(?=.*\bVersion\/)(?=.*\bSafari\/)/u,
  /[\p{L}-]+(?:\.[\p{L}-]+)*/gu,
  /^(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/u,
  /={1,2}$/u,
  /^(?:[^\s@]+@)?[^\s@]+$/u,
  /^.*x/mu,
];

describe('the time of a regular expression', () => {
  it.each(SLOW)('%s can be more than linear', ({ source, flags }) => {
    expect(isSuperLinear(source, flags)).toBe(true);
  });

  it.each(LINEAR)('%s is linear', ({ source, flags }) => {
    expect(isSuperLinear(source, flags)).toBe(false);
  });
});

describe('the gate of regular expressions', () => {
  const check = (text: string, file = 'provider/src/two.ts') =>
    GATES.expressions.check(
      folderWith({ 'src/one.ts': 'export const a = /a/u;', 'provider/src/one.ts': '', [file]: text }),
    );

  it.each(['provider/src/base/two.ts', 'src/domain/two.tsx'])('names a slow one in %s', async (file) => {
    const { ok, output } = await check('\nexport const user = /[^/]*@/gu;', file);
    expect(ok).toBe(false);
    expect(output).toMatch(new RegExp(`^${file}:2 /\\[\\^/\\]\\*@/gu can need more than linear time`, 'u'));
  });

  it.each(['new RegExp(text)', 'RegExp(`${text}$`)'])('names %s, which it cannot read', async (expression) => {
    const { ok, output } = await check(`export const of = (text: string) => ${expression};`);
    expect(ok).toBe(false);
    expect(output).toBe('provider/src/two.ts:1 composes a regular expression: write it as a literal');
  });

  it('accepts linear ones, and fails where it finds none at all', async () => {
    expect(await check('export const word = /\\w+/u;')).toMatchObject({ ok: true });
    const root = folderWith({ 'src/one.ts': '', 'provider/src/one.ts': '' });
    expect(await GATES.expressions.check(root)).toMatchObject({ ok: false });
  });
});

describe('regular expressions of constants', () => {
  afterEach(() => vi.unstubAllGlobals());

  it.each(OF_CONSTANTS)('are linear in %s', async (file) => {
    const composed: RegExp[] = [];
    const record = (expression: RegExp): RegExp => {
      composed.push(expression);
      return expression;
    };
    vi.stubGlobal(
      'RegExp',
      new Proxy(RegExp, {
        construct: (target, given: [string, string]) => record(new target(...given)),
        apply: (target, _, given: [string, string]) => record(new target(...given)),
      }),
    );
    // A copy of the module, because another file may have loaded it.
    await import(/* @vite-ignore */ `../../../${file}?composed`);
    expect(composed.length).toBeGreaterThan(0);
    expect(composed.filter(({ source, flags }) => isSuperLinear(source, flags))).toEqual([]);
  });
});
