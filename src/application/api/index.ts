import { events } from './events.ts';
import { magicLinks } from './magic-links.ts';
import { otps } from './otps.ts';
import { projects } from './projects.ts';
import { sessions } from './sessions.ts';
import { users } from './users.ts';

/** Every call of the wire, by area: a provider that leaves one unanswered does not compile. */
export const api = { projects, users, sessions, magicLinks, otps, events } as const;

/** The prefix of every path. */
export const API_PREFIX = '/sdk/v1';

export { events, magicLinks, otps, projects, sessions, users };
export type { Authenticated } from './authenticated.ts';
export { pathOf } from './endpoint.ts';
export type { BodyFor, Endpoint, ParamsFor, ReplyBase, ReplyFor } from './endpoint.ts';
