import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { operatorsApp } from '#provider/operation/operators/app.ts';
import { NO_METRICS } from '#provider/base/metrics/metrics.ts';
import { documentHost, type DocumentHost } from '../kit/document-host.ts';
import { type Fields } from '../kit/harness.ts';
import { CALLBACK, challenge, makeApps, type Apps } from '../kit/idp-harness.ts';
import { operatorsBrowser, ORIGIN } from '../kit/operators-browser.ts';
import { registrar } from '../kit/registrar.ts';
import { RESOURCES, resourceSteps } from '../kit/resource-steps.ts';

const AGENTS = { metadata_documents: true, registration: 'open', scopes: ['openid', 'email'] };

export const QUERY = {
  client_id: 'planner',
  redirect_uri: CALLBACK,
  response_type: 'code',
  scope: 'openid email',
  code_challenge: challenge,
};

/** Connections that fail, at a provider with agents, resources and the operators’ pages. */
export function failureSteps(url: string | undefined) {
  let apps: Apps;
  let host: DocumentHost;
  let operators: ReturnType<typeof operatorsApp>;
  beforeAll(async () => {
    host = await documentHost();
    apps = await makeApps(url, { agents: AGENTS, resources: RESOURCES });
    operators = operatorsApp({ ...apps.provider.services, metrics: NO_METRICS }, { origin: ORIGIN });
  });
  afterAll(async () => {
    await Promise.all([apps.provider.close(), host.close()]);
  });
  beforeEach(async () => {
    await apps.provider.services.db.deleteFrom('connection_failures').execute();
    await apps.provider.services.db.deleteFrom('limit_windows').execute();
  });
  const { register } = registrar(() => apps.provider);
  const steps = resourceSteps(() => apps);
  const browser = operatorsBrowser(() => ({ provider: apps.provider, app: operators }));
  /** The only failure, as a developer reads it. */
  const failure = async (): Promise<Fields> => {
    const listed = (await apps.get('/dev/connections.json')).body as unknown as readonly Fields[];
    expect(listed).toHaveLength(1);
    const { sent, rule, ...others } = listed[0] ?? {};
    return { ...others, sent: Object.fromEntries(sent as [string, string][]), ...(rule as object) };
  };

  return {
    get apps() {
      return apps;
    },
    get host() {
      return host;
    },
    register,
    steps,
    browser,
    failure,
  };
}
