import { describe, expect, it } from 'vitest';
import type { ProfileRules } from '#server-rules/profile.ts';
import { otps } from '#application/api/index.ts';
import {
  accountWidget,
  identityProviderWidget,
  loginWidget,
  passkeyRegistrationWidget,
} from '#application/widget/widgets.ts';
import { REQUEST } from '../consent/open-consent.ts';
import { openWidget } from '../open-widget.ts';
import { TestWorld } from '../world.ts';

const RULES: ProfileRules = {
  fields: [],
  terms: [{ terms_id: 'tos', version: '1', title: 'Terms', url: 'https://acme.example/terms' }],
  url: 'http://localhost:3000/',
};

/** A page with a widget in a project that has terms. */
async function opened(make: Parameters<typeof openWidget>[0], href?: string) {
  const world = new TestWorld();
  world.server.settings.profile = RULES;
  const shown = openWidget(make, {}, { world, ...(href !== undefined && { href }) });
  await world.settle();
  /** Whether a login by a call of the page says that the page can ask. */
  const asks = async (): Promise<boolean> => {
    const { method_id } = await shown.api.otps.email.loginOrCreate('ada@example.com');
    await shown.api.otps.authenticate('000000', method_id, { session_duration_minutes: 60 }).catch(() => undefined);
    const body = world.transport.requestsTo(otps.authenticate).at(-1)?.body as Record<string, unknown>;
    return body['asks_profile'] === true;
  };
  return { ...shown, asks };
}

describe('A page can ask for a profile', () => {
  it('while it shows a login', async () => {
    const { asks, widget } = await opened((services, options) => loginWidget(services, options));
    expect(await asks()).toBe(true);
    widget.destroy();
    expect(await asks()).toBe(false);
  });

  it('while it shows the question of an app', async () => {
    const query = new URLSearchParams(REQUEST).toString();
    const { asks } = await opened(
      (services, options) => identityProviderWidget(services, options),
      `http://localhost:3000/authorize?${query}`,
    );
    expect(await asks()).toBe(true);
  });

  it.each<readonly [string, Parameters<typeof openWidget>[0]]>([
    ['the account', accountWidget],
    ['the registration of passkeys', passkeyRegistrationWidget],
  ])('not because it shows %s, which has no form for it', async (_, make) => {
    const { asks } = await opened(make);
    expect(await asks()).toBe(false);
  });
});
