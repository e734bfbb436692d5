import {
  BehaviorSubject,
  combineLatest,
  concatMap,
  defer,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  map,
  merge,
  startWith,
  tap,
} from 'rxjs';
import { needsSecondFactor } from '#domain/errors.ts';
import { withChanges, type PasskeyChange } from '#domain/passkeys/passkey-list.ts';
import type { EventOf, Outcome } from '#domain/screens/event.ts';
import type { Services } from '../../../services.ts';
import type { Effect } from '../../widget-store.ts';
import { ofType, whenReady } from '../attempt.ts';

/** A change that the user requested: the event, and its effect on the list. */
interface PasskeyListChange {
  readonly intent: EventOf<'passkey/renamed' | 'passkey/deleted'>;
  readonly change: PasskeyChange;
}

/**
 * The signed-in user's passkeys, and changes to them, one after another. A change is shown immediately. If the server refuses it, it is
 * undone and only logged (specification, section 4), unless the user can do something about the error.
 */
export function passkeyListEffect({
  sessions,
  account,
  refresher,
  passkeys,
  userEdits,
  log,
}: Services<'sessions' | 'account' | 'refresher' | 'passkeys' | 'userEdits' | 'log'>): Effect {
  const load = async (): Promise<true> => {
    await firstValueFrom(refresher.checking$.pipe(filter((checking) => !checking)), { defaultValue: false });
    if (!sessions.mayBeSignedIn()) return true;
    await account.get().catch((error: unknown) => log.error('The passkeys could not be loaded.', error));
    return true;
  };

  const settle = async (change: PasskeyChange): Promise<void> => {
    if (change.kind === 'rename')
      return void (await passkeys.update({ webauthn_registration_id: change.id, name: change.name }));
    await userEdits.delete('deleteWebauthnRegistration', change.id);
  };

  /** Makes a change, and resolves with the error to show to the user, if any. */
  const outcomeOf = async ({ change, intent }: PasskeyListChange): Promise<readonly Outcome[]> => {
    try {
      await settle(change);
    } catch (error) {
      if (needsSecondFactor(error)) return [{ type: 'failed', asked: intent, error }];
      log.error(`The passkey could not be ${change.kind}d.`, error);
    }
    return [];
  };

  return ({ events$ }) =>
    defer(() => {
      const changes = new BehaviorSubject<readonly PasskeyChange[]>([]);
      const known$ = combineLatest([sessions.user$, whenReady(load).pipe(startWith(false))]).pipe(
        filter(([user, loaded]) => user !== null || loaded),
        map(([user]) => user && (user.webauthn_registrations ?? [])),
        distinctUntilChanged(),
      );
      const shown$ = combineLatest([known$, changes]).pipe(
        map(
          ([registrations, pendingChanges]) =>
            ({
              type: 'passkeys/known',
              passkeys: registrations && withChanges(registrations, pendingChanges),
            }) as const,
        ),
      );
      const work$ = merge(
        ofType(events$, 'passkey/renamed').pipe(
          map((intent): PasskeyListChange => ({
            intent,
            change: { kind: 'rename', id: intent.id, name: intent.name },
          })),
        ),
        ofType(events$, 'passkey/deleted').pipe(
          map((intent): PasskeyListChange => ({ intent, change: { kind: 'delete', id: intent.id } })),
        ),
      ).pipe(
        tap(({ change }) => changes.next([...changes.value, change])),
        concatMap((listChange) =>
          whenReady(() => outcomeOf(listChange)).pipe(
            tap(() => changes.next(changes.value.filter((each) => each !== listChange.change))),
            concatMap((outcomes) => outcomes),
          ),
        ),
      );
      return merge(shown$, work$);
    });
}
