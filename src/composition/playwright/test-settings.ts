import { checkCookieOptions, type CookieOptions } from '#application/session/cookie-options.ts';
import { SDKUsageError } from '#domain/errors.ts';
import { wrongFields, type FieldKind } from '#domain/shape.ts';
import { unknownOption } from '#domain/widget/option-names.ts';

/** The provider's address, and the cookie names of the app under test. */
export interface PorticoTestSettings {
  /** Default: `http://localhost:4100`. */
  readonly apiUrl?: string;
  /** Default: the development project's. */
  readonly projectId?: string;
  /** A secret of the project. Default: the secret that every provider with `--dev` accepts. */
  readonly secret?: string;
  /** The app's cookie options for its client. Default: those of the client. */
  readonly cookieOptions?: CookieOptions;
}

const DEV = {
  apiUrl: 'http://localhost:4100',
  projectId: 'project-test-d1e70000-0000-4000-8000-000000000000',
  secret: 'secret-test-d1e70000-0000-4000-8000-000000000000',
} as const;

const SETTINGS = {
  apiUrl: 'string?',
  projectId: 'string?',
  secret: 'string?',
  cookieOptions: 'object?',
} as const satisfies Record<keyof PorticoTestSettings, FieldKind>;

/** The first mistake in the app's cookie options, or null. */
function cookieMistake(options: CookieOptions): string | null {
  try {
    checkCookieOptions(options);
    return null;
  } catch (error) {
    return (error as SDKUsageError).details;
  }
}

/** The settings with their defaults. Throws an SDKUsageError for a name that does not exist, and for a value of another type. */
export function checkedTestSettings(settings: PorticoTestSettings) {
  const wrong =
    unknownOption(settings, Object.keys(SETTINGS)) ??
    wrongFields(SETTINGS, settings)[0]?.message ??
    cookieMistake(settings.cookieOptions ?? {});
  if (wrong !== null) throw new SDKUsageError('use.portico', wrong);
  const entries = Object.entries(settings).filter(([, value]) => value !== undefined && value !== null);
  return { ...DEV, ...(Object.fromEntries(entries) as PorticoTestSettings) };
}
