import { afterAll, beforeAll } from 'vitest';
import { operatorsApp } from '#provider/operation/operators/app.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { makeProvider, type Provider } from '../kit/harness.ts';
import { operatorsBrowser, ORIGIN } from '../kit/operators-browser.ts';

export const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

/** An operators' page whose only user has a hostile name. */
export function pageSteps(database: string | undefined) {
  let provider: Provider;
  let app: ReturnType<typeof operatorsApp>;
  let user_id: string;
  beforeAll(async () => {
    provider = await makeProvider(database);
    app = operatorsApp({ ...provider.services, metrics: NO_METRICS }, { origin: ORIGIN });
    user_id = (await provider.signIn('ada@example.com'))['user_id'] as string;
    await provider.services.db
      .updateTable('users')
      .set({ name: JSON.stringify({ first_name: HOSTILE }), external_id: 'x' })
      .where('user_id', '=', user_id)
      .execute();
  });
  afterAll(() => provider.close());
  const browser = operatorsBrowser(() => ({ provider, app }));
  const { ask, get, post, upload, optionsOf, enrolled, logIn, events, refusals } = browser;

  return {
    get provider() {
      return provider;
    },
    get app() {
      return app;
    },
    get user_id() {
      return user_id;
    },
    ask,
    get,
    post,
    upload,
    optionsOf,
    enrolled,
    logIn,
    events,
    refusals,
  };
}
