import { WIRE_CLAIMS } from '#domain/sessions/session-claim.ts';
import { isRecord } from '#domain/shape.ts';

/** Claims that this server writes, and claims by which it distinguishes its tokens. A template must not set them. */
const RESERVED_CLAIMS: ReadonlySet<string> = new Set([
  ...WIRE_CLAIMS,
  'scope',
  'client_id',
  'sid',
  'auth_time',
  'nonce',
  'azp',
  'at_hash',
  'acr',
  'amr',
  'active',
  'token_type',
]);

const MAX_LENGTH = 4096;
/** A value by its path, such as `{{ user.trusted_metadata.plan }}` or `{{ user.emails[0].email }}`, with or without quotes. */
const PLACEHOLDER = /"?\{\{\s*(\w+(?:\.[\w-]+|\[\d{1,3}\])*)\s*\}\}"?/gu;
/** Marks a path in the parsed template. JSON cannot contain an unescaped NUL, and templates may not contain the escape. */
const MARK = '\0';

type Claims = Readonly<Record<string, unknown>>;

/** The mistake in a template of additional claims, or null. A template may use only the values of `root`. */
export function templateError(template: string, root: 'user' | 'client'): string | null {
  if (template.length > MAX_LENGTH) return `at most ${MAX_LENGTH} characters`;
  const parsed = parse(template);
  if (parsed === null) return 'a JSON object whose values may be {{ paths }}';
  const reserved = Object.keys(parsed).find((claim) => RESERVED_CLAIMS.has(claim));
  if (reserved !== undefined) return `without the claim ${reserved}, which the server writes`;
  if (pathsIn(template).some(([first]) => first !== root)) return `made from {{ ${root}.… }} alone`;
  // A misspelled path in quotes would become a text.
  return JSON.stringify(parsed).includes('{{') ? `made from paths such as {{ ${root}.trusted_metadata.plan }}` : null;
}

/** The paths of a template, each as its keys. */
export function pathsIn(template: string): readonly (readonly string[])[] {
  return [...template.matchAll(PLACEHOLDER)].map(([, path = '']) => keysOf(path));
}

/** The claims of a template. A value is inserted unchanged, and can become neither a claim's name nor another value. */
export function claimsFrom(template: string, values: Readonly<Partial<Record<'user' | 'client', object>>>): Claims {
  const parsed = parse(template) ?? {};
  const claims = filled(parsed, values) as Claims;
  return Object.fromEntries(Object.entries(claims).filter(([claim]) => !RESERVED_CLAIMS.has(claim)));
}

function parse(template: string): Claims | null {
  if (template.includes('\\u0000')) return null;
  const marked = template.replace(PLACEHOLDER, (_, path: string) => JSON.stringify(MARK + path));
  try {
    const value: unknown = JSON.parse(marked === '' ? '{}' : marked, (key, inner: unknown) => {
      if (key.startsWith(MARK)) throw new SyntaxError('a path cannot be a name');
      return inner;
    });
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function filled(value: unknown, values: object): unknown {
  if (typeof value === 'string') return value.startsWith(MARK) ? valueAt(values, keysOf(value.slice(1))) : value;
  if (Array.isArray(value)) return value.map((item) => filled(item, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, filled(inner, values)]));
}

function keysOf(path: string): readonly string[] {
  return path.split(/\.|\[|\]\.?/u).filter((key) => key !== '');
}

/** Null for an absent value. */
function valueAt(values: object, keys: readonly string[]): unknown {
  let at: unknown = values;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return null;
    at = (at as Readonly<Record<string, unknown>>)[key];
  }
  return at ?? null;
}
