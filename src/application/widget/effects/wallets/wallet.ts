import { catchError, defer, EMPTY, exhaustMap, filter, map, scan, startWith, takeUntil } from 'rxjs';
import type { Observable } from 'rxjs';
import { isUnloaded } from '#domain/errors.ts';
import type { EventOf, Intent, Outcome } from '#domain/screens/event.ts';
import type { WalletKind } from '#domain/wallets/wallets.ts';
import { productsOf, type LoginConfig } from '#domain/widget/widget-config.ts';
import { sessionMinutes } from '#domain/widget/session-minutes.ts';
import type { Services } from '../../../services.ts';
import type { Effect, EffectContext } from '../../widget-store.ts';
import { attempt, ofType } from '../attempt.ts';

/** New wallets are added after the known ones, so that no button moves while it is pressed. */
const inOrderFound = (current: readonly WalletKind[], found: readonly WalletKind[]): readonly WalletKind[] => [
  ...current.filter((kind) => found.includes(kind)),
  ...found.filter((kind) => !current.includes(kind)),
];

type DetectedWallets = Pick<EventOf<'wallets/detected'>, 'wallets' | 'error'>;
const NONE: DetectedWallets = { wallets: [] };

const askedFor = (wallet: WalletKind): Intent => ({ type: 'wallet/chosen', wallet });

/** One step of a wallet login. Once the person has left it, its result is ignored and the next step does not begin. */
function step(
  { events$, getState, late }: EffectContext,
  wallet: WalletKind,
  work: () => Promise<Outcome>,
): Observable<Outcome> {
  const left$ = events$.pipe(filter(() => getState().pending !== 'wallet/chosen'));
  return attempt(events$, askedFor(wallet), work, late).pipe(takeUntil(left$));
}

/** Finds wallets, and logs in with a wallet: connect, sign the challenge, verify the signature (specification, section 4). */
export function walletEffects(
  { wallet: port, walletLogin }: Services<'wallet' | 'walletLogin'>,
  config: () => LoginConfig,
): readonly Effect[] {
  const detected: Effect = ({ events$ }) =>
    events$.pipe(
      startWith(null),
      // A remount may add the product. If a host's adapter threw, it is called again.
      filter(() => productsOf(config()).includes('crypto')),
      exhaustMap(() =>
        defer(() => port.detect()).pipe(
          map((wallets) => ({ wallets })),
          // Another search would find the same, because only a reload of the page requests the file again. Each list of wallets shows that.
          catchError((error: unknown) =>
            isUnloaded(error)
              ? ofType(events$, 'wallet/othersOpened').pipe(
                  startWith(null),
                  map(() => ({ wallets: [], error })),
                )
              : EMPTY,
          ),
        ),
      ),
      scan(
        (current: DetectedWallets, found: DetectedWallets) => ({
          ...found,
          wallets: inOrderFound(current.wallets, found.wallets),
        }),
        NONE,
      ),
      map((found) => ({ type: 'wallets/detected', ...found })),
    );

  const connected: Effect = (context) =>
    ofType(context.events$, 'wallet/chosen').pipe(
      exhaustMap(({ wallet }) => {
        const { screen } = context.getState();
        return step(context, wallet, async () => {
          const isWaiting = (): boolean => context.getState().screen === screen;
          return { type: 'wallet/connected', ...(await walletLogin.connect(wallet, isWaiting)) };
        });
      }),
    );

  const signEffect: Effect = (context) =>
    ofType(context.events$, 'wallet/connected').pipe(
      exhaustMap((event) =>
        step(context, event.wallet, async () => ({
          type: 'wallet/signed',
          signature: await walletLogin.sign(event),
        })),
      ),
    );

  const verified: Effect = (context) =>
    ofType(context.events$, 'wallet/signed').pipe(
      exhaustMap(({ signature }) => {
        const { screen } = context.getState();
        if (screen.name !== 'CryptoSignMessage') return EMPTY;
        return step(context, screen.wallet, async () => {
          const session_duration_minutes = sessionMinutes(config());
          const reply = await walletLogin.verify(screen, signature, { session_duration_minutes });
          return { type: 'wallet/verified', reply };
        });
      }),
    );

  return [detected, connected, signEffect, verified];
}
