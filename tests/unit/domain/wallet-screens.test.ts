import { describe, expect, it } from 'vitest';
import { toAuthError } from '#domain/thrown.ts';
import type { Intent } from '#domain/screens/event.ts';
import type { Screen } from '#domain/screens/screen.ts';
import { nextScreen } from '#domain/screens/transitions.ts';
import { isHeldBack } from '#domain/screens/events.ts';
import { reduce } from '#domain/screens/reduce.ts';
import { INITIAL_STATE } from '#domain/screens/widget-state.ts';

const wallet = 'phantom';
const chosen: Intent = { type: 'wallet/chosen', wallet };
const error = toAuthError(new Error('Could not connect to wallet'));
const answer = { wallet, address: 'a', challenge: 'c' } as const;
const signing: Screen = { name: 'CryptoSignMessage', ...answer, isSigned: false };

describe('the wallet screens', () => {
  it('remember that the signature is there, and not what it is', () => {
    const signed = nextScreen(signing, { type: 'wallet/signed', signature: 'canary' });
    expect(signed).toEqual({ ...signing, isSigned: true });
  });

  it('are waited on until the wallet is verified, has failed or was left', () => {
    const waiting = reduce(INITIAL_STATE, chosen);
    expect(waiting.pending).toBe('wallet/chosen');
    expect(isHeldBack(waiting, chosen)).toBe(true);
    const connected = reduce(waiting, { type: 'wallet/connected', ...answer, reply: {} });
    const signed = reduce(connected, { type: 'wallet/signed', signature: 'canary' });
    expect([connected.pending, signed.pending]).toEqual(['wallet/chosen', 'wallet/chosen']);
    expect(JSON.stringify(signed)).not.toContain('canary');
    expect(reduce(signed, { type: 'wallet/verified', reply: {} })).toMatchObject({ pending: null, error: null });
    expect(reduce(signed, { type: 'failed', asked: chosen, error })).toMatchObject({ pending: null, error });
    expect(reduce(signed, { type: 'back' })).toMatchObject({ pending: null, error: null, screen: { name: 'Main' } });
  });

  it('move for no failure of something else', () => {
    const asked: Intent = { type: 'otp/resendRequested' };
    expect(nextScreen(signing, { type: 'failed', asked, error })).toBe(signing);
  });
});
