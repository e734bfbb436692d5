import { isAuthError } from '#domain/errors.ts';
import { kindOfId, mistakenId } from '#domain/project/id-kinds.ts';
import type { ClientSettings } from '../core.ts';

type Page = Pick<ClientSettings, 'origin' | 'publicToken'>;

/** The second comes from a provider with several projects. */
const UNKNOWN: ReadonlySet<string> = new Set(['invalid_public_token', 'project_not_found']);

/** How many letters of a token a message shows: enough to distinguish it from others. */
const SHOWN = 30;

/** Does not quote the secret. */
const SECRET =
  'The public token is a secret of the project, which everybody who opens this page can read. Remove it from the page, ' +
  'replace it in the project\'s settings by a new one, and give the client the token that starts with "public-token-".';

/** The mistake, if a token is not a public token. */
export const sentenceForForm = (token: string): string =>
  `${mistakenId('publicToken', token) ?? 'publicToken: a public token starts with "public-token-"'}.`;

/** What a developer can change if the API does not know the token; null for other errors. */
export function sentenceForToken(error: unknown, { origin, publicToken }: Page): string | null {
  const kind = kindOfId(publicToken);
  if (kind === 'secret') return SECRET;
  // The client has already warned about its format.
  if (kind !== 'publicToken') return null;
  if (!isAuthError(error) || error.kind !== 'api' || !UNKNOWN.has(error.error_type)) return null;
  const start = publicToken.length > SHOWN ? `${publicToken.slice(0, SHOWN)}…` : publicToken;
  return (
    `${origin} has no project with the public token ${start}. Is it the "public_token" of the provider's project file, ` +
    'or that of your project, and is apiUrl the address of the same project?'
  );
}
