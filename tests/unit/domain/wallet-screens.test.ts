import { describe, expect, it } from 'vitest';
import { toAuthError } from '../../../src/domain/errors.ts';
import type { Intent, WidgetEvent } from '../../../src/domain/screens/event.ts';
import type { Screen } from '../../../src/domain/screens/screen.ts';
import { nextScreen } from '../../../src/domain/screens/transitions.ts';
import { INITIAL_STATE, isHeldBack, reduce } from '../../../src/domain/screens/widget-state.ts';

const wallet = 'phantom';
const chosen: Intent = { type: 'wallet/chosen', wallet };
const error = toAuthError(new Error('Could not connect to wallet'));
const answer = { wallet, address: 'a', challenge: 'c' } as const;
const signing: Screen = { name: 'CryptoSignMessage', ...answer, isSigned: false };

const SCREENS: readonly Screen[] = [
  { name: 'Main', email: '' },
  { name: 'CryptoConnect', wallet },
  signing,
  { name: 'CryptoOtherScreen' },
  { name: 'CryptoSetupWallet' },
  { name: 'CryptoError', wallet },
  { name: 'CryptoConfirmation' },
];

const EVENTS: readonly WidgetEvent[] = [
  chosen,
  { type: 'wallet/othersOpened' },
  { type: 'wallet/setupOpened' },
  { type: 'wallets/detected', wallets: [wallet] },
  { type: 'wallet/connected', ...answer, reply: {} },
  { type: 'wallet/verified', reply: {} },
  { type: 'failed', asked: chosen, error },
  { type: 'session/appeared' },
  { type: 'back' },
];

/** Specification, section 4: what is not here stays where it is. */
const LEADS: Record<string, string> = {
  'Main wallet/chosen': 'CryptoConnect',
  'Main wallet/othersOpened': 'CryptoOtherScreen',
  'Main wallet/setupOpened': 'CryptoSetupWallet',
  'CryptoOtherScreen wallet/chosen': 'CryptoConnect',
  'CryptoOtherScreen wallet/setupOpened': 'CryptoSetupWallet',
  'CryptoConnect wallet/connected': 'CryptoSignMessage',
  'CryptoConnect failed': 'CryptoError',
  'CryptoSignMessage wallet/verified': 'CryptoConfirmation',
  'CryptoSignMessage failed': 'CryptoError',
  'CryptoError wallet/chosen': 'CryptoConnect',
};

describe('the wallet screens', () => {
  for (const screen of SCREENS) {
    for (const event of EVENTS) {
      const isOpen = screen.name !== 'CryptoConfirmation';
      const back = event.type === 'back' && isOpen ? 'Main' : undefined;
      const signedIn = event.type === 'session/appeared' && isOpen ? 'AuthenticateFlowComplete' : undefined;
      const to = LEADS[`${screen.name} ${event.type}`] ?? back ?? signedIn;
      it(`${screen.name}: ${event.type} leads to ${to ?? 'nowhere'}`, () => {
        expect(nextScreen(screen, event).name).toBe(to ?? screen.name);
      });
    }
  }

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
