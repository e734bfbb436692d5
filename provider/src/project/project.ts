import { isRecord, wrongFields, type Shape } from '../../../src/domain/shape.ts';
import { isLoopbackHost } from '../../../src/domain/safe-url.ts';

/** What an operator decides about the one project that this server answers for. */
export interface Project {
  readonly name: string;
  readonly project_id: string;
  readonly public_token: string;
  /** Registers every origin and redirect URL of this very machine: for development. */
  readonly allow_loopback: boolean;
  /** Compared exactly. */
  readonly origins: readonly string[];
  /** Compared exactly. */
  readonly redirect_urls: readonly string[];
  readonly default_login_redirect_url: string;
  readonly default_signup_redirect_url: string;
  readonly email_domains: readonly string[];
  readonly disable_sdk_watermark: boolean;
  readonly pkce_required_for_email_magic_links: boolean;
}

/** The seeded project. PKCE is off so that a link opens in any browser; a client that sends a challenge is held to it. */
export const DEMO_PROJECT: Project = {
  name: 'Portico Demo',
  project_id: 'project-test-d1e70000-0000-4000-8000-000000000000',
  public_token: 'public-token-test-d1e70000-0000-4000-8000-000000000000',
  allow_loopback: true,
  origins: [],
  redirect_urls: [],
  default_login_redirect_url: 'http://localhost:3000/',
  default_signup_redirect_url: 'http://localhost:3000/',
  email_domains: ['portico.example'],
  disable_sdk_watermark: false,
  pkce_required_for_email_magic_links: false,
};

const FIELDS = {
  name: 'string?',
  project_id: 'string?',
  public_token: 'string?',
  allow_loopback: 'boolean?',
  origins: 'string[]?',
  redirect_urls: 'string[]?',
  default_login_redirect_url: 'string?',
  default_signup_redirect_url: 'string?',
  email_domains: 'string[]?',
  disable_sdk_watermark: 'boolean?',
  pkce_required_for_email_magic_links: 'boolean?',
} as const satisfies Shape;

/** The demo project with the fields of a project file over it. Throws an Error that names the first wrong field. */
export function projectFrom(json: unknown): Project {
  if (!isRecord(json)) throw new Error('the project file must hold a JSON object');
  const unknown = Object.keys(json).find((field) => !Object.hasOwn(FIELDS, field));
  if (unknown !== undefined) throw new Error(`the project file has an unknown field: ${unknown}`);
  const [wrong] = wrongFields(FIELDS, json);
  if (wrong !== undefined) throw new Error(`in the project file, ${wrong.message}`);
  const given = Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
  const project: Project = { ...DEMO_PROJECT, ...given };
  if (!/^public-token-[!-9;-~]+$/u.test(project.public_token)) {
    throw new Error('in the project file, public_token must start with public-token- and hold no spaces or colons');
  }
  for (const origin of project.origins) {
    if (!isOrigin(origin)) {
      throw new Error(
        `in the project file, origins holds ${origin}, which is not an origin such as https://example.com`,
      );
    }
  }
  for (const field of ['default_login_redirect_url', 'default_signup_redirect_url'] as const) {
    if (redirectUrl(project, project[field]) === null) {
      throw new Error(`in the project file, ${field} must be one of redirect_urls`);
    }
  }
  return project;
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function isOrigin(text: string): boolean {
  const url = parse(text);
  return url !== null && url.origin === text && /^https?:$/u.test(url.protocol);
}

/** True for the `Origin` of a page on this very machine. */
export function isLoopbackOrigin(origin: string): boolean {
  const url = parse(origin);
  return url !== null && isOrigin(origin) && isLoopbackHost(url.hostname);
}

export function allowsOrigin(project: Project, origin: string): boolean {
  return project.origins.includes(origin) || (project.allow_loopback && isLoopbackOrigin(origin));
}

/** The URL in its normal form when it is registered, else null (RFC 9700, section 2.1: exact comparison). */
export function redirectUrl(project: Project, text: string): URL | null {
  const url = parse(text);
  if (url === null || !/^https?:$/u.test(url.protocol) || url.username !== '' || url.password !== '') return null;
  if (project.redirect_urls.includes(text)) return url;
  return project.allow_loopback && url.hash === '' && isLoopbackHost(url.hostname) ? url : null;
}
