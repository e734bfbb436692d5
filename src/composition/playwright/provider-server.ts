import type { PlaywrightTestConfig } from '@playwright/test';

/** One entry of Playwright's `webServer`. */
type WebServer = Extract<NonNullable<PlaywrightTestConfig['webServer']>, { readonly command: string }>;

/** Options of `providerServer`. */
export interface ProviderServerOptions {
  /** The port on this machine. Default: 4100. */
  readonly port?: number;
  /** The path of a project file. Default: the development project, which every origin on this machine may use. */
  readonly project?: string;
  /** The page with the consent widget, for connected apps. */
  readonly authorizationUrl?: string;
  /** The provider's command. Default: `npx portico-provider`. */
  readonly command?: string;
}

/**
 * Describes a provider in memory for `webServer` in `playwright.config.ts` (https://playwright.dev/docs/test-webserver). Playwright
 * starts it before the tests and stops it after them, or uses a provider that already listens on the port.
 *
 * @throws {RangeError} for an invalid port
 */
export function providerServer(options: ProviderServerOptions = {}): WebServer {
  const { port = 4100, project, authorizationUrl, command = 'npx portico-provider' } = options;
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new RangeError('port must be from 1 to 65535');
  const flags = Object.entries({ project, 'authorization-url': authorizationUrl }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${quoted(value)}`],
  );
  return {
    command: [command, '--dev', `--port ${port}`, '--data memory', ...flags].join(' '),
    url: `http://localhost:${port}/.well-known/jwks.json`,
    reuseExistingServer: true,
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  };
}

/**
 * Playwright runs the command in a shell. Every shell supports double quotes, so the text must not contain characters that are
 * special inside them.
 */
function quoted(text: string): string {
  if (/["$`\\!%\n\r]/u.test(text))
    throw new RangeError(`${JSON.stringify(text)} has a character that a shell would read`);
  return `"${text}"`;
}
