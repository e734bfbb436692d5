import { API_PREFIX, idp, pathOf, type Endpoint } from '#application/api/index.ts';
import { suite, type TestRunner } from '../runner.ts';
import { DASHBOARD, PLANNER } from './project.ts';
import { MINUTE_MS, openTab, signedIn, type FlowWorld, type MakeFlowWorld } from './world.ts';

const CODE_MINUTES = 10;
const { client_id } = PLANNER;

/** The error of a device's call. */
async function errorOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
    return 'not refused';
  } catch (thrown) {
    return String((thrown as { readonly error?: unknown }).error);
  }
}

/** A page's call: no method of a client without a screen makes it. */
async function page(world: FlowWorld, { client, tab }: ReturnType<typeof openTab>, endpoint: Endpoint, body: object) {
  const { publicToken, apiDomain = 'http://localhost:4100' } = world;
  const secret = client.session.getTokens()?.session_token ?? publicToken;
  const { text } = await tab.transport.send({
    method: endpoint.method,
    url: `${apiDomain}${API_PREFIX}${pathOf(endpoint.path, {})}`,
    headers: { authorization: `Basic ${btoa(`${publicToken}:${secret}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = JSON.parse(text) as { readonly error_type?: string; readonly data?: Readonly<Record<string, unknown>> };
  return { error: json.error_type ?? null, data: json.data ?? {} };
}

/** A user signs in on a device without a browser, by a code (RFC 8628). */
export function deviceFlow({ describe, it, expect }: TestRunner, name: string, makeWorld: MakeFlowWorld): void {
  suite(
    { describe, it, expect },
    `a device that shows a code: ${name}`,
    () => makeWorld({}),
    (test) => {
      const begin = (world: FlowWorld, scopes: readonly string[] = ['openid', 'email']) =>
        world.beginDevice({ client_id, scopes, program: 'Television/9' });

      test('waits, is shown with its app and program, and gets tokens once the user allows it', async (world) => {
        const ada = await signedIn(world);
        const { device_code, user_code } = await begin(world);
        expect(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/u.test(user_code)).toBe(true);
        expect(await errorOf(world.pollDevice({ client_id, device_code }))).toBe('authorization_pending');
        const { data } = await page(world, ada, idp.deviceStart, { user_code: user_code.toLowerCase() });
        const { client_name } = data['client'] as { readonly client_name: string };
        const { program, user_code: shown } = data['device'] as Readonly<Record<string, string>>;
        expect([client_name, program, shown]).toEqual(['Planner', 'Television/9', user_code]);
        const decided = await page(world, ada, idp.deviceSubmit, { user_code, consent_granted: true });
        expect(decided.data['granted']).toBe(true);
        const { access_token } = await world.pollDevice({ client_id, device_code });
        expect(access_token === '').toBe(false);
        expect(await errorOf(world.pollDevice({ client_id, device_code }))).toBe('invalid_grant');
        const { connected_apps } = await ada.client.user.getConnectedApps();
        expect(connected_apps.map(({ scopes_granted }) => scopes_granted)).toEqual(['openid email']);
      });

      test('gets nothing if the user denies it, and its code is of no further use', async (world) => {
        const ada = await signedIn(world);
        const { device_code, user_code } = await begin(world);
        const denied = await page(world, ada, idp.deviceSubmit, { user_code, consent_granted: false });
        expect(denied.data['granted']).toBe(false);
        expect(await errorOf(world.pollDevice({ client_id, device_code }))).toBe('access_denied');
        for (const endpoint of [idp.deviceStart, idp.deviceSubmit]) {
          const again = await page(world, ada, endpoint, { user_code, consent_granted: true });
          expect(again.error).toBe('user_code_not_found');
        }
        expect((await ada.client.user.getConnectedApps()).connected_apps).toEqual([]);
      });

      test('needs a session and its own code, until its time is over', async (world) => {
        const { user_code, device_code } = await begin(world);
        const nobody = openTab(world);
        expect((await page(world, nobody, idp.deviceStart, { user_code })).error).toBe('user_unauthenticated');
        const ada = await signedIn(world);
        for (const wrong of ['BBBB-BBBB', 'BBBB', '']) {
          expect((await page(world, ada, idp.deviceStart, { user_code: wrong })).error).toBe('user_code_not_found');
        }
        expect(await errorOf(world.pollDevice({ client_id: DASHBOARD.client_id, device_code }))).toBe('invalid_grant');
        world.passTime(CODE_MINUTES * MINUTE_MS);
        const late = await page(world, ada, idp.deviceSubmit, { user_code, consent_granted: true });
        expect(late.error).toBe('user_code_not_found');
        expect(await errorOf(world.pollDevice({ client_id, device_code }))).toBe('expired_token');
      });

      test('loses what was allowed when the user signs out before it polls', async (world) => {
        const ada = await signedIn(world);
        const { device_code, user_code } = await begin(world);
        await page(world, ada, idp.deviceSubmit, { user_code, consent_granted: true });
        await ada.client.session.revoke();
        expect(await errorOf(world.pollDevice({ client_id, device_code }))).toBe('invalid_grant');
      });

      test('begins only for an app that may use it, with scopes that the app may request', async (world) => {
        const dashboard = { client_id: DASHBOARD.client_id, scopes: ['openid'], program: '' };
        expect(await errorOf(world.beginDevice(dashboard))).toBe('unauthorized_client');
        expect(await errorOf(begin(world, ['offline_access']))).toBe('invalid_scope');
        expect(await errorOf(begin(world, ['unknown']))).toBe('invalid_scope');
      });
    },
  );
}
