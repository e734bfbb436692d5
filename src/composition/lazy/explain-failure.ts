import { API_PREFIX, pathOf, projects } from '#application/api/index.ts';
import { isAuthError, type SDKAPIUnreachableError } from '#domain/errors.ts';
import { isInsecure } from '#domain/insecure-page.ts';
import { isOwnEndpoint } from '#domain/project/endpoints.ts';
import type { ClientSettings } from '../core.ts';
import { sentenceForToken } from './explain-token.ts';

type Page = Pick<ClientSettings, 'ports' | 'own' | 'window' | 'publicToken' | 'origin'>;

/** The result of the second request: the reason why the server rejects the page, only that the server responds, or nothing. */
type ProbeResult = { readonly refusal: string } | 'readable' | 'answers' | 'nothing';

/**
 * Requests the project's settings without credentials. A browser does not give a page the reason for a failed request, but every page
 * may read the provider's rejection of its origin. A request without CORS shows whether any server responds.
 */
async function look(url: string, fetch: Window['fetch']): Promise<ProbeResult> {
  const init: RequestInit = { credentials: 'omit', redirect: 'error', cache: 'no-store' };
  try {
    const reply: unknown = await (await fetch(url, init)).json().catch(() => null);
    const { error_type, error_message } = (reply ?? {}) as Readonly<Record<string, unknown>>;
    return error_type === 'unregistered_origin' ? { refusal: String(error_message) } : 'readable';
  } catch {
    return fetch(url, { ...init, mode: 'no-cors', redirect: 'follow' }).then(
      () => 'answers',
      () => 'nothing',
    );
  }
}

/** The message for developers about a request without a response; null when a developer cannot change the cause. */
async function sentenceForSilence(
  { url, reason, problem }: SDKAPIUnreachableError,
  { ports, own, window, publicToken }: Page,
) {
  // A host's transport may work without the network.
  if (url === null || window === null || own.transport !== undefined) return null;
  if (reason !== 'network') {
    return `${url} did not answer like the API. Is apiUrl the address of the provider, and does every proxy in front of it pass this path on?`;
  }
  const { origin } = new URL(url);
  const page = ports.browser.origin;
  const settings = `${origin}${API_PREFIX}${pathOf(projects.bootstrap.path, { publicToken })}`;
  const found = await look(settings, async (...request) => window.fetch(...request));
  // The page needs https, as another message says. Adding the origin to the project file would not help.
  if (isInsecure(window.crypto) && (typeof found === 'object' || found === 'answers')) return null;
  if (typeof found === 'object') {
    return `${origin} refuses this page. ${found.refusal} Add ${page} to "origins" of the provider's project file.`;
  }
  if (problem === 'timeout') return `${origin} did not answer in time: ${url}`;
  if (found === 'readable') return `A request failed, although ${origin} answers: ${url}`;
  if (found === 'answers') {
    return `${origin} answers, but not to pages of ${page}. Is this address your provider, and is ${page} registered in its "origins"?`;
  }
  return (
    `Nothing answers at ${origin}. Is the server running there, are the scheme (http or https) and the port correct, ` +
    "and does the page's Content-Security-Policy list it in connect-src?" +
    (isOwnEndpoint(origin) ? '' : ' apiUrl is not set: for your own provider, set it to the address of the provider.')
  );
}

/** The clients for which a message about their token, or about a request without a response, was logged. */
const loggedPages = { token: new WeakSet<Page>(), unreachable: new WeakSet<Page>() };

/**
 * Logs once per client the likely cause of a request without a usable response, and of a refused public token.
 */
export async function explainFailure(error: unknown, page: Page): Promise<void> {
  const { log } = page.ports;
  const wrongToken = sentenceForToken(error, page);
  if (wrongToken !== null && !loggedPages.token.has(page)) {
    loggedPages.token.add(page);
    log.warn(wrongToken);
  }
  if (!isAuthError(error) || error.kind !== 'unreachable' || loggedPages.unreachable.has(page)) return;
  if (error.problem === 'offline' || error.problem === 'aborted') return;
  loggedPages.unreachable.add(page);
  const sentence = await sentenceForSilence(error, page);
  if (sentence !== null) log.warn(sentence);
}
