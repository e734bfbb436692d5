import { describe, expect, it } from 'vitest';
import { parseJson, sameJson } from '#domain/json.ts';

/** RFC 8259, section by section: what a parser takes, what it refuses, and what it must survive. */
const TAKEN: readonly (readonly [text: string, value: unknown])[] = [
  ['null', null],
  ['true', true],
  ['-0', -0],
  ['1e3', 1000],
  ['1.5E-2', 0.015],
  ['""', ''],
  [' \t\r\n[ ]\n', []],
  ['{"a":{"b":[1,"2",null]}}', { a: { b: [1, '2', null] } }],
  ['"\\u00e9\\n\\/\\"\\\\\\b\\f\\r\\t"', 'é\n/"\\\b\f\r\t'],
  ['"\\ud83d\\ude00"', '😀'],
  ['"\\ud800"', '\ud800'],
  ['"\u2028\u2029\u007f"', '\u2028\u2029\u007f'],
  ['{"":0,"\\u0000":1}', { '': 0, '\0': 1 }],
  ['{"a":1,"a":2}', { a: 2 }],
];

const REFUSED: readonly string[] = [
  '',
  ' ',
  'nul',
  'True',
  'undefined',
  'NaN',
  'Infinity',
  '-',
  '+1',
  '01',
  '1.',
  '.5',
  '1e',
  '0x1f',
  '1_000',
  '--1',
  "'a'",
  '"',
  '"a',
  '"\t"',
  '"\n"',
  '"\\x41"',
  '"\\u12"',
  '"\\',
  '[',
  '[1',
  '[1,',
  '[1,]',
  '[,1]',
  '[1 2]',
  '[1]]',
  '{',
  '{"a"',
  '{"a":',
  '{"a":1,}',
  '{a:1}',
  '{1:1}',
  '{"a" 1}',
  '{"a":1 "b":2}',
  '{"a":1}}',
  '[]{}',
  '1 2',
  '// c\n1',
  '[1/*c*/]',
  '\ufeff',
  '\u00a0[]',
  '\f[]',
  'data: {}',
  ")]}',\n{}",
  '<html>',
];

describe('JSON', () => {
  it.each(TAKEN)('%j is taken', (text, value) => {
    expect(parseJson(text)).toEqual(value);
  });

  it.each(REFUSED)('%j is refused, and nothing is thrown', (text) => {
    expect(parseJson(text)).toBeUndefined();
  });

  it.each([
    ['arrays in arrays', '['.repeat(200_000)],
    ['objects in objects', '{"a":'.repeat(200_000)],
    ['arrays that are closed', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['a number without end', '1'.repeat(500_000)],
    ['a text without end', `"${'a'.repeat(2_000_000)}`],
  ])('of %s does not throw', (_, text) => {
    expect(() => parseJson(text)).not.toThrow();
  });

  it('makes __proto__ a field like others, and changes no prototype', () => {
    const value = parseJson('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('is the same whatever the order of its keys, but for those that do not count', () => {
    expect(sameJson({ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 })).toBe(true);
    expect(sameJson({ a: 1, at: 1 }, { a: 1, at: 2 }, ['at'])).toBe(true);
    expect(sameJson({ a: undefined }, {})).toBe(true);
    expect(sameJson([1, 2], { 0: 1, 1: 2 })).toBe(false);
    expect(sameJson([1, 2], [2, 1])).toBe(false);
    expect(sameJson(null, {})).toBe(false);
  });
});
