import { isRecord } from '../shape.ts';

/** An app that no operator registered, such as an AI agent. */
export interface ConsentAgent {
  /** The host of the document that describes it; null for an app that registered itself. */
  readonly host: string | null;
  /** Nobody gave it access before. */
  readonly isNew: boolean;
}

/** Reads the origin of an app; null for an app of the project's operator, and where the server does not report it. */
export function agentOf(client: unknown): ConsentAgent | null {
  if (!isRecord(client)) return null;
  const { client_origin: origin, client_host: host, client_is_new: isNew } = client;
  if (origin !== 'document' && origin !== 'registration') return null;
  const isNamed = origin === 'document' && typeof host === 'string' && /^[\w.:[\]-]{1,255}$/u.test(host);
  return { host: isNamed ? host : null, isNew: isNew === true };
}

/** The logo of an agent: an image of its own host. Any other image could be the logo of a company that it is not. */
export function agentLogo(logo: unknown, { host }: ConsentAgent): string | null {
  if (typeof logo !== 'string' || host === null) return null;
  try {
    return new URL(logo).host === host ? logo : null;
  } catch {
    return null;
  }
}

/** More APIs than this are not read by anybody. */
const MOST = 8;

/** The names of the APIs for which an app requests access, besides the project's own. */
export function resourceNames(resources: unknown): readonly string[] {
  if (!Array.isArray(resources)) return [];
  return (resources as readonly unknown[])
    .flatMap((each) => (isRecord(each) && typeof each['name'] === 'string' ? [each['name']] : []))
    .slice(0, MOST);
}
