import { catchError, defer, EMPTY, exhaustMap, filter, map, scan, startWith, takeUntil } from 'rxjs';
import type { Observable } from 'rxjs';
import type { EventOf, Intent, Outcome } from '../../../domain/screens/event.ts';
import { mayBeSigned } from '../../../domain/siwe.ts';
import { WALLETS, type WalletKind } from '../../../domain/wallets.ts';
import { productsOf, sessionMinutes, type LoginConfig } from '../../../domain/widget-config.ts';
import type { Services } from '../../services.ts';
import type { Effect, EffectContext } from '../widget-store.ts';
import { attempt, needed, ofType } from './attempt.ts';

/** New wallets are added after the known ones, so that no button moves while it is pressed. */
const inOrderFound = (known: readonly WalletKind[], found: readonly WalletKind[]): readonly WalletKind[] => [
  ...known.filter((kind) => found.includes(kind)),
  ...found.filter((kind) => !known.includes(kind)),
];

const askedFor = (wallet: WalletKind): Intent => ({ type: 'wallet/chosen', wallet });

/**
 * One step of a login by wallet. Once the person has left it, its result is ignored and the next step does not begin.
 */
function step(
  { events$, getState, late }: EffectContext,
  wallet: WalletKind,
  work: () => Promise<Outcome>,
): Observable<Outcome> {
  const left$ = events$.pipe(filter(() => getState().pending !== 'wallet/chosen'));
  return attempt(events$, askedFor(wallet), work, late).pipe(takeUntil(left$));
}

/** Finds wallets, and logs in with a wallet: connect, sign the challenge, verify the signature (specification, section 4). */
export function walletEffects(services: Services, config: () => LoginConfig): readonly Effect[] {
  const { wallet: port, project, browser } = services;
  const detected: Effect = ({ events$ }) =>
    events$.pipe(
      startWith(null),
      // A remount may add the product. A host's adapter that threw is asked again.
      filter(() => productsOf(config()).includes('crypto')),
      exhaustMap(() => defer(() => port.detect()).pipe(catchError(() => EMPTY))),
      scan(inOrderFound, []),
      map((wallets) => ({ type: 'wallets/detected', wallets })),
    );

  const connect = async (wallet: WalletKind, isWaiting: () => boolean): Promise<Outcome> => {
    const address = await port.connect(wallet);
    // A person who has gone back does not send an address to the server.
    if (!isWaiting()) throw new Error('Could not connect to wallet');
    const { chain } = WALLETS[wallet];
    const reply = await services.walletLogin.start({ crypto_wallet_address: address, crypto_wallet_type: chain });
    return { type: 'wallet/connected', wallet, address, challenge: needed(reply.challenge), reply };
  };

  const connected: Effect = (context) =>
    ofType(context.events$, 'wallet/chosen').pipe(
      exhaustMap(({ wallet }) => {
        const { screen } = context.getState();
        return step(context, wallet, () => connect(wallet, () => context.getState().screen === screen));
      }),
    );

  const sign = async ({ wallet, address, challenge }: EventOf<'wallet/connected'>): Promise<Outcome> => {
    const { siweRequiredForCryptoWallets } = await project.bootstrap();
    const { chain } = WALLETS[wallet];
    if (!mayBeSigned(challenge, chain, browser.origin, siweRequiredForCryptoWallets)) {
      throw new Error('Could not sign message');
    }
    return { type: 'wallet/signed', signature: await port.sign(wallet, challenge, address) };
  };

  const signed: Effect = (context) =>
    ofType(context.events$, 'wallet/connected').pipe(
      exhaustMap((event) => step(context, event.wallet, () => sign(event))),
    );

  const verified: Effect = (context) =>
    ofType(context.events$, 'wallet/signed').pipe(
      exhaustMap(({ signature }) => {
        const { screen } = context.getState();
        if (screen.name !== 'CryptoSignMessage') return EMPTY;
        const { wallet, address } = screen;
        return step(context, wallet, async () => {
          const reply = await services.walletLogin.authenticate({
            crypto_wallet_address: address,
            crypto_wallet_type: WALLETS[wallet].chain,
            signature,
            session_duration_minutes: sessionMinutes(config()),
          });
          return { type: 'wallet/verified', reply };
        });
      }),
    );

  return [detected, connected, signed, verified];
}
