import type { Routes } from '../http/endpoints.ts';
import { notYet } from './not-yet.ts';
import { Refusal } from '../http/refusal.ts';
import { newToken } from '../security/secrets.ts';
import { addToken, checkDuration, looksLikeJwt, revoke, touch } from '../store/sessions.ts';
import { authenticated, requireSession } from './authenticated.ts';

export const sessions: Routes['sessions'] = {
  async authenticate(services, { body, caller }) {
    const { session_duration_minutes: minutes } = body;
    if (minutes !== undefined) checkDuration(minutes);
    const { row, secret } = await requireSession(services, caller);
    const touched = await touch(services, row, minutes);
    if (touched === undefined) throw new Refusal('unauthorized_credentials');
    // Only a token's hash is kept, so who came with the JWT gets one more token; the other holder's stays good.
    const token = looksLikeJwt(secret) ? newToken(services.random) : secret;
    if (token !== secret) await addToken(services.db, row.session_id, token);
    return authenticated(services, services.db, touched, token);
  },

  async revoke(services, { caller }) {
    const { row } = await requireSession(services, caller);
    await revoke(services.db, row.session_id);
    return {};
  },
  exchangeAccessToken: notYet,
  attest: notYet,
};
