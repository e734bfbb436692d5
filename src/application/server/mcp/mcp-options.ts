import type { ClockPort, KeysPort, TransportPort } from '../../ports/index.ts';
import { OptionChecks, TIMEOUT_MS, TOLERANCE_SECONDS, withoutSlash, type ShapeOf } from '../checked-options.ts';

const METHOD = 'createMcpGuard';

export interface McpGuardOptions {
  /** The issuer of the access tokens: the provider's URL, such as `https://login.example.com`. */
  readonly issuer: string;
  /** The URL of the MCP server, the only accepted `aud`, such as `https://api.example.com/mcp`. */
  readonly resource: string;
  /** The scopes that every request needs. Default: none. */
  readonly scopes?: readonly string[];
  /** The additional scopes that a tool call needs, by the tool's name. */
  readonly tools?: Readonly<Record<string, readonly string[]>>;
  /** The human-readable name of the server, in the metadata. */
  readonly resourceName?: string;
  /** The page that describes the server, in the metadata. */
  readonly resourceDocumentation?: string;
  /** `true` accepts `issuer` and `jwksUrl` with http on other hosts than this machine, as in `createVerifier`. */
  readonly allowHttp?: boolean;
  /** The URL of the issuer's keys. Default: `/oauth2/jwks.json` of the issuer. */
  readonly jwksUrl?: string;
  /** The allowed clock difference between this server and the provider, in seconds: at most 60. Default: 5. */
  readonly clockToleranceSeconds?: number;
  /** The time limit of each request, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** A `fetch` to use instead of the platform's. */
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
  /** In the spelling of tokens: a root has no slash at its end. */
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
  allowHttp: 'boolean?',
  scopes: 'string[]?',
  tools: 'object?',
  resourceName: 'string?',
  resourceDocumentation: 'string?',
  jwksUrl: 'string?',
  clockToleranceSeconds: 'number?',
  timeoutMs: 'number?',
  adapters: 'object?',
} as const satisfies ShapeOf<McpGuardOptions>;
const ADAPTERS = {
  transport: 'object?',
  clock: 'object?',
  keys: 'object?',
} as const satisfies Record<keyof NonNullable<McpGuardOptions['adapters']>, 'object?'>;
/** RFC 6749, section 3.3. */
const SCOPE = /^[!#-[\]-~]+$/u;

/** Throws an SDKUsageError that names every invalid option. */
export function checkedMcpOptions(input: McpGuardOptions): CheckedMcpOptions {
  const checks = new OptionChecks<McpGuardOptions>(METHOD, SHAPE, ADAPTERS, ['fetch'], '{ issuer, resource }');
  const scopesOf = (field: string, value: unknown): readonly string[] => {
    const isList = Array.isArray(value) && value.every((each) => typeof each === 'string' && SCOPE.test(each));
    if (!isList) checks.refuse(field, `${field} must be a list of scopes (RFC 6749, section 3.3)`);
    return isList ? (value as readonly string[]) : [];
  };
  const options = checks.read(input);
  const { scopes = [], tools = {}, clockToleranceSeconds = 5, timeoutMs = 5_000, jwksUrl } = options;
  const { allowHttp = checks.isWrong('allowHttp') } = options;
  const issuer = withoutSlash(checks.url('issuer', options.issuer, allowHttp));
  const resource = checks.url('resource', options.resource, null);
  const checked: CheckedMcpOptions = {
    issuer,
    resource,
    audience: resource.pathname === '/' ? resource.origin : resource.href,
    scopes: scopesOf('scopes', scopes),
    tools: new Map(Object.entries(tools).map(([name, value]) => [name, scopesOf(`tools.${name}`, value)])),
    jwksUrl: jwksUrl === undefined ? `${issuer}/oauth2/jwks.json` : checks.url('jwksUrl', jwksUrl, allowHttp).href,
    clockToleranceSeconds: checks.within('clockToleranceSeconds', clockToleranceSeconds, TOLERANCE_SECONDS, 'seconds'),
    timeoutMs: checks.within('timeoutMs', timeoutMs, TIMEOUT_MS, 'milliseconds'),
  };
  checks.end();
  return checked;
}
