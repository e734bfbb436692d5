import { API_PREFIX, pathOf, projects } from '../../application/api/index.ts';
import type { SDKAPIUnreachableError } from '../../domain/errors.ts';
import type { ClientSettings } from '../core.ts';

type Page = Pick<ClientSettings, 'ports' | 'own' | 'window' | 'publicToken'>;

/** What a second look found: why the server refuses the page, that it answers, or nothing. */
type ProbeResult = { readonly refusal: string } | 'readable' | 'answers' | 'nothing';

/**
 * Requests the project's settings without credentials. A browser does not tell a page why a request failed, but the provider lets every page read the refusal
 * of its origin. A request without CORS shows whether anything answers.
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

/** The sentence for developers about a request without an answer; null where there is nothing that a developer could change. */
async function sentenceFor({ url, problem }: SDKAPIUnreachableError, { ports, own, window, publicToken }: Page) {
  // A host's own transport may not use the network at all.
  if (url === null || window === null || own.transport !== undefined) return null;
  const { origin } = new URL(url);
  const page = ports.browser.origin;
  const settings = `${origin}${API_PREFIX}${pathOf(projects.bootstrap.path, { publicToken })}`;
  const found = await look(settings, async (...request) => window.fetch(...request));
  if (typeof found === 'object') {
    return `${origin} refuses this page. ${found.refusal} Add ${page} to "origins" of the provider's project file.`;
  }
  if (problem === 'timeout') return `${origin} did not answer in time: ${url}`;
  if (found === 'readable') return `A request failed, although ${origin} answers: ${url}`;
  if (found === 'answers') {
    return `${origin} answers, but not to pages of ${page}. Is this address your provider, and is ${page} registered in its "origins"?`;
  }
  return (
    `Nothing answers at ${origin}. Is the server running there, are the scheme (http or https) and the port right, ` +
    "and does the page's Content-Security-Policy list it in connect-src?"
  );
}

/** The clients whose developer has been told. */
const explained = new WeakSet<Page>();

/** Logs once for a client what a developer can look at when a request got no answer. */
export async function explainUnreachable(error: SDKAPIUnreachableError, page: Page): Promise<void> {
  if (explained.has(page) || error.problem === 'offline' || error.problem === 'aborted') return;
  explained.add(page);
  const sentence = await sentenceFor(error, page);
  if (sentence !== null) page.ports.log.warn(sentence);
}
