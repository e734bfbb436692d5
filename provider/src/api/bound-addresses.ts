import { requestOrigin } from '#provider/base/http/arrival.ts';
import type { AppContext } from '#provider/base/http/environment.ts';
import type { Project } from '#provider/project/settings/project.ts';
import { furtherCalls } from './further-calls.ts';

/** The URLs that a browser calls for a session that is bound to it. Pages do not call them. */
export const BOUND_PATHS = {
  register: furtherCalls.registerBinding.path,
  refresh: furtherCalls.refreshBinding.path,
} as const;

/** This server's origin, as browsers see it. */
export const ownOrigin = ({ issuer }: Pick<Project, 'issuer'>, context: AppContext): string =>
  issuer === null ? requestOrigin(context) : new URL(issuer).origin;

/** The origins that a browser uses in its own calls: this server's, and that of the domain of its cookies. */
export function boundOrigins(project: Project, context: AppContext): readonly [string, string] {
  const own = ownOrigin(project, context);
  const { protocol, port } = new URL(own);
  const { domain } = project.session_cookies;
  return [own, `${protocol}//${domain ?? ''}${port === '' ? '' : `:${port}`}`];
}
