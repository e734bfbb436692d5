import { Hono } from 'hono';
import { isRecord } from '#domain/shape.ts';
import { allowsOrigin } from '#domain/rules/redirects.ts';
import { Refusal } from '#domain/rules/refusal.ts';
import { readJson } from '#provider/base/http/request.ts';
import { requestOrigin } from '#provider/base/http/arrival.ts';
import type { AppEnv } from '#provider/base/http/environment.ts';
import type { Services } from '../../services.ts';
import { oneTapPage } from './account-pages.ts';
import { profileOf } from './account-people.ts';
import { ACCOUNT_CLIENT_ID, issuerOf, type AccountTokens } from './account-tokens.ts';
import { gsiScript, gsiSelectScript } from './gsi.ts';
import { policy, showRefusal } from './page-policy.ts';

const SCRIPT = { 'Content-Type': 'text/javascript; charset=utf-8' };

/** The routes of One Tap: its script, the page in its frame, and the ID token for the chosen account. */
export function gsiRoutes({ project }: Pick<Services, 'project'>, tokens: AccountTokens): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get('/client', (context) => context.body(gsiScript, 200, SCRIPT));
  app.get('/select.js', (context) => context.body(gsiSelectScript, 200, SCRIPT));
  app.get('/select', (context) => {
    const parent = context.req.query('origin') ?? '';
    const isKnown = context.req.query('client_id') === ACCOUNT_CLIENT_ID;
    if (!isKnown) return showRefusal(context, project, 'This page cannot be used', new Refusal('invalid_client'));
    if (!allowsOrigin(project, parent)) {
      return showRefusal(context, project, 'This page cannot be used', new Refusal('unregistered_origin'));
    }
    return context.html(oneTapPage(project.name, parent), 200, {
      'Content-Security-Policy': policy(`'none'`, parent, true),
      'Referrer-Policy': 'same-origin',
    });
  });
  app.post('/credential', async (context) => {
    const origin = requestOrigin(context);
    if (context.req.header('origin') !== origin) throw new Refusal('unregistered_origin');
    const json = await readJson(context.req.raw);
    const { client_id, email, email_verified, nonce } = isRecord(json) ? json : {};
    if (client_id !== ACCOUNT_CLIENT_ID) throw new Refusal('invalid_client');
    const profile = profileOf(origin, 'google', typeof email === 'string' ? email : '', email_verified === true);
    if (profile === null) throw new Refusal('invalid_email');
    const credential = await tokens.idToken({
      issuer: issuerOf(origin, 'google'),
      audience: ACCOUNT_CLIENT_ID,
      nonce: typeof nonce === 'string' ? nonce : null,
      profile,
    });
    return context.json({ credential });
  });
  return app;
}
