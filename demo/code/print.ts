/** A piece of code that is printed verbatim inside a value. */
export class Code {
  constructor(readonly text: string) {}
}

const WIDTH = 80;
const NAME = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** A value as a JavaScript expression, without undefined fields. */
export function print(value: unknown, indent = '', width = WIDTH): string {
  if (value instanceof Code) return value.text;
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const items = Array.isArray(value)
    ? value.map((item) => print(item, inner, width))
    : Object.entries(value)
        .filter(([, field]) => field !== undefined)
        .map(([name, field]) => `${keyOf(name)}: ${print(field, inner, width)}`);
  if (items.length === 0) return `${open}${close}`;
  const pad = open === '{' ? ' ' : '';
  const line = `${open}${pad}${items.join(', ')}${pad}${close}`;
  if (line.length + indent.length < width && !line.includes('\n')) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join('')}${indent}${close}`;
}

/** `__proto__:` in a literal would set the prototype; in brackets it is an ordinary field. */
function keyOf(name: string): string {
  if (name === '__proto__') return "['__proto__']";
  return NAME.test(name) ? name : quoted(name);
}

/** In single quotes, with escapes for everything that could end a line, a comment or a script element. */
function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  const safe = inside.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  return `'${safe.replace(/<(?=[!/s])/giu, '\\x3c')}'`;
}
