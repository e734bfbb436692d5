import { rgbOf } from '#domain/widget/theme.ts';

export type Rgb = readonly [number, number, number];
type Scheme = 'light' | 'dark';

/** The custom properties that a text declares outside of media queries, in order. */
export function declarationsOf(css: string): readonly (readonly [name: string, value: string])[] {
  const text = css.replaceAll(/\/\*[\s\S]*?\*\//gu, '').replaceAll(/@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/gu, '');
  return [...text.matchAll(/(?<=[\s{;])(--[\w-]+):\s*([^;]+);/gu)].map(([, name, value]) => [
    name!,
    value!.replaceAll(/\s+/gu, ' '),
  ]);
}

/** The inside of the first bracket, cut at its own commas. */
function argumentsOf(call: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const char of call.slice(call.indexOf('(') + 1, call.lastIndexOf(')'))) {
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
  }
  return parts.map((part) => part.trim());
}

const NAMED: Readonly<Record<string, string>> = { black: '#000000', white: '#ffffff', gray: '#808080' };

/** The colour that a value comes to in a scheme, with these custom properties. @throws when it is no opaque colour */
export function colorOf(value: string, scheme: Scheme, tokens: ReadonlyMap<string, string>): Rgb {
  const known = rgbOf(NAMED[value] ?? value);
  if (known !== null) return known;
  if (value.startsWith('light-dark(')) return colorOf(argumentsOf(value)[scheme === 'light' ? 0 : 1]!, scheme, tokens);
  if (value.startsWith('color-mix(')) {
    const [, first, second] = argumentsOf(value);
    const [, color, share] = /^(.*) (\d+)%$/u.exec(first!)!;
    const [above, below] = [colorOf(color!, scheme, tokens), colorOf(second!, scheme, tokens)];
    return above.map(
      (channel, index) => (channel * Number(share) + below[index]! * (100 - Number(share))) / 100,
    ) as never;
  }
  if (!value.startsWith('var(')) throw new Error(`${value} is no opaque colour`);
  const [name, fallback] = argumentsOf(value);
  const set = tokens.get(name!) ?? fallback;
  if (set === undefined) throw new Error(`${name} is not declared`);
  return colorOf(set, scheme, tokens);
}
