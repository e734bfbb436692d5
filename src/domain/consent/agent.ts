import { isRecord } from '../shape.ts';

/** An app that no operator registered, such as an AI agent. */
export interface ConsentAgent {
  /** The host of the document that describes it; null for an app that registered itself. */
  readonly host: string | null;
  /** True if no user has given it access before. */
  readonly isNew: boolean;
}

/** Reads the origin of an app; null for an app of the project's operator, and if the server does not report it. */
export function agentOf(client: unknown): ConsentAgent | null {
  if (!isRecord(client)) return null;
  const { client_origin: origin, client_host: host, client_is_new: isNew } = client;
  if (origin !== 'document' && origin !== 'registration') return null;
  const isNamed = origin === 'document' && typeof host === 'string' && /^[\w.:[\]-]{1,255}$/u.test(host);
  return { host: isNamed ? host : null, isNew: isNew === true };
}

/** The logo of an agent, if its own host serves it. Any other image could be another company's logo. */
export function agentLogo(logo: unknown, { host }: ConsentAgent): string | null {
  if (typeof logo !== 'string' || host === null) return null;
  try {
    return new URL(logo).host === host ? logo : null;
  } catch {
    return null;
  }
}

/** The maximum number of APIs shown; nobody reads longer lists. */
const MOST = 8;

/** The names of the APIs to which an app requests access, besides the project's own. */
export function resourceNames(resources: unknown): readonly string[] {
  if (!Array.isArray(resources)) return [];
  return (resources as readonly unknown[])
    .flatMap((each) => (isRecord(each) && typeof each['name'] === 'string' ? [each['name']] : []))
    .slice(0, MOST);
}
