import { idp } from '#application/api/index.ts';
import type { Consent } from '#domain/consent/consent.ts';
import { identityProviderWidget } from '#application/widget/widgets.ts';
import type { IdentityProviderOptions } from '#application/widget/consent-options.ts';
import { DASHBOARD, PLANNER, POLICY, PROFILE } from '../../../contract/flows/project.ts';
import { openWidget } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

export { DASHBOARD, PLANNER, PROFILE };

/** The example of RFC 7636, appendix B. */
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

export const REQUEST = {
  client_id: PLANNER.client_id,
  redirect_uri: 'http://localhost:3001/callback',
  scope: 'openid email',
  state: 's 1',
  code_challenge: CHALLENGE,
};

export const LOGOUT = { client_id: PLANNER.client_id, post_logout_redirect_uri: 'http://localhost:3001/' };

type ConsentOverrides = Partial<Omit<IdentityProviderOptions, 'config' | 'callbacks'>>;

/** A world whose server knows two apps. */
export function consentWorld(): TestWorld {
  const world = new TestWorld();
  world.server.project['rbac_policy'] = POLICY;
  world.server.settings.clients = [PLANNER, DASHBOARD];
  Object.assign(world.server.settings, { trustedProfiles: [PROFILE] });
  return world;
}

/** Somebody signed in, in the browser of that world. */
export async function signedIn(world = consentWorld(), email = 'ada@example.com') {
  const { client } = world.open();
  await world.signIn(client, email);
  return { world, client };
}

/** The consent or logout page for a query, in the browser of a world. */
export function openConsent(
  query: Readonly<Record<string, string>>,
  world = consentWorld(),
  own: ConsentOverrides = {},
  origin?: string,
) {
  const href = `http://localhost:3000/authorize?${new URLSearchParams(query).toString()}`;
  const opened = openWidget(
    (services, options) => identityProviderWidget(services, { ...options, ...own }),
    {},
    { world, href, ...(origin === undefined ? {} : { origin }) },
  );
  const consent = (): Consent => opened.store.getState().consent;
  return { ...opened, consent, navigations: () => opened.ports.browser.navigations };
}

export async function settled<Opened extends { readonly world: TestWorld }>(opened: Opened): Promise<Opened> {
  await opened.world.settle();
  return opened;
}

/** Who is signed in, at the page for what an app asks. */
export async function asked(query: Readonly<Record<string, string>> = REQUEST) {
  const { world, client } = await signedIn();
  return { client, ...(await settled(openConsent(query, world))) };
}

export const submits = ({ world }: { readonly world: TestWorld }) => world.transport.requestsTo(idp.authorizeSubmit);
