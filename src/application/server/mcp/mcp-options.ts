import { SDKUsageError } from '../../../domain/errors.ts';
import { safeUrl } from '../../../domain/safe-url.ts';
import { isRecord, wrongFields } from '../../../domain/shape.ts';
import { unknownOption } from '../../../domain/widget/option-names.ts';
import type { ClockPort, KeysPort, TransportPort } from '../../ports/index.ts';

const METHOD = 'createMcpGuard';

export interface McpGuardOptions {
  /** The issuer of the access tokens: the provider's address, such as `https://login.example.com`. */
  readonly issuer: string;
  /** The address of the MCP server, which is the only `aud` that it accepts, such as `https://api.example.com/mcp`. */
  readonly resource: string;
  /** The scopes that every request needs. Default: none. */
  readonly scopes?: readonly string[];
  /** The scopes that a call of a tool needs in addition, by the tool's name. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  /** The name of the server for people, in the metadata. */
  readonly resourceName?: string;
  /** The page that describes the server, in the metadata. */
  readonly resourceDocumentation?: string;
  /** The URL of the issuer's keys. Default: `/oauth2/jwks.json` of the issuer. */
  readonly jwksUrl?: string;
  /** The allowed clock difference between this server and the provider, in seconds: at most 60. Default: 5. */
  readonly clockToleranceSeconds?: number;
  /** The time limit of each request, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** A `fetch` to use in place of the platform's. */
  readonly fetch?: (url: string, init: object) => Promise<unknown>;
  /** Custom adapters. */
  readonly adapters?: {
    readonly transport?: TransportPort;
    readonly clock?: ClockPort;
    readonly keys?: KeysPort;
  };
}

/** The validated data options, with their defaults. */
export interface CheckedMcpOptions {
  readonly issuer: string;
  readonly resource: URL;
  /** As tokens spell it: a root has no slash at its end. */
  readonly audience: string;
  readonly scopes: readonly string[];
  readonly tools: ReadonlyMap<string, readonly string[]>;
  readonly jwksUrl: string;
  readonly clockToleranceSeconds: number;
  readonly timeoutMs: number;
}

const SHAPE = {
  issuer: 'string',
  resource: 'string',
  scopes: 'string[]?',
  tools: 'object?',
  resourceName: 'string?',
  resourceDocumentation: 'string?',
  jwksUrl: 'string?',
  clockToleranceSeconds: 'number?',
  timeoutMs: 'number?',
  adapters: 'object?',
} as const;
const NAMES: readonly string[] = [...Object.keys(SHAPE), 'fetch'];
const FROM_ENVIRONMENT = ['issuer', 'resource', 'jwksUrl'] as const;
/** RFC 6749, section 3.3. */
const SCOPE = /^[!#-[\]-~]+$/u;

function refuse(details: string): never {
  throw new SDKUsageError(METHOD, details);
}

function urlOf(field: string, text: string): URL {
  const url = new URL(safeUrl(text.trim()) ?? 'https://user@invalid');
  if (`${url.search}${url.hash}${url.username}${url.password}` !== '') {
    refuse(`${field} must be an https address, or an http address of this machine, with neither ? nor #`);
  }
  return url;
}

function scopesOf(field: string, value: unknown): readonly string[] {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' && SCOPE.test(each));
  return isList ? (value as readonly string[]) : refuse(`${field} must be a list of scopes (RFC 6749, section 3.3)`);
}

function within(field: string, value: number, least: number, most: number): number {
  return value >= least && value <= most ? value : refuse(`${field} must be from ${least} to ${most}`);
}

/** Throws an SDKUsageError that names the first invalid option. */
export function checkedMcpOptions(options: McpGuardOptions): CheckedMcpOptions {
  if (!isRecord(options)) return refuse('the options must be an object');
  const unknown = unknownOption(options, NAMES);
  if (unknown !== null) refuse(unknown);
  const unset = FROM_ENVIRONMENT.find((name) => Object.hasOwn(options, name) && options[name] === undefined);
  if (unset !== undefined) refuse(`${unset} is undefined: is its environment variable set?`);
  const [wrong] = wrongFields(SHAPE, options);
  if (wrong !== undefined) refuse(wrong.message);
  if (options.fetch !== undefined && typeof options.fetch !== 'function') refuse('fetch must be a function');
  const { scopes = [], tools = {}, clockToleranceSeconds = 5, timeoutMs = 5_000, jwksUrl } = options;
  const issuer = /^.*[^/]/su.exec(urlOf('issuer', options.issuer).href)?.[0] ?? '';
  const resource = urlOf('resource', options.resource);
  return {
    issuer,
    resource,
    audience: resource.pathname === '/' ? resource.origin : resource.href,
    scopes: scopesOf('scopes', scopes),
    tools: new Map(Object.entries(tools).map(([name, given]) => [name, scopesOf(`tools.${name}`, given)])),
    jwksUrl: jwksUrl === undefined ? `${issuer}/oauth2/jwks.json` : urlOf('jwksUrl', jwksUrl).href,
    clockToleranceSeconds: within('clockToleranceSeconds', clockToleranceSeconds, 0, 60),
    timeoutMs: within('timeoutMs', timeoutMs, 1, 600_000),
  };
}
