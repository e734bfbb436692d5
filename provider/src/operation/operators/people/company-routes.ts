import type { Hono } from 'hono';
import { flowCookie, removeFlowCookie, setFlowCookie } from '#provider/accounts/social/logins/flow-cookie.ts';
import { newFlow } from '#provider/accounts/social/logins/oauth-flows.ts';
import type { AppContext, AppEnv } from '#provider/base/http/environment.ts';
import type { OutsideFetch } from '#provider/base/http/outside-fetch.ts';
import type { Services } from '#provider/api/services.ts';
import type { AuditActor } from '../desk/audit-actor.ts';
import { entering, type Site } from './ceremonies.ts';
import {
  companyProvider,
  companyRefusal,
  enterByCompany,
  spendCompanyFlow,
  storeCompanyFlow,
} from './company-login.ts';
import { enteredPage } from './entry-page.ts';

interface CompanyRoutes {
  readonly site: Site;
  readonly by: (context: AppContext) => Omit<AuditActor, 'name'>;
  /** Limits the requests of a network. */
  readonly limited: (context: AppContext) => Promise<void>;
  /** Sets the cookie of a new session. */
  readonly setSession: (context: AppContext, token: string) => void;
  /** Calls the provider; by default over the network. */
  readonly fetch?: OutsideFetch | undefined;
}

/** The login of operators at their company: the way there, and the way back. Without one in the project file there are no routes. */
export function companyRoutes(
  app: Hono<AppEnv>,
  services: Pick<Services, 'db' | 'clock' | 'random' | 'keys' | 'project' | 'report'>,
  { site, by, limited, setSession, fetch }: CompanyRoutes,
): void {
  const login = services.project.operator_login;
  const provider = companyProvider(services, fetch);
  if (login === null || provider === null) return;
  const { origin } = site;
  const redirect_uri = `${origin}/operators/company/callback`;
  const flowOf = (state: string) => ({ state, redirect_uri, answersByPost: false });

  app.get('/operators/company/start', async (context) => {
    await limited(context);
    const flow = newFlow(services);
    const { state, nonce, code_verifier } = flow;
    const leaving = { origin, redirect_uri, state, nonce, code_verifier, custom_scopes: [], provider_params: [] };
    const page = await provider.authorizationUrl(leaving).catch((error: unknown) => {
      throw companyRefusal(error, login.name);
    });
    await storeCompanyFlow(services, flow);
    setFlowCookie(context, flowOf(state), flow.browser);
    return context.redirect(page, 303);
  });

  app.get('/operators/company/callback', async (context) => {
    await limited(context);
    const parameters = new URL(context.req.url).searchParams;
    const state = parameters.get('state') ?? '';
    const from = by(context);
    const token = await entering(services, 'operator_login', from, async () => {
      const proofs = await spendCompanyFlow(services, { state, browser: flowCookie(context, state) });
      removeFlowCookie(context, flowOf(state));
      const person = await provider
        .exchangeClaims({ origin, redirect_uri, state, ...proofs, parameters })
        .catch((error: unknown) => {
          throw companyRefusal(error, login.name);
        });
      return enterByCompany(services, login, person, from);
    });
    setSession(context, token);
    // A redirect would come from the site of the company, so the browser would leave out the cookie of the session.
    return context.html(enteredPage());
  });
}
