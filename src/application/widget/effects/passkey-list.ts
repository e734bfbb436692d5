import {
  BehaviorSubject,
  combineLatest,
  concatMap,
  defer,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  ignoreElements,
  map,
  merge,
  startWith,
  tap,
} from 'rxjs';
import { withChanges, type PasskeyChange } from '../../../domain/passkey-list.ts';
import type { WebauthnRegistration } from '../../../domain/user.ts';
import type { WidgetParts } from '../mounted-widget.ts';
import type { Effect } from '../widget-store.ts';
import { ofType } from './attempt.ts';
import { whenReady } from './when-ready.ts';

/**
 * The passkeys of who is signed in, and what is done to them, one thing after the other. A change shows at once; what the
 * server refuses is put back and only logged (specification, section 4).
 */
export function passkeyListEffect({ sessions, account, refresher, logins, log }: WidgetParts): Effect {
  const load = async (): Promise<true> => {
    await firstValueFrom(refresher.checking$.pipe(filter((checking) => !checking)), { defaultValue: false });
    if (!sessions.mayBeSignedIn()) return true;
    await account.get().catch((error: unknown) => log.error('The passkeys could not be loaded.', error));
    return true;
  };

  const ofUser = (): readonly WebauthnRegistration[] => sessions.state().user?.webauthn_registrations ?? [];

  const settle = async (change: PasskeyChange): Promise<void> => {
    try {
      const { passkeys, userEdits } = await logins();
      if (change.kind === 'rename') return void (await passkeys.update(change.id, change.name));
      const deleted = ofUser().find(({ webauthn_registration_id: id }) => id === change.id);
      await userEdits.delete('deleteWebauthnRegistration', change.id);
      if (deleted === undefined) return;
      void passkeys
        .tellAccepted(deleted.domain)
        .catch((error: unknown) => log.warn(`No word of the deleted passkey could be given. ${String(error)}`));
    } catch (error) {
      log.error(`The passkey could not be ${change.kind}d.`, error);
    }
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
        map(([known, asked]) => ({ type: 'passkeys/known', passkeys: known && withChanges(known, asked) }) as const),
      );
      const work$ = merge(
        ofType(events$, 'passkey/renamed').pipe(map(({ id, name }): PasskeyChange => ({ kind: 'rename', id, name }))),
        ofType(events$, 'passkey/deleted').pipe(map(({ id }): PasskeyChange => ({ kind: 'delete', id }))),
      ).pipe(
        tap((change) => changes.next([...changes.value, change])),
        concatMap((change) =>
          whenReady(() => settle(change)).pipe(
            tap(() => changes.next(changes.value.filter((each) => each !== change))),
          ),
        ),
        ignoreElements(),
      );
      return merge(shown$, work$);
    });
}
